import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { expect, it } from 'vitest';
import { useStore } from '#tests';
import { insertPlanWorld } from '../builders.ts';
import { cloudEnv } from './cloud-env.ts';
import { useVigil } from './use-vigil.ts';
import type { VigilProcess } from './vigil-process.ts';

const { store, url } = await useStore();
const simulator = await useVigil(['simulator'], {
  VIGIL_SIMULATOR_PORT: '0',
  VIGIL_SIMULATOR_GENERATE: 'hosts=2,instances=2,seed=3',
  VIGIL_SIMULATOR_SPEED: '0',
  VIGIL_SIMULATOR_BACKFILL_MINUTES: '0',
});
const env = cloudEnv(simulator.url);

function startApplier(host: string): Promise<VigilProcess> {
  return useVigil(['applier'], {
    ...env,
    VIGIL_DATABASE_URL: url,
    VIGIL_HOST_ID: host,
    // The test ends the lease.
    VIGIL_APPLIER_LEASE_SECONDS: '600',
    VIGIL_APPLIER_POLL_SECONDS: '1',
    VIGIL_LOG_LEVEL: 'warn',
  });
}

it('an applier that starts takes over a plan before it has stored its action types', async () => {
  const { plan } = await insertPlanWorld(store.db, { actions: 1, plan: () => ({ state: 'PENDING', launchSeq: 1 }) });
  await store.db.actionPlans.claim(plan.uuid, { instance: randomUUID(), host: 'gone', ttlMs: 1 });
  const blocking = new pg.Client({ connectionString: url });
  await blocking.connect();
  await blocking.query('BEGIN; LOCK TABLE loaded_plugins IN ACCESS EXCLUSIVE MODE');
  const starting = startApplier('starting');
  try {
    await expect.poll(async () => (await store.db.actionPlans.get(plan.uuid)).state).toBe('SUCCEEDED');
  } finally {
    await blocking.end();
    await starting;
  }
});
