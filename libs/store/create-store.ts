import type { DataSource } from 'typeorm';
import type { Logger } from '#libs/domain';
import { postgresUrlsOf } from '#libs/postgres';
import type { Metrics } from '#libs/service-kit';
import { createChangeStream } from './change-stream.ts';
import { createChangeLog } from './changes/change-log.ts';
import { openDataSource } from './connection/data-source.ts';
import { explainConnectError } from './connection/explain-connect-error.ts';
import { requireUsableSchema } from './connection/guards.ts';
import { readSchemaStatus } from './connection/schema-status.ts';
import { translateError } from './connection/translate-error.ts';
import { createDynamicValues } from './dashboard/dynamic-values.ts';
import { StoreUnavailableError } from './errors.ts';
import { createLineage } from './lineage/lineage.ts';
import { createActionDurations } from './lists/action-durations.ts';
import { createEntityLists } from './lists/entity-lists.ts';
import { createMoveHistory } from './lists/move-history.ts';
import { createPeriodReports } from './lists/period-report.ts';
import { createPlanTrends } from './lists/plan-trends.ts';
import { createPlanWork } from './lists/plan-work.ts';
import { createRetention } from './maintenance/retention.ts';
import { autoSession, boundSession, runTransaction } from './session/session.ts';
import { createStandbySession } from './session/standby-session.ts';
import { createStatementCache } from './session/statement-cache.ts';
import type { Store } from './store.ts';
import { createUnitOfWork } from './unit-of-work.ts';
import { listen } from './work/outbox-listener.ts';
import { createOutboxQueue } from './work/outbox-queue.ts';

/** Settings and dependencies of a store. */
export interface StoreOptions {
  /** `postgres://user:password@host:5432/database` */
  url: string;
  logger: Logger;
  /** Maximum number of connections. Default 10. */
  poolSize?: number;
  /** Shown in `pg_stat_activity`. Default `vigil`. */
  applicationName?: string;
  /** Counts connections. */
  metrics?: Metrics;
  /**
   * Whether it is known that no server is the primary. While this is true, `db` reads from a standby, whose responses
   * may be old. Without this function, standbys are never read.
   */
  hasNoPrimary?(): boolean;
}

/**
 * Opens the domain store on the primary. Statements are limited to 30 s, and the wait for a connection to 10 s.
 * @throws OperatorError when the server cannot be reached, refuses the user, or the schema is not one that this version
 * can work with
 */
export async function createStore(options: StoreOptions): Promise<Store> {
  const { url, logger } = options;
  const applicationName = options.applicationName ?? 'vigil';
  const dataSource = await openDataSource({ ...options, applicationName });
  const status = await readSchemaStatus((sql) => dataSource.query(sql)).catch(async (error: unknown) => {
    await dataSource.destroy();
    throw explainConnectError(error, url);
  });
  try {
    requireUsableSchema(url, status);
  } catch (error) {
    await dataSource.destroy();
    throw error;
  }
  const statements = createStatementCache();
  const auto = autoSession(dataSource, statements);
  const { hasNoPrimary } = options;
  const standby =
    hasNoPrimary && (postgresUrlsOf(url) ?? []).length > 1
      ? createStandbySession(auto, { url, logger, applicationName, isNeeded: hasNoPrimary })
      : null;
  const changes = createChangeLog(auto);
  const listening = { url, logger, applicationName: `${applicationName}-listen` };
  return {
    db: createUnitOfWork(standby ?? auto),
    transaction: (work) =>
      runTransaction(dataSource, (manager) => work(createUnitOfWork(boundSession(manager, statements)))),
    outboxQueue: createOutboxQueue(dataSource, listening),
    changes,
    onTasksChanged: (wake) => listen(listening, 'vigil_tasks', wake),
    dynamicValues: createDynamicValues(auto),
    changeStream: createChangeStream({ dataSource, session: auto, changes, statements, settings: listening }),
    retention: createRetention(auto),
    lists: createEntityLists(auto),
    moves: createMoveHistory(auto),
    trends: createPlanTrends(auto),
    periodReports: createPeriodReports(auto),
    planWork: createPlanWork(auto),
    actionDurations: createActionDurations(auto),
    lineage: createLineage(auto),
    probe: () => probeStore(dataSource),
    close: async () => {
      await standby?.close();
      if (dataSource.isInitialized) await dataSource.destroy();
    },
  };
}

/**
 * Writes a nonce and reads it back.
 * @throws StoreUnavailableError when PostgreSQL cannot be reached, is a read-only standby, or returns another value
 */
async function probeStore(dataSource: DataSource): Promise<void> {
  try {
    const written = await dataSource.query<{ nonce: string }[]>(
      `INSERT INTO store_probe (id, nonce) VALUES (1, gen_random_uuid()::text)
       ON CONFLICT (id) DO UPDATE SET nonce = excluded.nonce, written_at = now() RETURNING nonce`,
    );
    const read = await dataSource.query<{ nonce: string; standby: boolean }[]>(
      'SELECT nonce, pg_is_in_recovery() AS standby FROM store_probe WHERE id = 1',
    );
    if (read[0]?.standby === true) throw new StoreUnavailableError('the server is a standby');
    if (!written[0] || !read[0]) throw new StoreUnavailableError('the row of the probe is missing');
  } catch (error) {
    throw translateError(error);
  }
}
