import pg from 'pg';
import { atEnd } from './at-end.ts';
import { createTestDatabase } from './database.ts';

/** A database that exists until the scope ends. */
export interface DatabaseWorld {
  /** URL with user and password. */
  url: string;
  /** One connection, opened by the first statement, for statements that no store offers. */
  sql: pg.Pool;
}

/** A pool of one connection to `url` that ends with the scope, see `atEnd`. */
export function useSql(url: string): pg.Pool {
  const sql = new pg.Pool({ connectionString: url, max: 1, idleTimeoutMillis: 0 });
  // The drop of a database ends connections that the pool has not closed yet.
  sql.on('error', () => undefined);
  atEnd(() => sql.end());
  return sql;
}

/**
 * A migrated database for one scope: `const { url, sql } = await useDatabase();` at the top of a file, in a `describe`,
 * in a test or in `beforeEach`. It is dropped when the scope ends. `migrated: false` makes an empty one.
 */
export async function useDatabase(options: { migrated?: boolean } = {}): Promise<DatabaseWorld> {
  const database = await createTestDatabase(options);
  atEnd(database.drop);
  return { url: database.url, sql: useSql(database.url) };
}
