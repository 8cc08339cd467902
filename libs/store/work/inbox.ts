import { pruneOlder, type Session } from '../session/session.ts';

/** Messages that were processed, by consumer. */
export function createInbox(session: Session): Inbox {
  return {
    record: (consumer, messageId) =>
      session.write(async (manager) => {
        const rows = await manager.query<unknown[]>(
          'INSERT INTO inbox (consumer, message_id) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING 1 AS recorded',
          [consumer, messageId],
        );
        return rows.length > 0;
      }),

    prune: (ageSeconds) => session.write((manager) => pruneOlder(manager, 'inbox', 'processed_at', ageSeconds)),
  };
}

/** Consumed messages, so that a duplicate message is handled once. */
export interface Inbox {
  /** Records a consumed message. False when this consumer has had it already. */
  record(consumer: string, messageId: string): Promise<boolean>;
  /** Forgets messages consumed more than `ageSeconds` ago. Returns how many. Keep longer than a message can be late. */
  prune(ageSeconds: number): Promise<number>;
}
