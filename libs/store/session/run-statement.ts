import type { Pool } from 'pg';
import { type EntityManager, QueryFailedError } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import type { Statement } from './statement-cache.ts';

/** A text that connections keep parsed and planned under a name. */
export interface PreparedStatement {
  /** Unique per text. Null when it is not worth preparing. */
  name: string | null;
  text: string;
}

/**
 * Runs a read: in the transaction of `manager` if it has one, otherwise on any connection of the pool, which prepares
 * frequent statements.
 */
export function runStatement<Row>(
  manager: EntityManager,
  { text, parameters, name }: Statement,
  values: Readonly<Record<string, unknown>>,
): Promise<Row[]> {
  const ordered = parameters.map((parameter) => values[parameter]);
  return runPrepared(manager, { name, text }, ordered);
}

/**
 * Runs a statement that returns rows: in the transaction of `manager` if it has one, otherwise on any connection of the
 * pool, which prepares it. @throws QueryFailedError, as the ORM does, also when the driver fails without a response of
 * the server
 */
export async function runPrepared<Row>(
  manager: EntityManager,
  { name, text }: PreparedStatement,
  values: unknown[],
): Promise<Row[]> {
  if (manager.queryRunner) return manager.query<Row[]>(text, values);
  const pool: Pool = (manager.connection.driver as PostgresDriver).master;
  try {
    const { rows } = await pool.query(name === null ? { text, values } : { name, text, values });
    return rows as Row[];
  } catch (error) {
    throw error instanceof Error ? new QueryFailedError(text, values, error) : error;
  }
}
