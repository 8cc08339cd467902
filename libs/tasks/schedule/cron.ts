import { CronTextError, readCron } from '#libs/cron';
import { InvalidInputError } from '#libs/domain';

/** A point in time after another one, by cron text; null when it never comes again. */
export type NextTime = (after: Date) => Date | null;

/**
 * The times of a schedule; see `readCron`.
 * @throws InvalidInputError for `cron` or `timezone`
 */
export function parseCron(text: string, timezone: string): NextTime {
  try {
    return readCron(text, timezone).next;
  } catch (error) {
    if (!(error instanceof CronTextError)) throw error;
    throw new InvalidInputError(error.fault === 'time zone' ? 'timezone' : 'cron', error.message, { cause: error });
  }
}
