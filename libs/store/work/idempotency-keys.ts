import type { Session } from '../session/session.ts';
import type { IdempotencyKeys } from '../work-contract.ts';

interface IdempotencyKeyRow {
  requestHash: string;
  status: number | null;
  headers: Record<string, string> | null;
  body: string | null;
}

/** Requests that were carried out under a key, working through `session`. */
export function createIdempotencyKeys(session: Session): IdempotencyKeys {
  return {
    find: (caller, key) =>
      session.read(async (manager) => {
        const [row] = await manager.query<Pick<IdempotencyKeyRow, 'requestHash' | 'status' | 'headers' | 'body'>[]>(
          `SELECT request_hash AS "requestHash", status, headers, body FROM idempotency_keys
           WHERE caller = $1 AND key = $2`,
          [caller, key],
        );
        if (!row) return null;
        const { requestHash, status, headers, body } = row;
        const answer = status === null ? null : { status, headers: headers ?? {}, body: body ?? '' };
        return { requestHash, answer };
      }),

    claim: ({ caller, key, requestHash }) =>
      session.write(async (manager) => {
        const rows = await manager.query<unknown[]>(
          `INSERT INTO idempotency_keys (caller, key, request_hash) VALUES ($1, $2, $3)
           ON CONFLICT DO NOTHING RETURNING 1 AS claimed`,
          [caller, key, requestHash],
        );
        return rows.length > 0;
      }),

    keepAnswer: (caller, key, { status, headers, body }) =>
      session.write(async (manager) => {
        await manager.query(
          'UPDATE idempotency_keys SET status = $3, headers = $4, body = $5 WHERE caller = $1 AND key = $2',
          [caller, key, status, JSON.stringify(headers), body],
        );
      }),

    prune: (ageSeconds) =>
      session.write(async (manager) => {
        const [, count] = await manager.query<[unknown[], number]>(
          `DELETE FROM idempotency_keys WHERE created_at < now() - $1::double precision * interval '1 second'`,
          [ageSeconds],
        );
        return count;
      }),
  };
}
