import type { DataSource, QueryRunner } from 'typeorm';
import { type Logger, messageOf, OperatorError } from '#libs/domain';
import { describePostgresUrl } from '#libs/postgres';
import { migrations } from '#migrations';
import { migrationsTable } from './data-source.ts';
import { refuseLiveProcesses } from './guards.ts';
import { newerSchema, withSchemaLock } from './migrate.ts';
import { countLosses, readShape, type SchemaLosses } from './schema-losses.ts';

/** Target of the downgrade: a number of migrations, or the last one to keep (`base` for none). */
export type DowngradeTarget = { steps: number } | { to: string };

/** The plan of a downgrade. */
export interface DowngradePlan {
  /** Names of the migrations in the order of their reversal. */
  reverted: string[];
  losses: SchemaLosses;
}

/** The result of a downgrade, or of its dry run. */
export interface DowngradeResult extends DowngradePlan {
  /** False when the operator declined, or no migration was reverted. */
  isDone: boolean;
}

/** Longest wait for sessions that use a table to be dropped. */
const lockWaitMs = 30_000;

/**
 * Reverts migrations, newest first, in one transaction. First calls `confirm` with the data that will be lost, which
 * it determines by a trial downgrade with a rollback.
 * @throws OperatorError when the database cannot be reached, is newer than this version, `to` is not applied, processes
 * of Vigil are alive, or a migration cannot be reverted. Then nothing has changed
 */
export async function downgradeSchema(
  url: string,
  options: DowngradeTarget & { logger: Logger; confirm(plan: DowngradePlan): Promise<boolean> },
): Promise<DowngradeResult> {
  return withSchemaLock(url, options.logger, async (dataSource, status) => {
    if (status.state === 'newer' || status.state === 'ahead') throw newerSchema(url, status);
    const reverted = status.applied.slice(status.applied.length - stepsTo(options, status.applied)).reverse();
    if (reverted.length === 0) return { reverted, losses: { tables: [], columns: [] }, isDone: false };
    const losses = await tryOut(dataSource, reverted);
    if (!(await options.confirm({ reverted, losses }))) return { reverted, losses, isDone: false };
    await inTransaction(dataSource, async (runner) => {
      await takeBack(runner, reverted);
      return true;
    });
    options.logger.info({ database: describePostgresUrl(url), reverted }, 'database schema downgraded');
    return { reverted, losses, isDone: true };
  });
}

function stepsTo(target: DowngradeTarget, applied: string[]): number {
  if ('steps' in target) return Math.min(target.steps, applied.length);
  if (target.to === 'base') return applied.length;
  const kept = applied.indexOf(target.to);
  if (kept < 0) throw new OperatorError(`migration ${target.to} is not applied; applied are ${applied.join(', ')}`);
  return applied.length - kept - 1;
}

async function tryOut(dataSource: DataSource, reverted: readonly string[]): Promise<SchemaLosses> {
  const query = (sql: string) => dataSource.query<Record<string, unknown>[]>(sql);
  const before = await readShape(query);
  let after = before;
  await inTransaction(dataSource, async (runner) => {
    await takeBack(runner, reverted);
    after = await readShape((sql) => runner.query(sql));
    return false;
  });
  return countLosses(query, before, after);
}

/** `work` returns whether to commit its changes. */
async function inTransaction(dataSource: DataSource, work: (runner: QueryRunner) => Promise<boolean>): Promise<void> {
  const runner = dataSource.createQueryRunner();
  await runner.connect();
  try {
    await runner.startTransaction();
    await runner.query(`SET LOCAL lock_timeout = ${lockWaitMs}`);
    if (await work(runner)) await runner.commitTransaction();
    else await runner.rollbackTransaction();
  } catch (error) {
    if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
    throw error;
  } finally {
    await runner.release();
  }
}

async function takeBack(runner: QueryRunner, reverted: readonly string[]): Promise<void> {
  await lockInstances(runner);
  await refuseLiveProcesses((sql) => runner.query(sql));
  for (const name of reverted) {
    const Migration = migrations.find((known) => known.name === name);
    try {
      if (Migration) await new Migration().down(runner);
      await runner.query(`DELETE FROM ${migrationsTable} WHERE name = $1`, [name]);
    } catch (error) {
      throw new OperatorError(`migration ${name} cannot be reverted, nothing was changed: ${messageOf(error)}`, {
        cause: error,
      });
    }
  }
}

/** Blocks registrations from here to the end of the transaction. */
async function lockInstances(runner: QueryRunner): Promise<void> {
  const [table] = await runner.query(`SELECT to_regclass('service_instances') IS NOT NULL AS present`);
  if (table.present) await runner.query('LOCK TABLE service_instances IN ACCESS EXCLUSIVE MODE');
}
