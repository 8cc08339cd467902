import { Cron } from 'croner';
import { InvalidInputError, messageOf } from '#libs/domain';

/** A point in time after another one, by cron text; null when it never comes again. */
export type NextTime = (after: Date) => Date | null;

/**
 * Reads cron text: five fields, or six with the seconds last as in the `interval` of an audit, or an alias such as
 * `@daily`. Firings follow the clock of `timezone`, also over its changes to summer time and back.
 * @throws InvalidInputError
 */
export function parseCron(text: string, timezone: string): NextTime {
  const fields = text.trim().split(/\s+/);
  const pattern = fields.length === 6 ? [fields[5], ...fields.slice(0, 5)] : fields;
  if (!isTimezone(timezone)) throw new InvalidInputError('timezone', `${timezone} is no IANA time zone`);
  try {
    const cron = new Cron(pattern.join(' '), { timezone, paused: true });
    return (after) => cron.nextRun(after);
  } catch (error) {
    throw new InvalidInputError('cron', `${text} is no cron text: ${messageOf(error)}`, { cause: error });
  }
}

function isTimezone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== null;
  } catch {
    return false;
  }
}
