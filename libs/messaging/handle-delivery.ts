import type { Logger } from '#libs/domain';
import type { Envelope, Handler } from './bus.ts';
import type { BusMetrics } from './bus-metrics.ts';
import type { MessageDefinition } from './catalogue/message-definition.ts';
import { type DeliveryRules, deliver, retryDelaySeconds } from './delivery.ts';

/** The transport-independent part of a queue's consumer. */
export interface DeliveryDeps {
  rules: DeliveryRules;
  definition: MessageDefinition;
  handler: Handler;
  logger: Logger;
  metrics: Pick<BusMetrics, 'handled'>;
}

/** How a transport applies the decision about one delivery. */
export interface DeliveryEnds<Result> {
  ack(): Promise<Result>;
  /** Delivers the message again after `seconds`. `counts`: whether this delivery counts towards the limit. */
  again(delay: { seconds: number; counts: boolean }, reason: string): Promise<Result>;
  /** Moves the message to the dead letters. */
  bury(reason: string): Promise<Result>;
}

/** Decides about one delivery, measures and logs it, and ends the delivery accordingly. */
export async function handleDelivery<Result>(
  { rules, definition, handler, logger, metrics }: DeliveryDeps,
  envelope: Envelope,
  ends: DeliveryEnds<Result>,
): Promise<Result> {
  const startedAt = performance.now();
  const decision = await deliver(rules, definition, handler, envelope);
  metrics.handled(definition.type, decision, startedAt);
  if (decision.kind === 'ack') return ends.ack();
  const { messageId, type, attempt } = envelope;
  const { reason } = decision;
  if (decision.kind === 'dead') {
    logger.warn({ messageId, type, attempt, reason }, 'message dead-lettered');
    return ends.bury(reason);
  }
  const counts = decision.kind === 'retry';
  const seconds = retryDelaySeconds(definition, counts ? attempt : 0);
  logger.info({ messageId, type, attempt, reason, seconds }, 'message will be redelivered');
  return ends.again({ seconds, counts }, reason);
}
