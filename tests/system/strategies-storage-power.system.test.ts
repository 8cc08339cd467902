import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dataOf } from '#libs/client';
import { type MetricName, silentLogger } from '#libs/domain';
import { createHistory } from '#libs/history/connect';
import { type Cloud, createOpenStackCloud, openStackConfigFromEnv } from '#libs/openstack';
import { systemClock } from '#libs/service-kit';
import { expectFullReport } from './expect-full-report.ts';
import { storagePowerWorld, worldHosts, worldPools } from './storage-power-world.ts';
import { noHistory, startTestStack, type TestStack } from './test-stack.ts';

const speed = 300;
/** Seconds of history that the audits read. The test triggers each sample. */
const periodSeconds = 600;

let folder: string;
let stack: TestStack;
let cloud: Cloud;
let history: ReturnType<typeof createHistory>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vigil-world-'));
  const world = join(folder, 'world.json');
  await writeFile(world, JSON.stringify(storagePowerWorld()));
  stack = await startTestStack({
    simulator: ['--world', world, '--speed', String(speed), ...noHistory],
    env: {
      VIGIL_SIMULATOR_EXTRA_METRICS: 'true',
      VIGIL_APPLIER_TIME_SCALE: String(speed),
      // An audit right after a plan must see its effect.
      VIGIL_MODEL_MAX_AGE_SECONDS: '0',
    },
  });
  await Promise.all([stack.start(['decision-engine']), stack.start(['applier'])]);
  const deps = { logger: silentLogger, clock: systemClock };
  cloud = createOpenStackCloud(openStackConfigFromEnv(stack.env), deps);
  history = createHistory({ databaseUrl: stack.env.VIGIL_DATABASE_URL, ...deps });
});

afterAll(async () => {
  await history?.close();
  await cloud?.close();
  await stack?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function measured(metric: MetricName): Promise<Map<string, number>> {
  return history.aggregate({ metric, aggregate: 'mean', periodSeconds });
}

/** Runs an audit. Returns it with its plan and actions. */
async function audit(strategy: string, parameters: object) {
  const { client } = stack;
  const { goal_name: goal } = await client.get('strategies', strategy);
  const body = { goal, strategy, audit_type: 'ONESHOT', parameters, auto_trigger: false, force: false };
  const created = await dataOf(client.api.POST('/v1/audits', { body: body as never }));
  const ended = await client.waitForAudit(created.uuid, { pollMs: 100, timeoutMs: 120_000 });
  expect(ended).toMatchObject({ state: 'SUCCEEDED' });
  const [plan] = await client.list('action_plans', { filters: { audit_uuid: created.uuid } });
  await expectFullReport(client, created.uuid, plan!.uuid);
  return { plan: plan!, actions: await client.list('actions', { filters: { action_plan_uuid: plan!.uuid } }) };
}

/** Runs audit and plan, which must succeed. Returns the types of the actions. */
async function run(strategy: string, parameters: object) {
  const { client } = stack;
  const { plan, actions } = await audit(strategy, parameters);
  expect(actions.length).toBeGreaterThan(0);
  await client.api.POST('/v1/action_plans/{ident}/start', { params: { path: { ident: plan.uuid } }, body: {} });
  const ended = await client.waitForActionPlan(plan.uuid, { pollMs: 100, timeoutMs: 120_000 });
  const done = await client.list('actions', { filters: { action_plan_uuid: plan.uuid } });
  expect(done.map(({ action_type, state, status_message }) => [action_type, state, status_message])).toEqual(
    done.map(({ action_type }) => [action_type, 'SUCCEEDED', null]),
  );
  expect(ended.state).toBe('SUCCEEDED');
  return { plan: ended, types: done.map(({ action_type }) => action_type).toSorted() };
}

async function serversOn(name: string): Promise<string[]> {
  return (await cloud.compute.listServers({ host: name })).map((server) => server.name).toSorted();
}

test('zone_migration: nothing is left in the zone, servers follow their volumes', async () => {
  const { plan, types } = await run('zone_migration', {
    compute_nodes: [{ src_node: worldHosts.old, dst_node: worldHosts.fresh }],
    storage_pools: [{ src_pool: worldPools.old, dst_pool: worldPools.empty }],
    with_attached_volume: true,
  });
  expect(types).toEqual(['migrate', 'migrate', 'volume_migrate', 'volume_migrate']);
  const efficacy = plan.global_efficacy as { name: string; value: number }[];
  expect(efficacy.map(({ value }) => value)).toEqual([100, 100, 100, 100]);
  expect(await serversOn(worldHosts.old)).toEqual([]);
  const volumes = await cloud.volume.listVolumes();
  expect(volumes.filter((volume) => volume.host === worldPools.old)).toEqual([]);
});

test('outlet_temperature: the air of the hot host gets cooler', async () => {
  await stack.measureAnew();
  const before = await measured('host_outlet_temp');
  const hottest = before.get(worldHosts.hot) as number;
  const { types } = await run('outlet_temperature', {
    threshold: hottest - 0.5,
    period: periodSeconds,
    granularity: 1,
  });
  await stack.measureAnew();
  const after = await measured('host_outlet_temp');
  expect(types).toEqual(['migrate']);
  expect(after.get(worldHosts.hot)).toBeLessThan(hottest - 0.5);
  const again = await audit('outlet_temperature', { threshold: hottest - 0.5, period: periodSeconds, granularity: 1 });
  expect(again.actions).toEqual([]);
});

test('uniform_airflow: a host that blows much for its heat is emptied, and blows less', async () => {
  await stack.measureAnew();
  const before = await measured('host_airflow');
  const strongest = before.get(worldHosts.hot) as number;
  const parameters = { threshold_airflow: strongest - 5, period: periodSeconds, granularity: 1 };
  const { types } = await run('uniform_airflow', parameters);
  await stack.measureAnew();
  expect(types).toEqual(['migrate', 'migrate', 'migrate']);
  expect(await serversOn(worldHosts.hot)).toEqual([]);
  expect((await measured('host_airflow')).get(worldHosts.hot)).toBeLessThan(strongest - 50);
});

test('noisy_neighbor: the important instance gets its cache back', async () => {
  const servers = await cloud.compute.listServers({ host: worldHosts.crowded });
  const uuidOf = (name: string) => servers.find((server) => server.name === name)?.uuid as string;
  await stack.control('/load', { factor: 45, servers: [uuidOf('noisy')] });
  await stack.measureAnew();
  const disturbed = (await measured('instance_l3_cache_usage')).get(uuidOf('victim')) as number;
  const bySteal = await audit('noisy_neighbor', { period: periodSeconds, steal_threshold: 2 });
  expect(bySteal.actions.map(({ input_parameters: input }) => input.resource_name)).toEqual(['noisy']);
  await run('noisy_neighbor', { period: periodSeconds, cache_threshold: 20, signal: 'cache' });
  await stack.measureAnew();
  expect(await serversOn(worldHosts.crowded)).toEqual(['victim']);
  expect((await measured('instance_l3_cache_usage')).get(uuidOf('victim'))).toBeGreaterThan(disturbed * 1.3);
});

test('storage_capacity_balance: every pool is back below the threshold', async () => {
  const used = async () =>
    new Map((await cloud.volume.listPools()).map((pool) => [pool.name, pool.totalCapacityGb! - pool.freeCapacityGb!]));
  expect((await used()).get(worldPools.full)).toBe(900);
  const { types } = await run('storage_capacity_balance', { volume_threshold: 75 });
  expect(types).toEqual(['volume_migrate', 'volume_migrate']);
  // Cinder shows the last report of its backends.
  await expect.poll(async () => Math.max(...(await used()).values())).toBeLessThan(750);
  expect((await audit('storage_capacity_balance', { volume_threshold: 75 })).actions).toEqual([]);
});

test('saving_energy: free machines go off until the reserve is left, and on again when it grows', async () => {
  const machines = async () => {
    const nodes = await cloud.baremetal.listNodes();
    return nodes.filter(({ powerState }) => powerState === 'power on').length;
  };
  const free = (await Promise.all(worldHosts.idle.map(serversOn))).filter((servers) => servers.length === 0).length;
  expect(free).toBeGreaterThan(1);
  const before = await machines();
  const off = await run('saving_energy', { min_free_hosts_num: 1 });
  expect(new Set(off.types)).toEqual(new Set(['change_node_power_state', 'change_nova_service_state']));
  expect(await machines()).toBe(before - free + 1);
  expect((await audit('saving_energy', { min_free_hosts_num: 1 })).actions).toEqual([]);

  await run('saving_energy', { min_free_hosts_num: 2 });
  expect(await machines()).toBe(before - free + 2);
  const services = await cloud.compute.listServices();
  await expect
    .poll(async () => (await cloud.compute.listServices()).filter(({ state }) => state === 'up').length)
    .toBe(services.length - free + 2);
});
