import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { insertGoal, useStore } from '#tests';
import { StoreUnavailableError } from '../errors.ts';

const applicationName = `lost-connection-${randomUUID()}`;

const { store, sql: admin } = await useStore({ applicationName });
await insertGoal(store.db);

/** Ends the sessions of the store's open transactions, as a restarted server does. */
async function terminate(): Promise<void> {
  const { rows } = await admin.query<{ pid: number }>(
    `SELECT pid, pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE application_name = $1 AND state LIKE 'idle in transaction%'`,
    [applicationName],
  );
  expect(rows.length).toBeGreaterThan(0);
  const pids = rows.map(({ pid }) => pid);
  await expect
    .poll(async () => (await admin.query('SELECT 1 FROM pg_stat_activity WHERE pid = ANY($1)', [pids])).rowCount)
    .toBe(0);
}

it('the next statement of the transaction reports that the database is unavailable', async () => {
  const broken = store.transaction(async (unit) => {
    await unit.goals.list();
    await terminate();
    await unit.goals.list();
  });
  await expect(broken).rejects.toThrow(StoreUnavailableError);
});

it('each later statement reports it too, and so does the commit', async () => {
  let later: unknown;
  const broken = store.transaction(async (unit) => {
    await unit.goals.list();
    await terminate();
    await unit.goals.list().catch(() => undefined);
    later = await unit.goals.update(randomUUID(), { displayName: 'never' }).catch((error: unknown) => error);
  });
  await expect(broken).rejects.toThrow(StoreUnavailableError);
  expect(later).toBeInstanceOf(StoreUnavailableError);
});

it('the commit reports it without a statement in between', async () => {
  const broken = store.transaction(async (unit) => {
    await unit.goals.list();
    await terminate();
  });
  await expect(broken).rejects.toThrow(StoreUnavailableError);
  expect(await store.db.goals.list()).toHaveLength(1);
});
