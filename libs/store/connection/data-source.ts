import pg from 'pg';
import { DataSource } from 'typeorm';
import { type Logger, messageOf } from '#libs/domain';
import { describePostgresUrl, poolSettings, postgresUrlsOf } from '#libs/postgres';
import type { Metrics } from '#libs/service-kit';
import { migrations } from '#migrations';
import { allSchemas } from '../schemas/all-schemas.ts';
import { checkUrl, explainConnectError } from './explain-connect-error.ts';

/** Table in which applied migrations are listed. */
export const migrationsTable = 'schema_migrations';
/** Table with the names of migrations that older processes support. A name is added before its migration is applied. */
export const additiveTable = 'schema_migrations_additive';

const int8Oid = 20;

/**
 * Longest time in milliseconds for which a frozen or disconnected process keeps the locks of a transaction. It is
 * shorter than the remaining time of any lease of default length, so a successor does not wait for the locks.
 */
const idleInTransactionMs = 10_000;

/** `bigint` as number: ids, fences and change numbers stay far below 2^53. */
const numericTypes = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    return oid === int8Oid ? Number : pg.types.getTypeParser(oid, format ?? 'text');
  },
};

/** Options of a pool. */
export interface DataSourceSettings {
  url: string;
  logger: Logger;
  /** Most connections. Default 10. */
  poolSize?: number;
  /** Shown in `pg_stat_activity`. Default `vigil`. */
  applicationName?: string;
  /** Limit for one statement in milliseconds, 0 for none, as migrations need. Default 30 s. */
  statementTimeoutMs?: number;
  metrics?: Metrics;
  /** Names of the known migrations. Default all. */
  only?: readonly string[];
}

/**
 * A connected pool with every table of the store, on the primary. It gives up a server that does not respond within 5 s
 * after the limit of the statement.
 * @throws OperatorError when the server cannot be reached or refuses the user
 */
export async function openDataSource(settings: DataSourceSettings): Promise<DataSource> {
  const { url, logger, only } = settings;
  checkUrl(url);
  const { settings: poolOptions, findPrimary } = poolSettings({
    url,
    logger,
    applicationName: settings.applicationName ?? 'vigil',
    max: settings.poolSize ?? 10,
    statementTimeoutMs: settings.statementTimeoutMs ?? 30_000,
    metrics: settings.metrics,
  });
  const dataSource = new DataSource({
    type: 'postgres',
    url: postgresUrlsOf(url)?.[0],
    // Without it, TypeORM searches for the driver by name.
    driver: pg,
    entities: allSchemas,
    migrations: only ? migrations.filter(({ name }) => only.includes(name)) : migrations,
    migrationsTableName: migrationsTable,
    synchronize: false,
    logging: false,
    installExtensions: false,
    poolErrorHandler: (error: unknown) => {
      logger.info({ database: describePostgresUrl(url), reason: messageOf(error) }, 'database connection lost');
    },
    extra: { ...poolOptions, types: numericTypes, idle_in_transaction_session_timeout: idleInTransactionMs },
  });
  try {
    await findPrimary();
    return await dataSource.initialize();
  } catch (error) {
    throw explainConnectError(error, url);
  }
}
