import type { JsonObject, RefusalReason } from '#libs/domain';
import { OpenStackError, type TakenRequest } from '#libs/openstack';
import type { ActionContext, ActionOptions } from '#libs/plugin-kit';
import { ActionFailedError } from '../errors.ts';
import { isOpen, type JournalSlot, sendsOf, silentSince } from './journal-slot.ts';
import { refusalReason } from './refusal-reason.ts';

/** Maximum number of polls after a refusal that an earlier request may have caused, and of requests. */
const checksAfterRefusal = 5;
const sendsAtMost = 3;
const defaultLateEffectMs = 120_000;

/** Time for which a request without a response may still take effect, in milliseconds. */
export function lateEffectMs(options: ActionOptions): number {
  return options.lateEffectMs ?? defaultLateEffectMs;
}

/** Maximum total delay of an action by lost responses, in milliseconds. */
export function lostResponsesMs(options: ActionOptions): number {
  return lateEffectMs(options) * sendsAtMost;
}

/** The context of any action type. Its input is not checked. */
type AnyContext = Omit<ActionContext, 'input'>;

/** One change in the cloud: its intent, its request, and the check of its effect. */
export interface OutsideChange {
  slot: JournalSlot;
  intent: JsonObject;
  /** Returns the part of the service's response that is needed later. */
  send(): Promise<TakenRequest> | Promise<void>;
  /** Only reads. Whether the effect of `send` is visible. */
  tookEffect(): Promise<boolean>;
  /** Whether the service may make the change without a request, so that a refusal can mean success. */
  mayHappenAnyway?: boolean;
}

/**
 * Requests an outside change at most once. It journals the intent and checks the lease. When the response is missing,
 * here or in an attempt of an earlier run, it checks the cloud until the request can no longer take effect. It
 * repeats the request only when that had no effect.
 * @throws ActionFailedError with the text of the service that refused.
 */
export async function sendOnce(context: AnyContext, change: OutsideChange): Promise<void> {
  if (await tookLateEffect(context, change)) return;
  const former = sendsOf(context.journal.current(), change.slot);
  for (let tries = 1; ; tries++) {
    const sends = former + tries;
    await context.journal.intent({ [change.slot]: { ...change.intent, sends } });
    await context.guard();
    const taken = await trySending(context, change);
    if (!(taken instanceof OpenStackError)) {
      const accepted: JsonObject = { accepted: true, sends };
      if (taken?.requestId) accepted.request_id = taken.requestId;
      await context.journal.result({ [change.slot]: accepted });
      return;
    }
    const refusal = taken;
    if (await isDoneDespite(refusal, context, change)) return;
    if (!isPassing(refusal) || tries >= sendsAtMost) throw refused(refusal, refusalReason(refusal));
    context.log.warn({ action: context.uuid, sends, reason: refusal.message }, 'request had no effect, repeating');
  }
}

function isPassing(refusal: OpenStackError): boolean {
  return refusal.ambiguous || refusal.category === 'retryable';
}

/** Whether the effect is visible although the last request was refused or has no response. Journals the outcome. */
async function isDoneDespite(refusal: OpenStackError, context: AnyContext, change: OutsideChange): Promise<boolean> {
  if (refusal.ambiguous) return tookLateEffect(context, change);
  const sends = sendsOf(context.journal.current(), change.slot);
  // The refusal may be due to an earlier request.
  const mayBeEarlier = isPassing(refusal) || sends > 1;
  const reads = mayBeEarlier ? checksAfterRefusal : change.mayHappenAnyway ? 1 : 0;
  const isVisible = await shows(context, change, { tries: reads });
  const refused: JsonObject = { accepted: false, sends };
  if (refusal.requestId !== null) refused.request_id = refusal.requestId;
  await context.journal.result({ [change.slot]: isVisible ? seen(sends) : refused });
  return isVisible;
}

/**
 * Waits until the last request of a slot with an unknown outcome takes effect or can no longer do so. Journals the
 * outcome. Returns whether it has taken effect.
 */
export async function tookLateEffect(
  context: AnyContext,
  change: Pick<OutsideChange, 'slot' | 'tookEffect'>,
): Promise<boolean> {
  const journal = context.journal.current();
  if (!isOpen(journal, change.slot)) return false;
  const sends = sendsOf(journal, change.slot);
  const until = (await silentSince(context, change.slot)) + lateEffectMs(context.options);
  const isVisible = await shows(context, change, { tries: 1, until });
  await context.journal.result({ [change.slot]: isVisible ? seen(sends) : { accepted: false, sends } });
  return isVisible;
}

function seen(sends: number): JsonObject {
  return { accepted: true, seen: true, sends };
}

const labels: Readonly<Record<string, string>> = { compute: 'Nova', 'block-storage': 'Cinder', baremetal: 'Ironic' };

/**
 * The failure for a service's refusal of a call, in Watcher's words.
 * @param refusal kind of the reason, if the call was to change something
 */
export function refused(error: OpenStackError, refusal: RefusalReason | null = null): ActionFailedError {
  const label = labels[error.service] ?? error.service;
  const requestId = error.requestId === null ? '' : ` (Request-ID: ${error.requestId})`;
  return new ActionFailedError(`${label} client error: ${error.message}${requestId}`, { cause: error, refusal });
}

async function trySending(
  context: Pick<ActionContext, 'signal'>,
  change: OutsideChange,
): Promise<TakenRequest | OpenStackError | undefined> {
  try {
    return (await change.send()) ?? undefined;
  } catch (error) {
    context.signal.throwIfAborted();
    if (error instanceof OpenStackError) return error;
    throw error;
  }
}

/** Checks at least `tries` times, and then until `until`. */
async function shows(
  context: AnyContext,
  change: Pick<OutsideChange, 'tookEffect'>,
  { tries, until = 0 }: { tries: number; until?: number },
): Promise<boolean> {
  for (let read = 1; read <= tries || context.clock.now() < until; read++) {
    if (await change.tookEffect()) return true;
    await context.sleep(context.options.pollIntervalMs);
  }
  return false;
}
