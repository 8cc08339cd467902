import { Cron } from 'croner';

/** The error in a cron expression: number of fields, a value out of its range, another error, or the time zone. */
export type CronFault = 'fields' | 'range' | 'text' | 'time zone';

/** A text that is not a cron expression, or a time zone that does not exist. */
export class CronTextError extends Error {
  override readonly name = 'CronTextError';
  readonly fault: CronFault;

  constructor(fault: CronFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
  }
}

/** Times of a cron expression. */
export interface CronTimes {
  /** The first time later than `after`. Null when it never occurs again. */
  next(after: Date): Date | null;
  /** The first `count` times later than `after`. Fewer if it has fewer times. */
  upcoming(count: number, after: Date): Date[];
}

/**
 * Reads a cron expression as croniter does, which Watcher uses: minute, hour, day of month, month, day of week, and
 * the seconds in a sixth field. Or an alias such as `@daily`. The times follow the clock of `timeZone`, also over
 * its changes to summer time and back: a missing time of day moves to the end of the gap, and one that
 * occurs twice counts once, the first time.
 * @param timeZone IANA name. Default UTC
 * @throws CronTextError
 */
export function readCron(text: string, timeZone = 'UTC'): CronTimes {
  const fields = text.trim().split(/\s+/);
  const isAlias = fields.length === 1 && text.trim().startsWith('@');
  if (!isAlias && fields.length !== 5 && fields.length !== 6) {
    throw new CronTextError(
      'fields',
      `${text} is not a cron expression: it needs five fields, or six with the seconds last`,
    );
  }
  if (!isTimeZone(timeZone)) throw new CronTextError('time zone', `${timeZone} is not an IANA time zone`);
  const cron = parse(text, isAlias ? fields : secondsFirst(fields), timeZone);
  return {
    next: (after) => cron.nextRun(after),
    upcoming: (count, after) => cron.nextRuns(count, after),
  };
}

/** The order of croner. */
function secondsFirst(fields: readonly string[]): string[] {
  const [seconds = '0', ...others] = [fields[5], ...fields.slice(0, 5)];
  return [seconds, ...others];
}

function parse(text: string, fields: readonly string[], timeZone: string): Cron {
  try {
    return new Cron(fields.join(' '), { timezone: timeZone, paused: true });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const fault = /Invalid value|out of range/i.test(reason) ? 'range' : 'text';
    throw new CronTextError(fault, `${text} is not a cron expression: ${reason}`, { cause: error });
  }
}

/** Whether a text is an IANA name of a time zone, such as `Europe/Berlin` or `UTC`, in any case. */
export function isTimeZone(name: string): boolean {
  if (!zoneName.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== null;
  } catch {
    return false;
  }
}

/** Names only: some runtimes also take offsets such as `+02:00`, which have no summer time. */
const zoneName = /^[A-Za-z][\w+/-]{0,63}$/;

/** The usual names of all time zones, UTC first. */
export function timeZones(): string[] {
  return ['UTC', ...Intl.supportedValuesOf('timeZone').filter((name) => name !== 'UTC')];
}
