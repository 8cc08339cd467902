import { pruneOlder, type Session } from '../session/session.ts';

interface IdempotencyKeyRow {
  requestHash: string;
  status: number | null;
  headers: Record<string, string> | null;
  body: string | null;
  entityUuid: string | null;
}

/** Requests that were carried out under a key, working through `session`. */
export function createIdempotencyKeys(session: Session): IdempotencyKeys {
  return {
    find: (caller, key) =>
      session.read(async (manager) => {
        const [row] = await manager.query<IdempotencyKeyRow[]>(
          `SELECT request_hash AS "requestHash", status, headers, body, entity_uuid AS "entityUuid" FROM idempotency_keys
           WHERE caller = $1 AND key = $2`,
          [caller, key],
        );
        if (!row) return null;
        const { requestHash, status, headers, body, entityUuid } = row;
        const answer = status === null ? null : { status, headers: headers ?? {}, body: body ?? '' };
        return { requestHash, entityUuid, answer };
      }),

    claim: ({ caller, key, requestHash }, entityUuid) =>
      session.write(async (manager) => {
        const rows = await manager.query<unknown[]>(
          `INSERT INTO idempotency_keys (caller, key, request_hash, entity_uuid) VALUES ($1, $2, $3, $4)
           ON CONFLICT DO NOTHING RETURNING 1 AS claimed`,
          [caller, key, requestHash, entityUuid],
        );
        return rows.length > 0;
      }),

    keepResponse: (caller, key, { status, headers, body }) =>
      session.write(async (manager) => {
        await manager.query(
          'UPDATE idempotency_keys SET status = $3, headers = $4, body = $5 WHERE caller = $1 AND key = $2',
          [caller, key, status, JSON.stringify(headers), body],
        );
      }),

    prune: (ageSeconds) =>
      session.write((manager) => pruneOlder(manager, 'idempotency_keys', 'created_at', ageSeconds)),
  };
}

/** A request that was carried out under an idempotency key. */
export interface KeyedRequest {
  /** Sender of the request. Keys of different callers are independent. */
  caller: string;
  key: string;
  /** Digest of everything that makes it the same request. */
  requestHash: string;
}

/** A stored response. `body` is the text as sent. */
export interface KeyedResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** A request whose change was committed. */
export interface CarriedOut {
  requestHash: string;
  /** The entity that it made or changed. Null when an older release carried it out. */
  entityUuid: string | null;
  /** Null before the response, and after a failure of process or database before that. */
  answer: KeyedResponse | null;
}

/** Responses to requests with an idempotency key. A repeated request gets the same response and is done once. */
export interface IdempotencyKeys {
  /** Null when the key is new. */
  find(caller: string, key: string): Promise<CarriedOut | null>;
  /**
   * Takes the key in the transaction of the change. Waits for another transaction that has it. False when taken.
   * @param entityUuid the entity that the request makes or changes
   */
  claim(request: KeyedRequest, entityUuid: string): Promise<boolean>;
  /** Keeps the response with a key that was claimed. */
  keepResponse(caller: string, key: string, answer: KeyedResponse): Promise<void>;
  /** Forgets keys older than `ageSeconds`. Returns how many. */
  prune(ageSeconds: number): Promise<number>;
}
