import type { DataSource, EntityManager } from 'typeorm';
import type { Logger } from '#libs/domain';
import type { ChangeLog } from './changes/change-log.ts';
import type { ChangedEntity, LogPosition, LogWindow } from './changes/types.ts';
import { createWatchers, type Watchers } from './changes/watchers.ts';
import { translateError } from './connection/translate-error.ts';
import { boundSession, type Session } from './session/session.ts';
import type { StatementCache } from './session/statement-cache.ts';
import type { UnitOfWork } from './unit.ts';
import { createUnitOfWork } from './unit-of-work.ts';
import { listen } from './work/outbox-listener.ts';

/** The data that followers of all changes need in addition to the numbered log. */
export interface ChangeStreamStore {
  /**
   * Runs reads on one consistent snapshot of the database, with its place in the log: the snapshot has all changes up
   * to this place and none after it. Use `unit` only for reads, and not after the end of `work`.
   */
  snapshot<T>(work: (unit: UnitOfWork, at: LogPosition) => Promise<T>): Promise<T>;
  /** Entities that have changed within a window, in order of their last change. At most `limit`. */
  changed(window: LogWindow, limit: number): Promise<ChangedEntity[]>;
  /** Logs services that became FAILED or ACTIVE since the last call of any process. Returns their number. */
  noteServiceStatuses(): Promise<number>;
  /** Number of stored changes, and the age of the oldest in seconds. */
  measure(): Promise<{ changes: number; oldestSeconds: number }>;
  /** Calls `wake` after each commit with changes (LISTEN/NOTIFY; only a hint). */
  onChanges(wake: () => void): Promise<() => Promise<void>>;
  watchers: Watchers;
}

/** Seconds without a heartbeat after which a service counts as FAILED, as in the view of services. */
const serviceDownSeconds = 90;

interface Parts {
  dataSource: DataSource;
  session: Session;
  changes: ChangeLog;
  statements: StatementCache;
  settings: { url: string; logger: Logger; applicationName: string };
}

/** Snapshots at a place in the change log, and the other reads of its followers. */
export function createChangeStream({ dataSource, session, changes, statements, settings }: Parts): ChangeStreamStore {
  let opening: Promise<unknown> = Promise.resolve();

  /**
   * Opens a snapshot and numbers its visible rows under the numbering lock, so the numbers up to the returned place
   * match the snapshot exactly. One snapshot at a time in this process, because it takes two connections of the pool.
   */
  function fixPosition(reading: EntityManager): Promise<LogPosition> {
    return dataSource.transaction(async (numbering) => {
      await numbering.query(`SELECT pg_advisory_xact_lock(hashtextextended('vigil:change_log', 0))`);
      const seen = await reading.query<{ id: number }[]>('SELECT id FROM change_log WHERE revno IS NULL');
      const [position] = await numbering.query<LogPosition[]>('SELECT * FROM number_changes_of($1::bigint[])', [
        seen.map(({ id }) => id),
      ]);
      if (!position) throw new Error('change_log_head has no row');
      return position;
    });
  }

  async function oneAtATime<T>(work: () => Promise<T>): Promise<T> {
    const mine = opening.then(work);
    opening = mine.catch(() => undefined);
    return mine;
  }

  return {
    async snapshot(work) {
      // A large backlog is numbered in batches before the lock is taken.
      await changes.bounds();
      const runner = dataSource.createQueryRunner();
      try {
        const at = await oneAtATime(async () => {
          await runner.connect();
          await runner.startTransaction('REPEATABLE READ');
          return fixPosition(runner.manager);
        });
        const result = await work(createUnitOfWork(boundSession(runner.manager, statements)), at);
        await runner.commitTransaction();
        return result;
      } catch (error) {
        if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
        throw translateError(error);
      } finally {
        await runner.release();
      }
    },

    changed: ({ epoch, since, upTo, after }, limit) =>
      session.read((manager) =>
        manager.query<ChangedEntity[]>(
          `SELECT kind, entity_uuid AS "entityUuid", max(revno) AS revno, max(at) AS at,
             CASE WHEN (array_agg(op ORDER BY revno))[1] = 'create' THEN min(revno) END AS created,
             coalesce(jsonb_agg(jsonb_build_array(revno, old_state) ORDER BY revno) FILTER (WHERE old_state IS NOT NULL),
               '[]') AS states
           FROM change_log WHERE epoch = $1 AND revno > $2 AND revno <= $3
           GROUP BY kind, entity_uuid HAVING max(revno) > $4 ORDER BY max(revno) LIMIT $5`,
          [epoch, since, upTo, after ?? since, limit],
        ),
      ),

    noteServiceStatuses: () =>
      session.writeOnce(async (manager) => {
        const [row] = await manager.query<{ noted: number }[]>('SELECT note_service_statuses($1) AS noted', [
          serviceDownSeconds,
        ]);
        return row?.noted ?? 0;
      }),

    measure: () =>
      session.read(async (manager) => {
        const [row] = await manager.query<{ changes: number; oldestSeconds: number }[]>(
          `SELECT head.revno - oldest.revno + 1 AS changes,
             extract(epoch FROM now() - oldest.at)::double precision AS "oldestSeconds"
           FROM change_log_head AS head, LATERAL (
             SELECT revno, at FROM change_log WHERE epoch = head.epoch AND revno IS NOT NULL ORDER BY revno LIMIT 1
           ) AS oldest WHERE head.id = 1`,
        );
        return row ?? { changes: 0, oldestSeconds: 0 };
      }),

    onChanges: (wake) => listen(settings, 'vigil_changes', wake),
    watchers: createWatchers(session, (wake) => listen(settings, 'vigil_watchers', wake)),
  };
}
