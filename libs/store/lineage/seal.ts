import type { EntityManager } from 'typeorm';

/** Comparison of the sealed row with the database that contains it. */
export interface Seal {
  exists: boolean;
  /** Whether the row was written here, and not loaded from a dump. */
  isSameRow: boolean;
  isSameSystem: boolean;
  isSameDatabase: boolean;
  isSameTimeline: boolean;
  /** Why the row was written. */
  verdict: string | null;
  /** The transaction that wrote the row. */
  writtenBy: string | null;
  /** Newest number of the change log. */
  revno: number;
  /** The server's current timeline, regardless of the row. */
  timeline: string;
  /** End of its log, in bytes. */
  position: number;
  /** Log position at its promotion to primary. `position` for a server that was never a standby. */
  inherited: number;
}

const system = '(SELECT system_identifier::text FROM pg_control_system())';
const database = '(SELECT oid::bigint FROM pg_database WHERE datname = current_database())';
/** Timeline of current writes. The control file names it only after the next checkpoint. */
const timeline = 'left(pg_walfile_name(pg_current_wal_lsn()), 8)';
/** Flushed position. The position that a standby had replayed at its promotion stays the same until it is restarted. */
const position = 'pg_current_wal_flush_lsn()';
const inherited = `coalesce(pg_last_wal_replay_lsn(), ${position})`;
const inBytes = (lsn: string) => `(${lsn} - '0/0'::pg_lsn)::bigint`;
/** `xmin` stays when rows are frozen or the table is rewritten. It has the lower 32 bits. */
const isSameRow = `(seal.written_xid::numeric % 4294967296)::text = seal.xmin::text`;

/** SQL condition: the database was not replaced, or was never sealed. */
export const isUnbroken = `NOT EXISTS (
  SELECT 1 FROM store_lineage AS seal WHERE NOT (${isSameRow} AND seal.system_identifier = ${system}
    AND seal.database_oid = ${database} AND seal.timeline = ${timeline})
)`;

/** Compares the seal with the database that contains it. */
export async function readSeal(manager: EntityManager): Promise<Seal> {
  const [row] = await manager.query<Seal[]>(
    `SELECT seal.id IS NOT NULL AS exists, ${isSameRow} AS "isSameRow",
       seal.system_identifier = ${system} AS "isSameSystem", seal.database_oid = ${database} AS "isSameDatabase",
       seal.timeline = ${timeline} AS "isSameTimeline", seal.verdict, seal.written_xid AS "writtenBy", head.revno, ${timeline} AS timeline,
       ${inBytes(position)} AS position, ${inBytes(inherited)} AS inherited
     FROM change_log_head AS head LEFT JOIN store_lineage AS seal ON true WHERE head.id = 1`,
  );
  if (!row) throw new Error('change_log_head has no row');
  return row;
}

/** Records the current database. A new row each time, so that it belongs to this transaction. */
export async function seal(manager: EntityManager, verdict: string): Promise<void> {
  await manager.query('DELETE FROM store_lineage');
  await manager.query(
    `INSERT INTO store_lineage (id, written_xid, system_identifier, database_oid, timeline, verdict)
     VALUES (1, pg_current_xact_id()::text, ${system}, ${database}, ${timeline}, $1)`,
    [verdict],
  );
}
