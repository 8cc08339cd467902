import type { IdSource } from '#libs/domain';
import { message, outcomeMeasure } from '#libs/messaging';
import type { OutboxMessage } from '#libs/store';

/** Asks a decision engine to measure the number that the plan's goal is about. */
export function measureOutcome(
  planUuid: string,
  phase: 'before' | 'after',
  newUuid: IdSource,
  delayMs = 0,
): OutboxMessage {
  const sent = message(outcomeMeasure, { plan_uuid: planUuid, phase });
  return { eventId: newUuid(), ...sent, delaySeconds: delayMs / 1000 };
}
