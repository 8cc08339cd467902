import { pruneOlder, type Session } from '../session/session.ts';

/** Processed messages by consumer. */
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

/** Consumed messages, so that a duplicate is handled once. */
export interface Inbox {
  /** Records a consumed message. False when this consumer already had it. */
  record(consumer: string, messageId: string): Promise<boolean>;
  /**
   * Deletes messages consumed more than `ageSeconds` ago. Returns their number. The time must exceed the longest delay
   * of a message.
   */
  prune(ageSeconds: number): Promise<number>;
}
