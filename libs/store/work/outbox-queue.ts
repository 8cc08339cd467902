import type { DataSource, EntityManager } from 'typeorm';
import { type Logger, messageOf } from '#libs/domain';
import { translateError } from '../session/translate-error.ts';
import type { OutboxQueue, OutboxRow } from '../work-contract.ts';
import { listen } from './outbox-listener.ts';

const maxBackOffSeconds = 60;

type Results = (true | string)[];

async function lockDue(manager: EntityManager, limit: number): Promise<OutboxRow[]> {
  return manager.query<OutboxRow[]>(
    `SELECT id, event_id AS "eventId", type, body, request_id AS "requestId", created_at AS "createdAt", attempts
     FROM outbox WHERE published_at IS NULL AND next_attempt_at <= now()
     ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED`,
    [limit],
  );
}

async function mark(manager: EntityManager, rows: OutboxRow[], results: Results): Promise<void> {
  const sent = rows.filter((_, index) => results[index] === true).map((row) => row.id);
  const failed = rows.flatMap((row, index) => {
    const result = results[index] ?? 'the publisher gave no answer';
    return result === true ? [] : [{ id: row.id, reason: result }];
  });
  // The clock's time, not the transaction's: publishing may have taken seconds.
  await manager.query(
    `UPDATE outbox SET published_at = clock_timestamp(), attempts = attempts + 1, last_error = NULL
     WHERE id = ANY($1::bigint[])`,
    [sent],
  );
  await manager.query(
    `UPDATE outbox SET attempts = attempts + 1, last_error = failed.reason,
       next_attempt_at = clock_timestamp() + least(${maxBackOffSeconds}, power(2, least(attempts, 10))) * interval '1 second'
     FROM unnest($1::bigint[], $2::text[]) AS failed (id, reason) WHERE outbox.id = failed.id`,
    [failed.map((row) => row.id), failed.map((row) => row.reason)],
  );
}

/** The relay's side of the outbox. */
export function createOutboxQueue(
  dataSource: DataSource,
  settings: { url: string; logger: Logger; applicationName: string },
): OutboxQueue {
  async function guarded<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw translateError(error);
    }
  }

  return {
    // Never repeated by itself: a second run would publish again what the broker has confirmed.
    drain: (limit, publish) =>
      guarded(() =>
        dataSource.transaction(async (manager) => {
          const rows = await lockDue(manager, limit);
          if (rows.length === 0) return 0;
          const results = await publish(rows).catch((error): Results => rows.map(() => messageOf(error)));
          await mark(manager, rows, results);
          return rows.length;
        }),
      ),

    // What is to be sent later does not wait yet.
    backlog: () =>
      guarded(async () => {
        const rows = await dataSource.query<{ count: number; oldestSeconds: number }[]>(
          `SELECT count(*) AS count,
             coalesce(extract(epoch FROM now() - min(CASE attempts WHEN 0 THEN next_attempt_at ELSE created_at END)), 0)
               ::double precision AS "oldestSeconds"
           FROM outbox WHERE published_at IS NULL AND (attempts > 0 OR next_attempt_at <= now())`,
        );
        return rows[0] ?? { count: 0, oldestSeconds: 0 };
      }),

    prune: (ageSeconds) =>
      guarded(async () => {
        const [, count] = await dataSource.query<[unknown[], number]>(
          `DELETE FROM outbox WHERE published_at < now() - $1::double precision * interval '1 second'`,
          [ageSeconds],
        );
        return count;
      }),

    onAdded: (wake) => listen(settings, 'vigil_outbox', wake),
  };
}
