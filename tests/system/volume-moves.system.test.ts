import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dataOf } from '#libs/client';
import { testServerUrl } from '../servers/test-server-url.ts';
import { storagePowerWorld, worldPools } from './storage-power-world.ts';
import { noHistory, startTestStack, type TestStack } from './test-stack.ts';
import type { VigilProcess } from './vigil-process.ts';

let folder: string;
let stack: TestStack;
let engine: VigilProcess;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vigil-world-'));
  const world = join(folder, 'world.json');
  await writeFile(world, JSON.stringify(storagePowerWorld()));
  const url = testServerUrl('rabbitmq');
  const topic = (service: string) => `${service}_${randomUUID().slice(0, 8)}.notifications`;
  const cinder = topic('cinder');
  stack = await startTestStack({
    simulator: ['--world', world, '--speed', '30', ...noHistory],
    env: {
      VIGIL_SIMULATOR_AMQP_URL: url,
      VIGIL_SIMULATOR_NOTIFICATION_TOPIC: topic('nova'),
      VIGIL_SIMULATOR_CINDER_TOPIC: cinder,
      VIGIL_CINDER_NOTIFICATIONS_URL: url,
      VIGIL_CINDER_NOTIFICATION_TOPICS: cinder,
    },
  });
  [engine] = await Promise.all([stack.start(['decision-engine']), stack.start(['applier'])]);
});
afterAll(async () => {
  await stack?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Runs an audit that empties the old pool. Returns the names of the volumes in its plan. */
async function leaveOldPool(autoTrigger: boolean) {
  const { client } = stack;
  const body = {
    goal: 'hardware_maintenance',
    strategy: 'zone_migration',
    audit_type: 'ONESHOT',
    auto_trigger: autoTrigger,
    parameters: { storage_pools: [{ src_pool: worldPools.old, dst_pool: worldPools.empty }] },
  };
  const { uuid } = await dataOf(client.api.POST('/v1/audits', { body: body as never }));
  expect(await client.waitForAudit(uuid, { pollMs: 100, timeoutMs: 120_000 })).toMatchObject({ state: 'SUCCEEDED' });
  const { action_plans: plans } = await dataOf(
    client.api.GET('/v1/action_plans', { params: { query: { audit_uuid: uuid } } }),
  );
  const plan = plans[0]!.uuid;
  const { actions } = await dataOf(
    client.api.GET('/v1/actions/detail', { params: { query: { action_plan_uuid: plan } } }),
  );
  const volumes = actions.map(({ input_parameters }) => (input_parameters as { resource_name: string }).resource_name);
  return { plan, volumes: volumes.sort() };
}

const hasSaid = (text: string) => engine.output().includes(text);
const wait = { timeout: 60_000 };

test('an audit right after a plan knows its volumes, of which Cinder reports nothing, or wrong data', async () => {
  await expect.poll(() => hasSaid('storage model in sync'), wait).toBe(true);
  const { plan, volumes } = await leaveOldPool(true);
  expect(volumes).toEqual(['old-free', 'old-used']);
  expect(await stack.client.waitForActionPlan(plan, { pollMs: 100, timeoutMs: 120_000 })).toMatchObject({
    state: 'SUCCEEDED',
  });
  // Cinder's reports about the attached volume, during the move or at its end.
  await expect.poll(() => hasSaid('causes a new collection of the storage model'), wait).toBe(true);

  expect((await leaveOldPool(false)).volumes).toEqual([]);
});
