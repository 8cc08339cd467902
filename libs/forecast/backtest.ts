import { type Band, quantile, type Season, seasonalBand, seasons } from './seasonal-band.ts';
import { type Trend, trendOf } from './trend.ts';

/** Errors of the forecast of a series on its past, compared with the last value. */
export interface Backtest {
  /** `short`: too few comparisons. */
  verdict: 'won' | 'lost' | 'short';
  /** The better season. Null when none could be tested. */
  season: Season | null;
  /** Number of comparisons, each of a past time and a forecast hour. */
  tried: number;
  /** Mean absolute errors of the forecast and of the last value, in units of the value. 0 without comparisons. */
  error: number;
  lastValueError: number;
  /** Mean pinball loss of the edges of the band, in units of the value. 0 without comparisons. */
  bandLoss: number;
  /** Share of the values in the band before it is widened, 0 to 1. */
  coverage: number;
  /** Margin by which each edge of the band is widened to contain four of five values, in units of the value. */
  widening: number;
  /** Distance from the last value that contains four of five values. NaN without comparisons. */
  lastValueReach: number;
}

const hoursOfDay = 24;
/** Length of the past that is tested, and distance of the origins, in hours. */
const triedHours = 14 * hoursOfDay;
const stride = { ofHour: 1, ofMore: 5 };
/** Tested hours ahead, up to the horizon. */
const horizons = [1, 3, 6, 12, 24, 48, 96, 168];
/** Minimum number of comparisons. */
export const fewestComparisons = 24;
/** Fraction of the error by which a forecast must be better than the last value. */
const margin = 0.05;
/** Target share of the values in a band, and the edges of the band. */
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
 * Tests each season on the last two weeks with a rolling origin: a forecast from the hours before each origin is
 * compared with the actual value and with the last value. The season with the lower error is chosen. It wins when its
 * error is at least 5 % lower than that of the last value. @param values a mean for each hour, the oldest first; NaN:
 * not measured @param horizon hours ahead, 1 to 168
 */
export function backtest(values: Float64Array, horizon: number): Backtest {
  const trends = new Map<number, Trend>();
  // Once per past day: the trend of weeks hardly changes within a day.
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
