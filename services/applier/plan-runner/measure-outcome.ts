import type { IdSource } from '#libs/domain';
import { type OutcomeMeasureBody, outcomeMeasure } from '#libs/messaging';
import type { OutboxMessage } from '#libs/store';

/** Asks a decision engine to measure the number that the plan's goal is about. */
export function measureOutcome(
  planUuid: string,
  phase: OutcomeMeasureBody['phase'],
  newUuid: IdSource,
  delayMs = 0,
): OutboxMessage {
  const body: OutcomeMeasureBody = { schema: 'outcome.measure/1', plan_uuid: planUuid, phase };
  return { eventId: newUuid(), type: outcomeMeasure.type, body, delaySeconds: delayMs / 1000 };
}
