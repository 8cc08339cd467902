import { pruneOlder, type Session } from '../session/session.ts';

interface IdempotencyKeyRow {
  requestHash: string;
  status: number | null;
  headers: Record<string, string> | null;
  body: string | null;
  entityUuid: string | null;
}

/** Executed requests with a key, working through `session`. */
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
        const response = status === null ? null : { status, headers: headers ?? {}, body: body ?? '' };
        return { requestHash, entityUuid, response };
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

/** A request that was executed with an idempotency key. */
export interface KeyedRequest {
  /** Sender of the request. Keys of different callers are independent. */
  caller: string;
  key: string;
  /** Digest of the request, to detect other requests with the key. */
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
  /** The created or changed entity. Null when an older release executed it. */
  entityUuid: string | null;
  /** Null before the response, and when the process or database failed before it. */
  response: KeyedResponse | null;
}

/** Responses to requests with an idempotency key. A repeated request is executed once and gets the same response. */
export interface IdempotencyKeys {
  /** Null when the key is new. */
  find(caller: string, key: string): Promise<CarriedOut | null>;
  /**
   * Claims the key in the transaction of the change. Waits for another transaction that has it. False when it is
   * claimed. @param entityUuid the entity that the request creates or changes
   */
  claim(request: KeyedRequest, entityUuid: string): Promise<boolean>;
  /** Stores the response of a claimed key. */
  keepResponse(caller: string, key: string, response: KeyedResponse): Promise<void>;
  /** Deletes keys older than `ageSeconds`. Returns their number. */
  prune(ageSeconds: number): Promise<number>;
}
