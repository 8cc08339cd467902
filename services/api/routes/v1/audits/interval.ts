import { Cron } from 'croner';
import { messageOf } from '#libs/domain';
import { type ApiFault, BadInputFault, badRequest } from '../../../http/fault.ts';

/** 68 years; longer ones are typing errors. */
const maxSeconds = 2 ** 31 - 1;

/**
 * Checks the interval of a CONTINUOUS audit: seconds as text, or cron text of five fields, six (the sixth is seconds)
 * or an alias such as `@hourly`.
 * @param refuse makes the fault of what is no interval at all: Watcher's clients know its 500 from POST.
 * @throws ApiFault 400 for seconds below 1 or above 2^31 - 1; what `refuse` makes for anything else that is no interval.
 */
export function checkInterval(interval: string, refuse: (text: string) => ApiFault = badRequest): void {
  if (/^[+-]?\d+$/.test(interval.trim())) {
    if (Number(interval) < 1 || Number(interval) > maxSeconds) {
      throw badRequest(`Expected an interval or cron syntax but received ${interval}`);
    }
    return;
  }
  const fields = interval.trim().split(/\s+/);
  const isAlias = fields.length === 1 && interval.startsWith('@');
  if (!isAlias && fields.length !== 5 && fields.length !== 6) {
    throw refuse(columnsText);
  }
  try {
    new Cron(cronerPattern(fields), { paused: true }).stop();
  } catch (error) {
    if (isAlias) throw refuse(columnsText);
    const isOutOfRange = messageOf(error).includes('Invalid value');
    throw refuse(`[${interval}] is not acceptable${isOutOfRange ? ', out of range' : ''}`);
  }
}

const columnsText = 'Exactly 5 or 6 columns has to be specified for iterator expression.';

/** Watcher puts the seconds last, croner first. */
function cronerPattern(fields: string[]): string {
  const [seconds, ...rest] = fields.length === 6 ? [fields[5], ...fields.slice(0, 5)] : [undefined, ...fields];
  return seconds === undefined ? rest.join(' ') : [seconds, ...rest].join(' ');
}

/** Watcher's status of an interval that is none, for POST. */
export function intervalFaultOfPost(text: string): ApiFault {
  return new BadInputFault(text);
}

/** Longest interval text that the store keeps. */
export const maxIntervalLength = 36;
