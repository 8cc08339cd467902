import type { DataSource } from 'typeorm';
import { type Logger, messageOf, OperatorError } from '#libs/domain';
import { describePostgresUrl } from '#libs/postgres';
import { migrations } from '#migrations';
import { additiveTable, openDataSource } from './data-source.ts';
import { connectDirect } from './direct-client.ts';
import { adoptFormerSchema, formerOf } from './former-migrations.ts';
import { readSchemaStatus, type SchemaStatus } from './schema-status.ts';

/** Longest wait for another process that is migrating the same database. */
const lockWaitMs = 300_000;

/**
 * Runs `work` with an exclusive lock on the schema of the database at `url`. `adopted` are the migrations that
 * upgraded a schema of 0.1.0 before.
 */
export async function withSchemaLock<T>(
  url: string,
  logger: Logger,
  work: (dataSource: DataSource, status: SchemaStatus, adopted: string[]) => Promise<T>,
  only?: readonly string[],
): Promise<T> {
  const holder = await connectDirect(url, 'vigil-db', logger);
  try {
    await holder.query(`SET lock_timeout = ${lockWaitMs}`);
    await holder.query(`SELECT pg_advisory_lock(hashtextextended('vigil:schema', 0))`);
    const adopted = await adoptFormerSchema(holder);
    const status = await readSchemaStatus(async (sql) => (await holder.query<Record<string, unknown>>(sql)).rows);
    const dataSource = await openDataSource({
      url,
      logger,
      poolSize: 2,
      applicationName: 'vigil-db',
      statementTimeoutMs: 0,
      only,
    });
    try {
      return await work(dataSource, status, adopted);
    } finally {
      await dataSource.destroy();
    }
  } finally {
    await holder.end();
  }
}

/**
 * Applies every pending migration, or only those of `only`, each in its own transaction. Several processes may run it
 * in parallel.
 * @throws OperatorError when the database cannot be reached, is newer than this version, or a migration fails
 */
export async function upgradeSchema(
  url: string,
  { logger, only }: { logger: Logger; only?: readonly string[] },
): Promise<{ applied: string[] }> {
  const upgrade = async (dataSource: DataSource, status: SchemaStatus, adopted: string[]) => {
    if (status.state === 'newer') throw newerSchema(url, status);
    if (status.state === 'current' || status.state === 'ahead') return { applied: adopted };
    try {
      await markAdditive(dataSource, status.pending);
      const made = await dataSource.runMigrations({ transaction: 'each' });
      const applied = [...adopted, ...made.map(({ name }) => name)];
      logger.info({ database: describePostgresUrl(url), applied }, 'database schema upgraded');
      return { applied };
    } catch (error) {
      throw new OperatorError(`a migration of ${describePostgresUrl(url)} failed: ${messageOf(error)}`, {
        cause: error,
      });
    }
  };
  return withSchemaLock(url, logger, upgrade, only);
}

/** Recorded before they are applied, so running processes know that they can continue. */
async function markAdditive(dataSource: DataSource, pending: readonly string[]): Promise<void> {
  const names = migrations
    .filter((Step) => pending.includes(Step.name) && new Step().isAdditive)
    .map(({ name }) => name);
  await dataSource.query(
    `CREATE TABLE IF NOT EXISTS ${additiveTable} (name text CONSTRAINT pk_${additiveTable} PRIMARY KEY)`,
  );
  await dataSource.query(`INSERT INTO ${additiveTable} SELECT unnest($1::text[]) ON CONFLICT DO NOTHING`, [names]);
}

/** The message for the operator when this version does not know the schema of the database. */
export function newerSchema(url: string, status: SchemaStatus): OperatorError {
  const former = formerOf(status.unknown);
  if (former.length > 0)
    return new OperatorError(
      `the database ${describePostgresUrl(url)} was made by a development version between 0.1.0 and this one (it ends with ${former.at(-1)}); ` +
        'upgrade it with the last such version first, or create a new database',
    );
  return new OperatorError(
    `the database ${describePostgresUrl(url)} was migrated by a newer version of Vigil (${(status.breaking.length > 0 ? status.breaking : status.unknown).join(', ')}); ` +
      'run that version, or restore a backup',
  );
}
