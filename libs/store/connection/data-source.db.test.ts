import { expect, test } from 'vitest';
import { silentLogger } from '#libs/domain';
import { createTestDatabase } from '#tests';
import { openDataSource } from './data-source.ts';

/** Minimum remaining time of a default lease of 30 s after its holder died, because it is renewed every quarter. */
const leastRestOfLeaseMs = 20_000;

test('the server ends the transaction of a frozen process before its lease expires, so a successor does not wait for its locks', async () => {
  const database = await createTestDatabase({ migrated: false });
  const dataSource = await openDataSource({ url: database.url, logger: silentLogger });
  const [limit] = await dataSource.query(
    `SELECT setting::integer AS ms FROM pg_settings WHERE name = 'idle_in_transaction_session_timeout'`,
  );
  expect(limit.ms).toBeGreaterThan(0);
  expect(limit.ms).toBeLessThan(leastRestOfLeaseMs);
  await dataSource.destroy();
  await database.drop();
});
