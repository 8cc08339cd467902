import { expect, test } from 'vitest';
import { silentLogger } from '#libs/domain';
import { insertGoal, useDatabase } from '#tests';
import { createStore } from './create-store.ts';

const { url, sql } = await useDatabase();

const open = (applicationName: string, poolSize?: number) =>
  createStore({ url, logger: silentLogger, applicationName, poolSize });

const cut = (applicationName: string) =>
  sql.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1', [applicationName]);

test('the probe writes and reads back, also in several concurrent processes', async () => {
  const store = await open('vigil-probe');
  await Promise.all([store.probe(), store.probe(), store.probe()]);
  await store.close();
});

test('the probe reports when the database takes no writes', async () => {
  await sql.query(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET default_transaction_read_only = on`);
  const store = await open('vigil-readonly');
  await expect(store.probe()).rejects.toMatchObject({ code: 'store_unavailable', category: 'retryable' });
  await expect(insertGoal(store.db)).rejects.toMatchObject({ code: 'store_unavailable' });
  await store.close();
  await sql.query('SET default_transaction_read_only = off');
  await sql.query(`ALTER DATABASE ${new URL(url).pathname.slice(1)} RESET default_transaction_read_only`);
});

test('a pool replaces lost connections', async () => {
  const store = await open('vigil-cut');
  await store.db.goals.count();
  await cut('vigil-cut');
  // A call before the pool has detected the loss may fail.
  await expect.poll(() => store.db.goals.count().catch(() => null)).toBe(0);
  await store.close();
});

test('a lost connection in a transaction is a retryable error, and nothing is stored', async () => {
  const store = await open('vigil-mid');
  const result = store.transaction(async (unit) => {
    await insertGoal(unit);
    await cut('vigil-mid');
    await insertGoal(unit);
  });
  await expect(result).rejects.toMatchObject({ code: 'store_unavailable', category: 'retryable' });
  expect(await store.db.goals.count()).toBe(0);
  await store.close();
});

test('the pool does not exceed its maximum number of connections', async () => {
  const store = await open('vigil-small', 2);
  await Promise.all(Array.from({ length: 10 }, () => store.db.goals.count()));
  const { rows } = await sql.query(
    `SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name = 'vigil-small'`,
  );
  expect(rows[0].count).toBe(2);
  await store.close();
  await store.close();
  await expect(store.db.goals.count()).rejects.toThrow();
});
