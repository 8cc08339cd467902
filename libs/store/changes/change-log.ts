import type { JsonObject } from '#libs/domain';
import { pruneInBatches, type Session } from '../session/session.ts';
import { liveWatcher } from './watchers.ts';

/**
 * Rows numbered in one transaction. Other processes wait for it, so it must take less than a second even on a very
 * slow machine.
 */
const numberingBatch = 1000;

/** Most stored changes, regardless of their age. */
const defaultMaxKept = 200_000;

/** Rows deleted in one transaction. */
const pruneBatch = 10_000;

/** The numbered change log. The migration that creates `number_changes()` explains why no number can be missed. */
export function createChangeLog(session: Session): ChangeLog {
  function numberSome(): Promise<number> {
    return session.write(async (manager) => {
      const rows = await manager.query<{ numbered: number }[]>('SELECT number_changes($1) AS numbered', [
        numberingBatch,
      ]);
      return rows[0]?.numbered ?? 0;
    });
  }

  async function numberAll(): Promise<void> {
    while ((await numberSome()) === numberingBatch);
  }

  /** Newest number that every live watcher has seen. */
  async function seenByAll(): Promise<number> {
    const [row] = await session.read((manager) =>
      manager.query<{ seen: number | null }[]>(
        `SELECT min(revno) AS seen FROM watchers
         WHERE epoch = (SELECT epoch FROM change_log_head WHERE id = 1) AND ${liveWatcher}`,
      ),
    );
    return row?.seen ?? Number.MAX_SAFE_INTEGER;
  }

  return {
    async read(since, limit) {
      await numberAll();
      return session.read((manager) =>
        manager.query<ChangeRow[]>(
          `SELECT epoch, revno, kind, entity_uuid AS "entityUuid", op, doc, old_state AS "oldState",
             run_phase AS "runPhase", at
           FROM change_log
           WHERE revno IS NOT NULL AND epoch = $1 AND revno > $2 ORDER BY revno LIMIT $3`,
          [since.epoch, since.revno, limit],
        ),
      );
    },

    readKind: (kind, { epoch, revno, upTo }, limit) =>
      session.read((manager) =>
        manager.query<ChangeRow[]>(
          `SELECT epoch, revno, kind, entity_uuid AS "entityUuid", op, doc, old_state AS "oldState",
             run_phase AS "runPhase", at
           FROM change_log
           WHERE revno IS NOT NULL AND epoch = $1 AND revno > $2 AND revno <= $3 AND kind = $4 ORDER BY revno LIMIT $5`,
          [epoch, revno, upTo, kind, limit],
        ),
      ),

    async bounds() {
      await numberAll();
      const rows = await session.read((manager) =>
        manager.query<{ epoch: number; oldest: number; newest: number }[]>(
          `SELECT head.epoch, head.revno AS newest, coalesce(
             (SELECT min(revno) FROM change_log WHERE revno IS NOT NULL AND epoch = head.epoch), head.revno + 1
           ) AS oldest FROM change_log_head AS head WHERE head.id = 1`,
        ),
      );
      const [bounds] = rows;
      if (!bounds) throw new Error('change_log_head has no row');
      return bounds;
    },

    position: (reader) =>
      session.read(async (manager) => {
        const rows = await manager.query<{ epoch: number; revno: number }[]>(
          'SELECT epoch, revno FROM change_log_readers WHERE name = $1',
          [reader],
        );
        return rows[0] ?? null;
      }),

    advance: (reader, { epoch, revno }) =>
      session.writeOnce(async (manager) => {
        await manager.query(
          `INSERT INTO change_log_readers (name, epoch, revno) VALUES ($1, $2, $3)
           ON CONFLICT (name) DO UPDATE SET epoch = excluded.epoch, revno = excluded.revno`,
          [reader, epoch, revno],
        );
      }),

    async prune(ageSeconds, maxKept = defaultMaxKept) {
      await numberAll();
      return pruneInBatches(
        session,
        `DELETE FROM change_log WHERE id IN (
           SELECT id FROM change_log
           WHERE revno IS NOT NULL AND (
             at < now() - $1::double precision * interval '1 second'
               AND revno <= $4
             OR revno <= (SELECT head.revno - $3 FROM change_log_head AS head WHERE head.id = 1)
           )
           ORDER BY revno LIMIT $2
         )`,
        { ageSeconds, batch: pruneBatch, more: [maxKept, await seenByAll()] },
      );
    },
  };
}

/** One numbered change. `revno` has no gaps and follows the commit order within `epoch`. */
export interface ChangeRow {
  epoch: number;
  revno: number;
  kind: string;
  entityUuid: string;
  op: 'create' | 'update' | 'delete';
  /** The row as stored, in column names. Null for `delete`. */
  doc: JsonObject | null;
  /** The previous state, if the state changed. */
  oldState: string | null;
  /** The change of an audit's run while its state stays the same. Null for all other changes. */
  runPhase: 'begun' | 'succeeded' | 'failed' | null;
  at: Date;
}

/** Every change, numbered in the order of commits. */
export interface ChangeLog {
  /** Numbers the newly visible changes, and returns those after `since`, oldest first. */
  read(since: { epoch: number; revno: number }, limit: number): Promise<ChangeRow[]>;
  /** Numbered changes of one kind of entity after `revno` until `upTo`, oldest first. */
  readKind(kind: string, window: { epoch: number; revno: number; upTo: number }, limit: number): Promise<ChangeRow[]>;
  /** The newest number and the oldest stored number. The latter is `newest + 1` when no change is stored. */
  bounds(): Promise<{ epoch: number; oldest: number; newest: number }>;
  /** Position of the reader. Null before its first read. */
  position(reader: string): Promise<{ epoch: number; revno: number } | null>;
  /** Stores the position of the reader. */
  advance(reader: string, position: { epoch: number; revno: number }): Promise<void>;
  /**
   * Deletes changes older than `ageSeconds` that every live watcher has seen, and always the oldest beyond `maxKept`
   * (default 200,000). Returns their number. Readers behind the oldest change must start over.
   */
  prune(ageSeconds: number, maxKept?: number): Promise<number>;
}
