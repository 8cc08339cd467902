import { fewestComparisons } from './backtest.ts';
import type { ExpectedHour, SeriesForecast } from './forecast-series.ts';
import type { Season } from './seasonal-band.ts';
import type { Trend } from './trend.ts';

const weekdays = ['Sundays', 'Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays'];
/** Parts of a day by their first hour. */
const partsOfDay = [
  [0, 'nights'],
  [5, 'mornings'],
  [11, 'middays'],
  [14, 'afternoons'],
  [18, 'evenings'],
  [22, 'nights'],
] as const;

/** The days that a forecast uses, such as `12 mornings` or `4 Mondays`. Hours are UTC. */
function earlierDays({ fromMs, samples }: ExpectedHour, season: Season): string {
  const at = new Date(fromMs);
  const part = partsOfDay.findLast(([from]) => at.getUTCHours() >= from)?.[1] ?? 'days';
  return `${samples} ${season === 'week' ? weekdays[at.getUTCDay()] : part}`;
}

/**
 * Sentence about one hour of a forecast in percent, such as `expected 71 to 83 % at 09:00 UTC, from 12 mornings`. For
 * the last value: `expected near 40 % at 09:00 UTC, the last value`.
 */
export function expectationText(hour: ExpectedHour, season: Season | null): string {
  const at = `${new Date(hour.fromMs).toISOString().slice(11, 16)} UTC`;
  if (season === null || hour.samples === 0) return `expected near ${percent(hour.middle)} % at ${at}, the last value`;
  const [low, high] = [percent(hour.low), percent(hour.high)];
  return `expected ${low === high ? low : `${low} to ${high}`} % at ${at}, from ${earlierDays(hour, season)}`;
}

/** Whether a forecast is used, and why, for reports. */
export function verdictText({ backtest, season, days }: SeriesForecast): string {
  const { verdict, tried, error, lastValueError } = backtest;
  if (verdict === 'short') {
    const compared = `${tried} of ${fewestComparisons} comparisons`;
    return `too little history for a forecast (${days} ${days === 1 ? 'day' : 'days'}, ${compared}): last value used`;
  }
  const errors = `mean error ${oneDecimal(error)}, last value ${oneDecimal(lastValueError)}`;
  if (verdict === 'lost') return `forecast failed its backtest: last value used (${errors})`;
  return `forecast by the hour of the ${season} passed its backtest (${errors})`;
}

/** Sentence about the trend of a load in percent, such as `no trend within 42 days`. */
export function trendText({ verdict, perDay, lowPerDay, highPerDay, days }: Trend): string {
  if (verdict === 'short') return `no trend: ${days} full ${days === 1 ? 'day is' : 'days are'} fewer than four weeks`;
  if (verdict === 'none') return `no trend within ${days} days`;
  const range = `${signed(lowPerDay)} to ${signed(highPerDay)}`;
  return `trend ${signed(perDay)} percentage points a day (${range}) over ${days} days`;
}

const percent = (value: number) => String(Math.round(value));
const oneDecimal = (value: number) => value.toFixed(1);
const signed = (value: number) => `${value < 0 ? '-' : '+'}${Math.abs(value).toFixed(2)}`;
