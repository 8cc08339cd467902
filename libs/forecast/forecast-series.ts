import { type Backtest, backtest, lastValue } from './backtest.ts';
import { type HourlySeries, hourMs } from './hourly-series.ts';
import { type Season, seasonalBand } from './seasonal-band.ts';
import { type Trend, trendOf } from './trend.ts';

/** Expected load of one hour. */
export interface ExpectedHour {
  /** Start of the hour, in milliseconds since 1970. */
  fromMs: number;
  /** Bounds that contain four of five expected values, and the middle. In units of the value. */
  low: number;
  middle: number;
  high: number;
  /** Number of earlier values used. 0: it is the last value. */
  samples: number;
}

/** Forecast of one series. */
export interface SeriesForecast {
  /** Season of the forecast. Null: it failed its backtest or could not be tested, so the last value is used. */
  season: Season | null;
  backtest: Backtest;
  trend: Trend;
  /** The newest value of the last three hours. Null without one. */
  last: number | null;
  /** Measured hours, and days since the first of them. */
  measuredHours: number;
  days: number;
  /** Consecutive hours, starting with the current one. Hours without any information are absent. */
  hours: ExpectedHour[];
}

/**
 * Forecasts the hours after a series. If a season passes its backtest, its quantiles are used, with the trend if there
 * is one. Otherwise each hour has the last value, with the band that contained four of five past values. @param
 * options.hours number of hours, 1 to 168 @param options.most the largest possible value, in units of the value.
 * Default: none. The smallest is 0
 */
export function forecastSeries(
  series: HourlySeries,
  { hours, most = Number.POSITIVE_INFINITY }: { hours: number; most?: number },
): SeriesForecast {
  const { values, startMs } = series;
  const known = values.length;
  const tested = backtest(values, hours);
  const trend = trendOf(values);
  const season = tested.verdict === 'won' ? tested.season : null;
  const last = lastValue(values, known);
  const possible = (value: number) => Math.min(most, Math.max(0, value));

  function hourAt(target: number): ExpectedHour[] {
    const fromMs = startMs + target * hourMs;
    const band = season === null ? null : seasonalBand(values, season, { known, target }, trend.perDay / 24);
    const { widening, lastValueReach } = tested;
    const reach = Number.isNaN(lastValueReach) ? 0 : lastValueReach;
    const [low, middle, high] =
      band === null ? [last - reach, last, last + reach] : [band.low - widening, band.middle, band.high + widening];
    if (Number.isNaN(middle)) return [];
    return [
      { fromMs, low: possible(low), middle: possible(middle), high: possible(high), samples: band?.samples ?? 0 },
    ];
  }

  const measured = [...values.keys()].filter((hour) => !Number.isNaN(values[hour]));
  return {
    season,
    backtest: tested,
    trend,
    last: Number.isNaN(last) ? null : last,
    measuredHours: measured.length,
    days: measured.length === 0 ? 0 : Math.ceil((known - (measured[0] as number)) / 24),
    hours: Array.from({ length: hours }, (_, ahead) => known + ahead).flatMap(hourAt),
  };
}
