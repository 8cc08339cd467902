import { readCron } from '#libs/cron';
import type { LivePlan } from '../../live/live-entities.ts';

/** A repeated maintenance window of a plan, with its current or next occurrence. */
interface RepeatedWindow {
  /** Starts as a cron expression in the zone. */
  cron: string;
  /** IANA name. */
  zone: string;
  /** Length of each occurrence. */
  seconds: number;
  /** The first occurrence that has not ended. Null: none before `window_end`. */
  next: { start: Date; end: Date } | null;
}

type Outcome = Pick<
  NonNullable<LivePlan['outcome']>,
  'window_start' | 'window_end' | 'window_cron' | 'window_seconds' | 'window_zone'
>;

/**
 * The repeated window of a plan at `now`. Null without one, and for a text that is not a cron expression.
 * @param outcome of the plan. Its window starts and ends within `window_start` and `window_end`
 */
export function repeatedWindow(outcome: Partial<Outcome> | undefined, now: Date): RepeatedWindow | null {
  const { window_cron: cron, window_seconds: seconds, window_start: from, window_end: until } = outcome ?? {};
  if (!cron || !seconds) return null;
  const zone = outcome?.window_zone ?? 'UTC';
  const since = Math.max(now.getTime(), from ? Date.parse(from) : Number.NEGATIVE_INFINITY);
  try {
    const start = readCron(cron, zone).next(new Date(since - seconds * 1000));
    const isTooLate = start !== null && until && start.getTime() >= Date.parse(until);
    if (start === null || isTooLate) return { cron, zone, seconds, next: null };
    return { cron, zone, seconds, next: { start, end: new Date(start.getTime() + seconds * 1000) } };
  } catch {
    return null;
  }
}
