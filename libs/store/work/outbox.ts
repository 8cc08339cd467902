import type { Session } from '../session/session.ts';
import type { Outbox } from '../work-contract.ts';

/** Messages that leave when the transaction commits. */
export function createOutbox(session: Session): Outbox {
  return {
    add: (message) =>
      session.write(async (manager) => {
        await manager.query(
          `INSERT INTO outbox (event_id, type, body, request_id, next_attempt_at)
           VALUES ($1, $2, $3, $4, now() + $5::double precision * interval '1 second')`,
          [
            message.eventId,
            message.type,
            JSON.stringify(message.body),
            message.requestId ?? null,
            message.delaySeconds ?? 0,
          ],
        );
      }),
  };
}
