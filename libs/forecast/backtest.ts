import { type Band, quantile, type Season, seasonalBand, seasons } from './seasonal-band.ts';
import { type Trend, trendOf } from './trend.ts';

/** How the forecast of a series did on its past, beside the last value. */
export interface Backtest {
  /** `short`: there were too few comparisons. */
  verdict: 'won' | 'lost' | 'short';
  /** The better season. Null where none could be tried. */
  season: Season | null;
  /** Comparisons: a past time and an hour that was forecast from it. */
  tried: number;
  /** Mean absolute error of the forecast and of the last value, in units of the value. 0 without comparisons. */
  error: number;
  lastValueError: number;
  /** Mean pinball loss of the edges of the band, in units of the value. 0 without comparisons. */
  bandLoss: number;
  /** Share of the values within the band, 0 to 1, before it is widened. */
  coverage: number;
  /** By which a band must be wider at each end so that four of five values are in it, in units of the value. */
  widening: number;
  /** Distance within which four of five values were from the last value. NaN without comparisons. */
  lastValueReach: number;
}

const hoursOfDay = 24;
/** Length of the past on which forecasts are tried, and the distance of their moments, in hours. */
const triedHours = 14 * hoursOfDay;
const stride = { ofHour: 1, ofMore: 5 };
/** Hours ahead that are tried, up to the horizon. */
const horizons = [1, 3, 6, 12, 24, 48, 96, 168];
/** Fewer comparisons decide nothing. */
export const fewestComparisons = 24;
/** A forecast must be better than the last value by this part of the error. */
const margin = 0.05;
/** Share of the values that a band is to contain, and the edges of the band. */
const contained = 0.8;
const edge = 0.1;

interface Comparison {
  band: Band;
  last: number;
  actual: number;
}

/** The last measured value of the three hours before. NaN without one. */
export function lastValue(values: Float64Array, known: number): number {
  const newest = [1, 2, 3].map((back) => values[known - back] ?? Number.NaN);
  return newest.find((value) => !Number.isNaN(value)) ?? Number.NaN;
}

function pinball(actual: number, edgeValue: number, share: number): number {
  return actual >= edgeValue ? share * (actual - edgeValue) : (1 - share) * (edgeValue - actual);
}

function compare(values: Float64Array, season: Season, horizon: number, trendAt: (known: number) => Trend) {
  const comparisons: Comparison[] = [];
  const step = horizon === 1 ? stride.ofHour : stride.ofMore;
  for (let known = values.length - 1; known > Math.max(0, values.length - triedHours); known -= step) {
    const last = lastValue(values, known);
    if (Number.isNaN(last)) continue;
    for (const ahead of horizons.filter((hours) => hours <= horizon)) {
      const target = known + ahead - 1;
      const actual = values[target] ?? Number.NaN;
      if (Number.isNaN(actual)) continue;
      const band = seasonalBand(values, season, { known, target }, trendAt(known).perDay / hoursOfDay);
      if (band !== null) comparisons.push({ band, last, actual });
    }
  }
  return comparisons;
}

const meanOf = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

function judge(season: Season, comparisons: readonly Comparison[]): Backtest {
  const beyond = comparisons.map(({ band, actual }) => Math.max(band.low - actual, actual - band.high));
  const offLast = comparisons.map(({ last, actual }) => Math.abs(last - actual));
  const error = meanOf(comparisons.map(({ band, actual }) => Math.abs(band.middle - actual)));
  const lastValueError = meanOf(offLast);
  return {
    verdict: error < (1 - margin) * lastValueError ? 'won' : 'lost',
    season,
    tried: comparisons.length,
    error,
    lastValueError,
    bandLoss: meanOf(
      comparisons.flatMap(({ band, actual }) => [
        pinball(actual, band.low, edge),
        pinball(actual, band.high, 1 - edge),
      ]),
    ),
    coverage: beyond.filter((distance) => distance <= 0).length / comparisons.length,
    widening: Math.max(0, quantile(beyond, contained)),
    lastValueReach: quantile(offLast, contained),
  };
}

const nothingTried: Backtest = {
  ...{ verdict: 'short', season: null, tried: 0, error: 0, lastValueError: 0 },
  ...{ bandLoss: 0, coverage: 0, widening: 0, lastValueReach: Number.NaN },
};

/**
 * Tries each season on the last two weeks with a rolling origin: a forecast is made from the hours before a moment, and
 * compared with the value that came true and with the last value. The season with the lower error counts. It wins when
 * its error is lower than that of the last value by 5 %.
 * @param values a mean for each hour, the oldest first; NaN: not measured
 * @param horizon hours ahead, 1 to 168
 */
export function backtest(values: Float64Array, horizon: number): Backtest {
  const trends = new Map<number, Trend>();
  // Once a day of the past: the trend of weeks hardly changes within a day.
  const trendAt = (known: number) => {
    const until = Math.floor(known / hoursOfDay) * hoursOfDay;
    const found = trends.get(until) ?? trendOf(values, until);
    trends.set(until, found);
    return found;
  };
  const judged = seasons.flatMap((season) => {
    const comparisons = compare(values, season, horizon, trendAt);
    return comparisons.length < fewestComparisons ? [] : [judge(season, comparisons)];
  });
  const ratio = ({ error, lastValueError }: Backtest) => (lastValueError === 0 ? 1 : error / lastValueError);
  return judged.reduce((best, one) => (best.season === null || ratio(one) < ratio(best) ? one : best), nothingTried);
}
