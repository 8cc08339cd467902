import { type Clock, messageOf, VigilError } from '#libs/domain';
import type { Envelope, Handler, Verdict } from './bus.ts';
import type { MessageDefinition } from './catalogue/message-definition.ts';
import type { MessageChecker } from './validate.ts';

/**
 * A verdict, or `leave`: the message is requeued for a process that supports its version, without counting as a
 * delivery.
 */
export type Decision = Verdict | { kind: 'leave'; reason: string };

/** Rules for deliveries. */
export interface DeliveryRules {
  checker: MessageChecker;
  clock: Clock;
  /**
   * Time after its publishing for which a message of an unknown version is requeued for newer processes, in
   * milliseconds.
   */
  newerVersionMs: number;
}

/** Default of `newerVersionMs`: longer than an upgrade with new and old processes. */
export const defaultNewerVersionMs = 900_000;

/** Runs the handler. Converts its errors to verdicts, as the bus port defines. */
export async function runHandler(handler: Handler, envelope: Envelope): Promise<Verdict> {
  try {
    return await handler(envelope);
  } catch (error) {
    const hopeless =
      error instanceof VigilError && (error.category === 'permanent' || error.category === 'invalid-input');
    return { kind: hopeless ? 'dead' : 'retry', reason: messageOf(error) };
  }
}

/**
 * Decides about one delivery. Messages that are invalid or were delivered too often never reach the handler. Messages
 * of a newer version are left for other processes for some time. A retry at the last allowed delivery becomes a dead
 * letter.
 */
export async function deliver(
  rules: DeliveryRules,
  definition: MessageDefinition,
  handler: Handler,
  envelope: Envelope,
): Promise<Decision> {
  const refusal = refuse(rules, definition, envelope);
  if (refusal !== null) return refusal;
  if (envelope.attempt >= definition.deliveryLimit) {
    return { kind: 'dead', reason: limitReason(definition, 'its consumers ended without a verdict') };
  }
  const verdict = await runHandler(handler, envelope);
  if (verdict.kind !== 'retry' || envelope.attempt + 1 < definition.deliveryLimit) return verdict;
  return { kind: 'dead', reason: limitReason(definition, verdict.reason) };
}

function refuse({ checker, clock, newerVersionMs }: DeliveryRules, definition: MessageDefinition, envelope: Envelope) {
  const { type, body, timestamp } = envelope;
  const dead = (reason: string): Decision => ({ kind: 'dead', reason });
  if (type !== definition.type) return dead(`a message of type ${type} was found in the queue of ${definition.type}`);
  const publishedAt = dated.test(timestamp) ? Date.parse(timestamp) : Number.NaN;
  if (Number.isNaN(publishedAt)) return dead(`its time of publishing, ${timestamp}, is not a time`);
  const problem = checker.findProblem(type, body);
  if (problem === null) return null;
  const isYoung = clock.now() - publishedAt < newerVersionMs;
  if (checker.isNewer(type, body) && isYoung) return { kind: 'leave', reason: problem } satisfies Decision;
  return dead(problem);
}

function limitReason(definition: MessageDefinition, last: string): string {
  return `delivery limit ${definition.deliveryLimit} reached: ${last}`;
}

/** Only digits would be parsed as a year. */
const dated = /^\d{4}-\d\d-\d\d/;

/** Back-off in seconds after a failed delivery with this `attempt` (0 for the first). */
export function retryDelaySeconds(definition: MessageDefinition, attempt: number): number {
  const steps = definition.retrySeconds;
  return steps[Math.min(attempt, steps.length - 1)] ?? 0;
}
