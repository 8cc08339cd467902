import { messageOf, VigilError } from '#libs/domain';
import type { Envelope, Handler, Verdict } from './bus.ts';
import type { MessageDefinition } from './catalogue/message-definition.ts';
import type { MessageChecker } from './validate.ts';

/** Runs the handler; what it throws becomes a verdict, as the bus port says. */
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
 * Everything that is decided about one delivery: messages that are not valid or were delivered too often never reach the
 * handler, and a retry at the last allowed delivery is a dead letter.
 */
export async function deliver(
  checker: MessageChecker,
  definition: MessageDefinition,
  handler: Handler,
  envelope: Envelope,
): Promise<Verdict> {
  if (envelope.type !== definition.type) {
    return { kind: 'dead', reason: `a message of type ${envelope.type} was found in the queue of ${definition.type}` };
  }
  const problem = checker.findProblem(envelope.type, envelope.body);
  if (problem !== null) return { kind: 'dead', reason: problem };
  if (envelope.attempt >= definition.deliveryLimit) {
    return { kind: 'dead', reason: limitReason(definition, 'its consumers ended without a verdict') };
  }
  const verdict = await runHandler(handler, { ...envelope, body: checker.toRead(envelope.type, envelope.body) });
  if (verdict.kind !== 'retry' || envelope.attempt + 1 < definition.deliveryLimit) return verdict;
  return { kind: 'dead', reason: limitReason(definition, verdict.reason) };
}

function limitReason(definition: MessageDefinition, last: string): string {
  return `delivery limit ${definition.deliveryLimit} reached: ${last}`;
}

/** Back-off in seconds after the delivery with this `attempt` (0 for the first) failed. */
export function retryDelaySeconds(definition: MessageDefinition, attempt: number): number {
  const steps = definition.retrySeconds;
  return steps[Math.min(attempt, steps.length - 1)] ?? 0;
}
