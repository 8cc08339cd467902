import { CronTextError, readCron } from '#libs/cron';
import { type ApiFault, BadInputFault, badRequest } from '../faults/fault.ts';

/** 68 years. Longer ones are typing errors. */
const maxSeconds = 2 ** 31 - 1;

/**
 * Checks the interval of a CONTINUOUS audit: seconds as text, or a cron expression of five fields, six (the sixth is
 * seconds) or an alias such as `@hourly`.
 * @param refuse makes the fault for text that is not an interval: Watcher's clients expect its 500 from POST.
 * @throws ApiFault 400 for seconds below 1 or above 2^31 - 1. The fault of `refuse` for any other invalid interval.
 */
export function checkInterval(interval: string, refuse: (text: string) => ApiFault = badRequest): void {
  if (/^[+-]?\d+$/.test(interval.trim())) {
    if (Number(interval) < 1 || Number(interval) > maxSeconds) {
      throw badRequest(`Expected an interval or cron syntax but received ${interval}`);
    }
    return;
  }
  try {
    readCron(interval);
  } catch (error) {
    if (!(error instanceof CronTextError)) throw error;
    throw refuse(watcherTextOf(interval, error));
  }
}

/** Watcher's message about an invalid cron expression. */
function watcherTextOf(interval: string, { fault }: CronTextError): string {
  const isAlias = interval.trim().startsWith('@');
  if (fault === 'fields' || isAlias) return 'Exactly 5 or 6 columns has to be specified for iterator expression.';
  return `[${interval}] is not acceptable${fault === 'range' ? ', out of range' : ''}`;
}

/** Watcher's status of an invalid interval in POST. */
export function intervalFaultOfPost(text: string): ApiFault {
  return new BadInputFault(text);
}

/** Longest interval text that the store keeps. */
export const maxIntervalLength = 36;
