import type { DataSource } from 'typeorm';
import { type Logger, messageOf } from '#libs/domain';
import { translateError } from '../connection/translate-error.ts';
import { pruneOlder } from '../session/session.ts';
import type { OutboxMessage } from './outbox.ts';
import { listen } from './outbox-listener.ts';

const maxBackOffSeconds = 60;
/**
 * Longer than the time limit of publishing (10 s). Then messages of a relay that died during publishing are due again.
 */
const leaseSeconds = 15;

type Results = (true | string)[];

/** Counts the attempt at its start. The rows are due again when the lease expires, unless they are marked before. */
async function claimDue(dataSource: DataSource, limit: number): Promise<OutboxRow[]> {
  const [rows] = await dataSource.query<[OutboxRow[], number]>(
    `WITH due AS MATERIALIZED (
       SELECT id FROM outbox WHERE published_at IS NULL AND next_attempt_at <= now()
       ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED
     )
     UPDATE outbox SET attempts = attempts + 1, next_attempt_at = clock_timestamp() + ${leaseSeconds} * interval '1 second'
     FROM due WHERE outbox.id = due.id
     RETURNING outbox.id, event_id AS "eventId", type, body, request_id AS "requestId", created_at AS "createdAt",
       attempts - 1 AS attempts, traceparent`,
    [limit],
  );
  return rows.sort((a, b) => a.id - b.id);
}

/** Only claimed rows. After the lease another relay may have claimed a row, which then has a further attempt. */
async function mark(dataSource: DataSource, rows: OutboxRow[], results: Results): Promise<void> {
  const outcomes = rows.map((row, index) => {
    const result = results[index] ?? 'the publisher returned no result';
    return { ...row, reason: result === true ? null : result };
  });
  await dataSource.query(
    `UPDATE outbox SET last_error = outcome.reason,
       published_at = CASE WHEN outcome.reason IS NULL THEN clock_timestamp() END,
       next_attempt_at = CASE WHEN outcome.reason IS NULL THEN next_attempt_at ELSE
         clock_timestamp() + least(${maxBackOffSeconds}, power(2, least(outcome.attempts, 10))) * interval '1 second' END
     FROM unnest($1::bigint[], $2::integer[], $3::text[]) AS outcome (id, attempts, reason)
     WHERE outbox.id = outcome.id AND outbox.attempts = outcome.attempts + 1 AND published_at IS NULL`,
    [outcomes.map(({ id }) => id), outcomes.map(({ attempts }) => attempts), outcomes.map(({ reason }) => reason)],
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
    // No transaction is open during publishing, because a broker that blocks for a while must not end the session.
    drain: (limit, publish) =>
      guarded(async () => {
        const rows = await claimDue(dataSource, limit);
        if (rows.length === 0) return 0;
        const results = await publish(rows).catch((error): Results => rows.map(() => messageOf(error)));
        await mark(dataSource, rows, results);
        return rows.length;
      }),

    // A delayed message does not count as waiting yet.
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

    prune: (ageSeconds) => guarded(() => pruneOlder(dataSource, 'outbox', 'published_at', ageSeconds)),

    onAdded: (wake) => listen(settings, 'vigil_outbox', wake),
  };
}

/** A message that waits in the outbox. */
export interface OutboxRow extends Omit<OutboxMessage, 'delaySeconds'> {
  id: number;
  createdAt: Date;
  attempts: number;
  /** Span that caused it. Null when that was not traced. */
  traceparent: string | null;
}

/** The queue operations of the relay. */
export interface OutboxQueue {
  /**
   * Claims up to `limit` due rows (oldest first) for 15 s and hands them to `publish`, which returns for each row its
   * confirmation by the broker or the error text. Then it marks them. No transaction is open while it publishes. Failed
   * rows keep the text and are due again after a back-off of 1 s, doubled up to 60 s. Rows of a dead relay are due when
   * its claim expires. Returns the number of claimed rows.
   */
  drain(limit: number, publish: (rows: OutboxRow[]) => Promise<(true | string)[]>): Promise<number>;
  /** Unpublished rows and the age of the oldest in seconds (0 when there are none). */
  backlog(): Promise<{ count: number; oldestSeconds: number }>;
  /** Deletes published rows older than `ageSeconds`. Returns their number. */
  prune(ageSeconds: number): Promise<number>;
  /** Calls `wake` after each commit that added rows (LISTEN/NOTIFY; a hint only). Returns the stop function. */
  onAdded(wake: () => void): Promise<() => Promise<void>>;
}
