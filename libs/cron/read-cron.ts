import { Cron } from 'croner';

/** The error in a cron text: number of fields, a value out of its range, another error, or the time zone. */
export type CronFault = 'fields' | 'range' | 'text' | 'time zone';

/** A text that is not a cron text, or a time zone that does not exist. */
export class CronTextError extends Error {
  override readonly name = 'CronTextError';
  readonly fault: CronFault;

  constructor(fault: CronFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
  }
}

/** When a cron text comes. */
export interface CronTimes {
  /** The first time later than `after`. Null when it never comes again. */
  next(after: Date): Date | null;
  /** The first `count` times later than `after`. Fewer when it comes less often. */
  upcoming(count: number, after: Date): Date[];
}

/**
 * Reads cron text as croniter does, which Watcher uses: minute, hour, day of month, month, day of week and, when there
 * is a sixth field, the seconds last. Or an alias such as `@daily`. The times follow the clock of `timeZone`, also over
 * its changes to summer time and back.
 * @param timeZone IANA name. Default UTC
 * @throws CronTextError
 */
export function readCron(text: string, timeZone = 'UTC'): CronTimes {
  const fields = text.trim().split(/\s+/);
  const isAlias = fields.length === 1 && text.trim().startsWith('@');
  if (!isAlias && fields.length !== 5 && fields.length !== 6) {
    throw new CronTextError('fields', `${text} is not a cron text: it needs five fields, or six with the seconds last`);
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
    throw new CronTextError(fault, `${text} is not a cron text: ${reason}`, { cause: error });
  }
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== null;
  } catch {
    return false;
  }
}
