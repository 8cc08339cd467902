import { CronTextError, type CronTimes, readCron } from '#libs/cron';
import { doublingPause, InvalidInputError } from '#libs/domain';

/** Facts that determine the next run of a CONTINUOUS audit. */
export interface Schedule {
  /** Whole seconds as text, or a cron expression: five fields, six (seconds last), or an alias such as `@hourly`. */
  interval: string | null;
  /** Due time of the current run. The grid of an interval in seconds continues from here. */
  due: Date;
  now: Date;
  /** Consecutive failed runs, including the current run. */
  failedRuns: number;
  /** Time zone of cron expressions, an IANA name. Default UTC. */
  timeZone?: string;
}

/** Longest back-off in intervals, */
const maxIntervals = 10;
/** and in time. The lower limit applies. The back-off is never shorter than one interval. */
const maxBackoffMs = 3_600_000;

/**
 * The next run time of the audit: the next point of its grid after `now`. Missed points are skipped. After failures the
 * pause doubles: 1, 2, 4, 8 intervals, at most 10 or one hour.
 * @throws InvalidInputError on an interval that is neither seconds nor a cron expression, or that has no next time.
 */
export function nextRunTime({ interval, due, now, failedRuns, timeZone = 'UTC' }: Schedule): Date {
  if (interval === null) throw new InvalidInputError('interval', 'a CONTINUOUS audit needs one');
  if (isCron(interval)) return nextCronTime(parseCron(interval, timeZone), interval, now, failedRuns);
  const step = Number(interval) * 1000;
  if (!Number.isSafeInteger(step) || step < 1000)
    throw new InvalidInputError('interval', `${interval} is not an interval`);
  const after = now.getTime() + backoffMs(step, failedRuns) - step;
  const passed = Math.floor((after - due.getTime()) / step);
  return new Date(due.getTime() + (passed + 1) * step);
}

/** Whether the first run waits for a time, as with a cron expression. An interval in seconds starts immediately. */
export function isCron(interval: string | null): interval is string {
  return interval !== null && !/^[+-]?\d+$/.test(interval.trim());
}

function nextCronTime(cron: CronTimes, interval: string, now: Date, failedRuns: number): Date {
  const [next, afterNext] = cron.upcoming(2, now);
  if (!next) throw new InvalidInputError('interval', `${interval} never occurs again`);
  if (!afterNext) return next;
  const gap = afterNext.getTime() - next.getTime();
  return cron.next(new Date(now.getTime() + backoffMs(gap, failedRuns) - gap)) ?? next;
}

function parseCron(interval: string, timeZone: string): CronTimes {
  try {
    return readCron(interval, timeZone);
  } catch (error) {
    if (!(error instanceof CronTextError)) throw error;
    throw new InvalidInputError('interval', error.message, { cause: error });
  }
}

function backoffMs(step: number, failedRuns: number): number {
  const longestMs = Math.max(step, Math.min(step * maxIntervals, maxBackoffMs));
  return doublingPause(Math.max(0, failedRuns - 1), { firstMs: step, longestMs });
}
