import type { JsonObject } from '#libs/domain';
import { currentTraceparent } from '#libs/tracing';
import type { Session } from '../session/session.ts';

/** Messages that leave when the transaction commits. */
export function createOutbox(session: Session): Outbox {
  return {
    add: (message) =>
      session.write(async (manager) => {
        await manager.query(
          `INSERT INTO outbox (event_id, type, body, request_id, next_attempt_at, traceparent)
           VALUES ($1, $2, $3, $4, now() + $5::double precision * interval '1 second', $6)`,
          [
            message.eventId,
            message.type,
            JSON.stringify(message.body),
            message.requestId ?? null,
            message.delaySeconds ?? 0,
            currentTraceparent(),
          ],
        );
      }),
  };
}

/** A message to be sent when the transaction commits. See the catalogue in `#libs/messaging`. */
export interface OutboxMessage {
  /** Becomes the message id. Made by the caller. */
  eventId: string;
  /** Name in the message catalogue, such as `plan.launch`. */
  type: string;
  body: JsonObject;
  /** Correlation id of the request that caused it. */
  requestId?: string | null;
  /** Seconds after which it is sent. Default 0. */
  delaySeconds?: number;
}

/** Messages that are sent with the transaction's commit. */
export interface Outbox {
  add(message: OutboxMessage): Promise<void>;
}
