import pg from 'pg';
import { DataSource } from 'typeorm';
import { type Logger, messageOf } from '#libs/domain';
import { migrations } from '#migrations';
import { allSchemas } from '../schemas/all-schemas.ts';
import { checkUrl, describeUrl, explainConnectError } from './explain-connect-error.ts';

/** Table in which applied migrations are listed. */
export const migrationsTable = 'schema_migrations';

const int8Oid = 20;

/** `bigint` as number: ids, fences and change numbers stay far below 2^53. */
const numericTypes = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    return oid === int8Oid ? Number : pg.types.getTypeParser(oid, format ?? 'text');
  },
};

/** How a pool is opened. */
export interface DataSourceSettings {
  url: string;
  logger: Logger;
  /** Connections at most; default 10. */
  poolSize?: number;
  /** Shown in `pg_stat_activity`; default `vigil`. */
  applicationName?: string;
  /** Limit for one statement in milliseconds, 0 for none; default 30 s. */
  statementTimeoutMs?: number;
}

/**
 * A connected pool with every table of the store.
 * @throws OperatorError when the server can not be reached or refuses the user
 */
export async function openDataSource(settings: DataSourceSettings): Promise<DataSource> {
  const { url, logger } = settings;
  checkUrl(url);
  const dataSource = new DataSource({
    type: 'postgres',
    url,
    entities: allSchemas,
    migrations,
    migrationsTableName: migrationsTable,
    synchronize: false,
    logging: false,
    installExtensions: false,
    poolSize: settings.poolSize ?? 10,
    applicationName: settings.applicationName ?? 'vigil',
    connectTimeoutMS: 10_000,
    poolErrorHandler: (error: unknown) => {
      logger.warn({ database: describeUrl(url), reason: messageOf(error) }, 'database connection lost');
    },
    extra: {
      types: numericTypes,
      statement_timeout: settings.statementTimeoutMs ?? 30_000,
      idle_in_transaction_session_timeout: 60_000,
      keepAlive: true,
    },
  });
  try {
    return await dataSource.initialize();
  } catch (error) {
    throw explainConnectError(error, url);
  }
}
