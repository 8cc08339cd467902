import type { Session } from '../session/session.ts';
import { type ChainEnd, type ChainReport, verifyChain } from './verify-chain.ts';

/** Requested changes with their users and results. */
export interface AuditLogEntry {
  uuid: string;
  /** Time of the request by the clock of the API process, ISO 8601. */
  at: string;
  requestId: string;
  /** Request id from the calling service. */
  globalRequestId: string | null;
  userId: string | null;
  userName: string | null;
  projectId: string | null;
  projectName: string | null;
  roles: readonly string[];
  /** Address of the client, as the API sees it. */
  address: string | null;
  method: string;
  /** Pattern of the path, such as `/v1/audits/:ident`. */
  route: string;
  /** Such as `update_audit` or `sign_in`. */
  operation: string;
  /** Such as `audit`. */
  targetKind: string | null;
  /** Uuid, or the name given in the request. */
  target: string | null;
  /** HTTP status. Null: the process ended between the change and its response. */
  status: number | null;
  /** The requested change, without secrets. */
  summary: string;
  /** Values of the object before and after the change, if the route stores them. Default none. */
  changes?: ObjectChange | null;
}

/** An object before and after a change. Null when it did not exist. */
export interface ObjectChange {
  before: object | null;
  after: object | null;
}

/** Filter of entries. Absent conditions match all entries. */
interface AuditLogQuery {
  from?: Date;
  /** Exclusive. */
  to?: Date;
  /** Id or name. */
  user?: string;
  target?: string;
  targetKind?: string;
  method?: string;
  /** Only entries before the entry with this uuid. */
  marker?: string;
  limit: number;
}

/** The audit log. */
export interface AuditLog {
  /**
   * Adds entries, or completes those with the same uuid by status and target. It never fails the transaction: false
   * means that nothing was written.
   */
  record(entries: readonly AuditLogEntry[]): Promise<boolean>;
  /** Newest first. */
  list(query: AuditLogQuery): Promise<AuditLogEntry[]>;
  /** Entries by uuid, or those of the newest `newest` entries after the row `afterId`. In order of row id. */
  select(query: {
    uuids?: readonly string[];
    newest: number;
    afterId?: number;
    limit?: number;
  }): Promise<(AuditLogEntry & { id: number })[]>;
  /**
   * Deletes entries older than `ageSeconds`, in the order of the chain. A role that does not own the tables cannot
   * remove entries younger than the database's least age (default 90 days). Returns how many.
   */
  prune(ageSeconds: number): Promise<number>;
  /** Adds up to 1,000 complete entries to the chain of hashes. Does nothing while another process does this. */
  seal(): Promise<number>;
  /** Compares the entries with the chain. `known` is an end of the chain from an earlier check. */
  verify(known?: ChainEnd): Promise<ChainReport>;
}

/** Rows deleted in one transaction. */
const pruneBatch = 10_000;
const sealBatch = 1_000;

type StoredEntry = Omit<AuditLogEntry, 'at'> & { id: number; at: Date };

const columns = `id, uuid, at, request_id AS "requestId", global_request_id AS "globalRequestId", user_id AS "userId",
  user_name AS "userName", project_id AS "projectId", project_name AS "projectName", roles, address, method, route,
  operation, target_kind AS "targetKind", target, status, summary, changes`;

/** The audit log. See the migration for how entries are written. */
export function createAuditLog(session: Session): AuditLog {
  return {
    record: (entries) =>
      session.writeOnce(async (manager) => {
        const [row] = await manager.query<{ written: boolean }[]>('SELECT record_requests($1::jsonb) AS written', [
          JSON.stringify(entries.map(toRow)),
        ]);
        return row?.written ?? false;
      }),

    list: ({ from, to, user, target, targetKind, method, marker, limit }) =>
      session.read(async (manager) => {
        const rows = await manager.query<StoredEntry[]>(
          `SELECT ${columns} FROM audit_log
           WHERE ($1::timestamptz IS NULL OR at >= $1) AND ($2::timestamptz IS NULL OR at < $2)
             AND ($3::text IS NULL OR user_id = $3 OR user_name = $3) AND ($4::text IS NULL OR target = $4)
             AND ($5::text IS NULL OR target_kind = $5) AND ($6::text IS NULL OR method = $6)
             AND ($7::uuid IS NULL OR id < (SELECT id FROM audit_log WHERE uuid = $7))
           ORDER BY id DESC LIMIT $8`,
          [from, to, user, target, targetKind, method, marker, limit].map((value) => value ?? null),
        );
        return rows.map(({ id: _id, ...row }) => ({ ...row, at: row.at.toISOString() }));
      }),

    select: ({ uuids, newest, afterId, limit }) =>
      session.read(async (manager) => {
        const rows = await manager.query<StoredEntry[]>(
          `SELECT ${columns} FROM audit_log
           WHERE status IS NOT NULL AND id > $1 AND CASE WHEN $2::uuid[] IS NULL
             THEN id IN (SELECT id FROM audit_log WHERE status IS NOT NULL ORDER BY id DESC LIMIT $3)
             ELSE uuid = ANY ($2) END
           ORDER BY id LIMIT $4`,
          [afterId ?? 0, uuids ?? null, newest, limit ?? null],
        );
        return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
      }),

    async prune(ageSeconds) {
      while ((await seal(session)) === sealBatch);
      for (let pruned = 0; ; ) {
        const removed = await session.writeOnce(async (manager) => {
          const [row] = await manager.query<{ removed: number }[]>('SELECT forget_requests($1, $2) AS removed', [
            ageSeconds,
            pruneBatch,
          ]);
          return row?.removed ?? 0;
        });
        pruned += removed;
        if (removed < pruneBatch) return pruned;
      }
    },

    seal: () => seal(session),

    verify: (known) => verifyChain(session, known),
  };
}

function seal(session: Session): Promise<number> {
  return session.writeOnce(async (manager) => {
    const [row] = await manager.query<{ sealed: number }[]>('SELECT seal_requests($1) AS sealed', [sealBatch]);
    return row?.sealed ?? 0;
  });
}

function toRow(entry: AuditLogEntry): object {
  const { requestId, globalRequestId, userId, userName, projectId, projectName, targetKind, roles, ...rest } = entry;
  const row = {
    ...rest,
    request_id: requestId,
    global_request_id: globalRequestId,
    user_id: userId,
    user_name: userName,
    project_id: projectId,
    project_name: projectName,
    target_kind: targetKind,
  };
  const storable = Object.entries(row).map(([name, value]) => [name, typeof value === 'string' ? text(value) : value]);
  return { ...Object.fromEntries(storable), roles: roles.map(text) };
}

/** Clients may send any text, but PostgreSQL can store neither NUL nor unpaired surrogates. */
function text(value: string): string {
  return value.replaceAll(/[\0\p{Surrogate}]/gu, '');
}
