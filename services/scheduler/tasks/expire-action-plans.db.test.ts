import pg from 'pg';
import { expect, test } from 'vitest';
import { silentLogger } from '#libs/domain';
import { systemClock } from '#libs/service-kit';
import { insertActionPlan, insertPlanWorld, useStore } from '#tests';
import { expireActionPlans } from './expire-action-plans.ts';

const { store, url } = await useStore();

test('only old plans that were not started are superseded, with the reason', async () => {
  const { audit, strategy, plan: fresh } = await insertPlanWorld(store.db);
  const old = await insertActionPlan(store.db, audit, strategy);
  const started = await insertActionPlan(store.db, audit, strategy, () => ({ state: 'PENDING' }));
  const sql = new pg.Client({ connectionString: url });
  await sql.connect();
  await sql.query(`UPDATE action_plans SET created_at = now() - interval '25 hours' WHERE uuid = ANY($1)`, [
    [old.uuid, started.uuid],
  ]);
  await sql.end();
  const options = { maxAgeHours: 24, clock: systemClock, logger: silentLogger };

  expect(await expireActionPlans(store, { ...options, maxAgeHours: 0 })).toBe(0);
  expect(await expireActionPlans(store, options)).toBe(1);
  expect(await expireActionPlans(store, options)).toBe(0);

  expect(await store.db.actionPlans.get(old.uuid)).toMatchObject({
    state: 'SUPERSEDED',
    statusMessage: 'Not started within 24 hours; the cluster has moved on.',
  });
  expect((await store.db.actionPlans.get(fresh.uuid)).state).toBe('RECOMMENDED');
  expect((await store.db.actionPlans.get(started.uuid)).state).toBe('PENDING');
});
