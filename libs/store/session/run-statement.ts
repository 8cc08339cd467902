import type { Pool } from 'pg';
import type { EntityManager } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import type { Statement } from './statement-cache.ts';

/**
 * Runs a read: in the transaction of `manager` when it has one, else on any connection of the pool, where a frequent
 * statement is prepared.
 */
export async function runStatement<Row>(
  manager: EntityManager,
  { text, parameters, name }: Statement,
  values: Readonly<Record<string, unknown>>,
): Promise<Row[]> {
  const ordered = parameters.map((parameter) => values[parameter]);
  if (manager.queryRunner) return manager.query<Row[]>(text, ordered);
  const pool: Pool = (manager.connection.driver as PostgresDriver).master;
  const { rows } = await pool.query(name === null ? { text, values: ordered } : { name, text, values: ordered });
  return rows as Row[];
}
