import type { DataSource, EntityManager } from 'typeorm';
import { retry } from '#libs/service-kit';
import { faultOf, translateError } from '../connection/translate-error.ts';
import { createStatementCache, type StatementCache } from './statement-cache.ts';

type Work<T> = (manager: EntityManager) => Promise<T>;

/** How a store runs its work: in an open transaction, or each call in a separate one. */
export interface Session {
  /** One statement without changes. */
  read<T>(work: Work<T>): Promise<T>;
  /** Statements that belong together. */
  write<T>(work: Work<T>): Promise<T>;
  /** One changing statement. It runs as a separate transaction, which saves two round trips. */
  writeOnce<T>(work: Work<T>): Promise<T>;
  /** Reads with a known text. */
  statements: StatementCache;
}

/** Further tries when PostgreSQL aborted the transaction because of a conflict. */
const retries = 3;
const pauses = { firstMs: 10, longestMs: 40 };

/** Deadlock detected. Could not serialize access. */
const victimStates = ['40P01', '40001'];

/** Runs `work` in a transaction and tries again on deadlock and serialization failures. */
export function runTransaction<T>(dataSource: DataSource, work: Work<T>): Promise<T> {
  return again(() => dataSource.transaction(work));
}

async function again<T>(work: () => Promise<T>): Promise<T> {
  return retry(work, { tries: retries + 1, pauses, isPassing: isVictim }).catch((error: unknown) => {
    throw translateError(error);
  });
}

function isVictim(error: unknown): boolean {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return [error, cause].some((thrown) => victimStates.includes(faultOf(thrown).code ?? ''));
}

/** A session inside an open transaction. */
export function boundSession(manager: EntityManager, statements: StatementCache = createStatementCache()): Session {
  const run = async <T>(work: Work<T>): Promise<T> => {
    try {
      return await work(manager);
    } catch (error) {
      throw translateError(error);
    }
  };
  return { read: run, write: run, writeOnce: run, statements };
}

/** A session that opens a transaction for each write. */
export function autoSession(dataSource: DataSource, statements: StatementCache = createStatementCache()): Session {
  return {
    read: boundSession(dataSource.manager).read,
    write: (work) => runTransaction(dataSource, work),
    writeOnce: (work) => again(() => work(dataSource.manager)),
    statements,
  };
}

/** Deletes the rows of a table whose `column` is older than this number of seconds. Returns their number. */
export async function pruneOlder(
  manager: Pick<EntityManager, 'query'>,
  table: string,
  column: string,
  ageSeconds: number,
): Promise<number> {
  const [, count] = await manager.query<[unknown[], number]>(
    `DELETE FROM ${table} WHERE ${column} < now() - $1::double precision * interval '1 second'`,
    [ageSeconds],
  );
  return count;
}

/**
 * Deletes in batches, each in a separate transaction, so that locks are short.
 * @param statement DELETE whose `$1` is the age in seconds and `$2` the size of a batch. `more` start at `$3`
 * @returns rows deleted
 */
export async function pruneInBatches(
  session: Session,
  statement: string,
  { ageSeconds, batch, more = [] }: { ageSeconds: number; batch: number; more?: readonly unknown[] },
): Promise<number> {
  for (let pruned = 0; ; ) {
    const count = await session.writeOnce(async (manager) => {
      const [, removed] = await manager.query<[unknown[], number]>(statement, [ageSeconds, batch, ...more]);
      return removed;
    });
    pruned += count;
    if (count < batch) return pruned;
  }
}
