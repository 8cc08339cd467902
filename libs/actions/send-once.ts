import type { JsonObject } from '#libs/domain';
import { OpenStackError } from '#libs/openstack';
import type { ActionContext } from '#libs/plugin-kit';
import { ActionFailedError } from './errors.ts';
import type { JournalSlot } from './journal-slot.ts';

/** Looks after an answer got lost, and how often a request that provably had no effect is sent in all. */
const looksAfterLostAnswer = 5;
const sendsAtMost = 3;

/** The context of any action type; its input is not looked at. */
type AnyContext = Omit<ActionContext, 'input'>;

/** One outside change: what is written first, how to ask for it, and how to see that it took effect. */
export interface OutsideChange {
  slot: JournalSlot;
  intent: JsonObject;
  send(): Promise<void>;
  /** Reads only; whether the effect of `send` is visible. */
  tookEffect(): Promise<boolean>;
  /** Whether the service may do it by itself meanwhile, so that a refusal can mean that it is done. */
  mayHappenAnyway?: boolean;
}

/**
 * Asks for an outside change without ever asking twice for the same one: the intent is journalled, the lease checked,
 * and when the answer is missing the cloud is looked at. Only when several looks show no effect is it sent again.
 * @throws ActionFailedError with the text of the service that refused.
 */
export async function sendOnce(context: AnyContext, change: OutsideChange): Promise<void> {
  for (let sends = 1; ; sends++) {
    await context.journal.intent({ [change.slot]: { ...change.intent, sends } });
    await context.guard();
    const refusal = await trySending(context, change);
    if (!refusal) {
      await context.journal.result({ [change.slot]: { accepted: true } });
      return;
    }
    const lost = refusal.ambiguous || refusal.category === 'retryable';
    const looks = lost ? looksAfterLostAnswer : sends > 1 || change.mayHappenAnyway ? 1 : 0;
    if (await isVisible(context, change, looks)) {
      await context.journal.result({ [change.slot]: { accepted: true, seen: true } });
      return;
    }
    if (!lost || sends >= sendsAtMost) throw refused(refusal);
    context.log.warn({ action: context.uuid, sends, reason: refusal.message }, 'request had no effect and is repeated');
  }
}

const labels: Readonly<Record<string, string>> = { compute: 'Nova', 'block-storage': 'Cinder', baremetal: 'Ironic' };

/** The failure that a service's refusal of a call means, in Watcher's words. */
export function refused(error: OpenStackError): ActionFailedError {
  const label = labels[error.service] ?? error.service;
  return new ActionFailedError(`${label} client error: ${error.message}`, { cause: error });
}

async function trySending(
  context: Pick<ActionContext, 'signal'>,
  change: OutsideChange,
): Promise<OpenStackError | undefined> {
  try {
    await change.send();
    return undefined;
  } catch (error) {
    context.signal.throwIfAborted();
    if (error instanceof OpenStackError) return error;
    throw error;
  }
}

async function isVisible(context: AnyContext, change: OutsideChange, looks: number): Promise<boolean> {
  for (let look = 0; look < looks; look++) {
    if (await change.tookEffect()) return true;
    await context.sleep(context.options.pollIntervalMs);
  }
  return false;
}
