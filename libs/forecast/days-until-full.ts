import { quantile } from './seasonal-band.ts';
import type { Trend } from './trend.ts';

/** The time at which a load reaches a limit, by its trend. */
export interface TimeUntilFull {
  /**
   * `full`: it has reached the limit. `days`: it reaches it in `days`. `falling`: it decreases. `later`: in more than
   * ten years. `none`, `short`: no trend, see `Trend`. `unmeasured`: no value.
   */
  verdict: 'full' | 'days' | 'falling' | 'later' | 'none' | 'short' | 'unmeasured';
  /** Whole days from now, with the bounds of the 90 % interval. Null unless the verdict is `days`. */
  days: number | null;
  lowDays: number | null;
  /** Also null if the lower bound of the trend does not rise. */
  highDays: number | null;
}

/** Ten years. No trend of weeks is valid for longer. */
const mostDays = 3650;
/** Hours of the last week, and the share of them below the busy load. */
const weekHours = 168;
const busyShare = 0.95;

/** Load of the busy hours of the last week: its 95th percentile. NaN without a value. */
export function busyLoad(values: Float64Array): number {
  return quantile(
    [...values.subarray(-weekHours)].filter((value) => !Number.isNaN(value)),
    busyShare,
  );
}

/**
 * Days until a load reaches a limit. Only with a significant rising trend. @param level present load, in units of the
 * trend. NaN: not measured @param limit load at which it is full
 */
export function daysUntilFull(level: number, limit: number, trend: Trend): TimeUntilFull {
  const without = (verdict: TimeUntilFull['verdict']) => ({ verdict, days: null, lowDays: null, highDays: null });
  if (Number.isNaN(level)) return without('unmeasured');
  if (level >= limit) return without('full');
  if (trend.verdict !== 'trend') return without(trend.verdict);
  if (trend.perDay <= 0) return without('falling');
  const daysAt = (perDay: number) => {
    const days = Math.ceil((limit - level) / perDay);
    return perDay > 0 && days <= mostDays ? days : null;
  };
  const days = daysAt(trend.perDay);
  if (days === null) return without('later');
  return { verdict: 'days', days, lowDays: daysAt(trend.highPerDay), highDays: daysAt(trend.lowPerDay) };
}

/** Sentence about the time until a limit, such as `80 % in 40 days (35 to 52)` or `no trend towards 80 %`. */
export function fullText({ verdict, days, lowDays, highDays }: TimeUntilFull, limit: string): string {
  switch (verdict) {
    case 'full':
      return `${limit} is reached`;
    case 'days':
      return `${limit} in ${days} days (${lowDays} to ${highDays ?? 'never'})`;
    case 'falling':
      return `the load decreases: ${limit} is not expected`;
    case 'later':
      return `${limit} in more than ten years`;
    case 'unmeasured':
      return 'no measured load';
    default:
      return `no trend towards ${limit}`;
  }
}
