import { type Logger, OperatorError } from '#libs/domain';
import { openDataSource } from './connection/data-source.ts';
import { describeUrl, explainConnectError } from './connection/explain-connect-error.ts';
import { newerSchema } from './connection/migrate.ts';
import { readSchemaStatus } from './connection/schema-status.ts';
import type { Store } from './contract.ts';
import { autoSession, boundSession, runTransaction } from './session/session.ts';
import { createStatementCache } from './session/statement-cache.ts';
import { createUnitOfWork } from './unit-of-work.ts';
import { createChangeLog } from './work/change-log.ts';
import { createOutboxQueue } from './work/outbox-queue.ts';
import { probeStore } from './work/probe.ts';

/** What a store needs. */
export interface StoreOptions {
  /** `postgres://user:password@host:5432/database` */
  url: string;
  logger: Logger;
  /** Connections at most; default 10. */
  poolSize?: number;
  /** Shown in `pg_stat_activity`; default `vigil`. */
  applicationName?: string;
}

/**
 * Opens the domain store. Statements may take 30 s, and 10 s pass at most until a connection is to be had.
 * @throws OperatorError when the server can not be reached, refuses the user, or the schema is not this version's
 */
export async function createStore(options: StoreOptions): Promise<Store> {
  const { url, logger } = options;
  const applicationName = options.applicationName ?? 'vigil';
  const dataSource = await openDataSource({ ...options, applicationName });
  const status = await readSchemaStatus((sql) => dataSource.query(sql)).catch(async (error: unknown) => {
    await dataSource.destroy();
    throw explainConnectError(error, url);
  });
  if (status.state !== 'current') {
    await dataSource.destroy();
    if (status.state === 'newer') throw newerSchema(url, status);
    const lack = status.state === 'empty' ? 'has no schema yet' : `lacks migrations (${status.pending.join(', ')})`;
    throw new OperatorError(`the database ${describeUrl(url)} ${lack}: run \`vigil db upgrade\``);
  }
  const statements = createStatementCache();
  const auto = autoSession(dataSource, statements);
  return {
    db: createUnitOfWork(auto),
    transaction: (work) =>
      runTransaction(dataSource, (manager) => work(createUnitOfWork(boundSession(manager, statements)))),
    outboxQueue: createOutboxQueue(dataSource, { url, logger, applicationName: `${applicationName}-listen` }),
    changes: createChangeLog(auto),
    probe: () => probeStore(dataSource),
    close: async () => {
      if (dataSource.isInitialized) await dataSource.destroy();
    },
  };
}
