import { quantile } from './seasonal-band.ts';

/** Growth of a load over weeks. */
export interface Trend {
  /** `short`: fewer than 28 full days. `none`: not significant, or failed its backtest. */
  verdict: 'trend' | 'none' | 'short';
  /** Growth in units of the value a day, with the bounds of its 90 % interval. 0 unless the verdict is `trend`. */
  perDay: number;
  lowPerDay: number;
  highPerDay: number;
  /** Number of compared full days. */
  days: number;
}

const hoursOfDay = 24;
const daysOfWeek = 7;
/** Minimum number of measured hours of a day. */
const fewestHours = 18;
const mostDays = 56;
/** Four weeks: three to find a trend, and one to test it. */
const fewestDays = 28;
/** Quantiles of the normal distribution: significance of 1 %, and the 90 % interval. */
const significant = 2.576;
const ofInterval = 1.645;
/** Fraction of the error by which a trend must be better than none. */
const margin = 0.1;

/** Means of days that end with the last known hour, the newest first. NaN for days with many gaps. */
function dailyMeans(values: Float64Array, known: number): Float64Array {
  const days = Math.min(mostDays, Math.floor(known / hoursOfDay));
  return Float64Array.from({ length: days }, (_, day) => {
    const end = known - day * hoursOfDay;
    const hours = values.subarray(end - hoursOfDay, end).filter((value) => !Number.isNaN(value));
    return hours.length < fewestHours ? Number.NaN : hours.reduce((sum, value) => sum + value, 0) / hours.length;
  });
}

interface Slopes {
  /** Growth per day between each two days of the same weekday, ascending. */
  perDay: number[];
  /** Rising pairs minus falling pairs, and the variance of this number without a trend. */
  score: number;
  variance: number;
}

/**
 * Seasonal Kendall test: only days of the same weekday are compared (Hirsch, Slack and Smith, Techniques of trend
 * analysis for monthly water quality data, 1982).
 */
function slopesOf(means: Float64Array): Slopes {
  const slopes: Slopes = { perDay: [], score: 0, variance: 0 };
  for (let weekday = 0; weekday < daysOfWeek; weekday += 1) {
    const days: number[] = [];
    for (let day = weekday; day < means.length; day += daysOfWeek) if (!Number.isNaN(means[day])) days.push(day);
    days.forEach((newer, index) => {
      for (const older of days.slice(index + 1)) {
        const growth = (means[newer] as number) - (means[older] as number);
        slopes.perDay.push(growth / (older - newer));
        slopes.score += Math.sign(growth);
      }
    });
    slopes.variance += (days.length * (days.length - 1) * (2 * days.length + 5)) / 18;
  }
  slopes.perDay.sort((a, b) => a - b);
  return slopes;
}

function isSignificant({ score, variance }: Slopes): boolean {
  return variance > 0 && (Math.abs(score) - 1) / Math.sqrt(variance) >= significant;
}

/** Whether the trend of earlier days predicted each of the newest days a week ahead better than its last weekday. */
function wins(means: Float64Array): boolean {
  let [ofTrend, ofNone] = [0, 0];
  const tried = means.length - fewestDays + daysOfWeek;
  for (let day = 0; day < tried; day += 1) {
    const last = means[day + daysOfWeek] as number;
    const actual = means[day] as number;
    if (Number.isNaN(actual) || Number.isNaN(last)) continue;
    const slope = quantile(slopesOf(means.subarray(day + daysOfWeek)).perDay, 0.5);
    const moved: number[] = [];
    for (let older = day + daysOfWeek; older < means.length; older += daysOfWeek) {
      const value = means[older] as number;
      if (!Number.isNaN(value)) moved.push(value + slope * (older - day));
    }
    ofTrend += Math.abs(quantile(moved, 0.5) - actual);
    ofNone += Math.abs(last - actual);
  }
  return ofTrend < (1 - margin) * ofNone;
}

/**
 * The trend of daily values. It must be significant (1 %) and predict better than the value a week before. @param means
 * a value for each day, the newest first. NaN: not measured
 */
export function trendOfDays(means: Float64Array): Trend {
  const days = means.filter((mean) => !Number.isNaN(mean)).length;
  const none: Trend = { verdict: 'none', perDay: 0, lowPerDay: 0, highPerDay: 0, days };
  if (means.length < fewestDays || days < fewestDays - daysOfWeek) return { ...none, verdict: 'short' };
  const slopes = slopesOf(means);
  if (!isSignificant(slopes) || !wins(means)) return none;
  const { perDay, variance } = slopes;
  const half = (ofInterval * Math.sqrt(variance)) / 2 / perDay.length;
  const at = (share: number) => quantile(perDay, Math.min(1, Math.max(0, share)));
  return { verdict: 'trend', perDay: at(0.5), lowPerDay: at(0.5 - half), highPerDay: at(0.5 + half), days };
}

/**
 * The trend of the daily means of a series, see `trendOfDays`. @param values a mean for each hour, the oldest first.
 * NaN: not measured @param known number of known hours, from the start
 */
export function trendOf(values: Float64Array, known: number = values.length): Trend {
  return trendOfDays(dailyMeans(values, known));
}
