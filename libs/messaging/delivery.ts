import { type Clock, messageOf, VigilError } from '#libs/domain';
import type { Envelope, Handler, Verdict } from './bus.ts';
import type { MessageDefinition } from './catalogue/message-definition.ts';
import type { MessageChecker } from './validate.ts';

/**
 * A verdict, or `leave`: the message returns for a process that knows its version, without counting as a delivery.
 */
export type Decision = Verdict | { kind: 'leave'; reason: string };

/** Rules that decide about deliveries. */
export interface DeliveryRules {
  checker: MessageChecker;
  clock: Clock;
  /**
   * How long after its publishing a message of a version that is not known here returns for newer processes, in
   * milliseconds.
   */
  newerVersionMs: number;
}

/** Of `newerVersionMs`: longer than an upgrade in which some processes are new and some are not yet. */
export const defaultNewerVersionMs = 900_000;

/** Runs the handler. Its errors become verdicts, as the bus port defines. */
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
 * Everything that is decided about one delivery: messages that are not valid or were delivered too often never reach
 * the handler, those of a newer version are left for other processes for a while, and a retry at the last allowed
 * delivery is a dead letter.
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

/** Bare digits would be read as a year. */
const dated = /^\d{4}-\d\d-\d\d/;

/** Back-off in seconds after the delivery with this `attempt` (0 for the first) failed. */
export function retryDelaySeconds(definition: MessageDefinition, attempt: number): number {
  const steps = definition.retrySeconds;
  return steps[Math.min(attempt, steps.length - 1)] ?? 0;
}
