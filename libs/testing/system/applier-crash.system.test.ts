import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { JsonObject } from '#libs/domain';
import { createMessageBus } from '#libs/messaging/connect';
import { type Cloud, createOpenStackCloud, openStackConfigFromEnv, type Server } from '#libs/openstack';
import { systemClock } from '#libs/service-kit';
import { createStore, type Store } from '#libs/store';
import { silentLogger } from '../action-context.ts';
import { insertAction, insertPlanWorld } from '../builders.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { startVigil, type VigilProcess } from './vigil-process.ts';

const speed = 30;
const moves = 6;

let database: TestDatabase;
let store: Store;
let cloud: Cloud;
let env: NodeJS.ProcessEnv;
const processes: VigilProcess[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  store = await createStore({ url: database.url, logger: silentLogger });
  const simulator = await startVigil(['simulator'], {
    VIGIL_SIMULATOR_PORT: '0',
    VIGIL_SIMULATOR_GENERATE: 'hosts=8,instances=40,seed=3',
    VIGIL_SIMULATOR_SPEED: String(speed),
    VIGIL_SIMULATOR_BACKFILL_MINUTES: '0',
  });
  processes.push(simulator);
  env = {
    OS_AUTH_URL: `${simulator.url}/identity/v3`,
    OS_USERNAME: 'vigil',
    OS_PASSWORD: 'vigil',
    OS_PROJECT_NAME: 'service',
    OS_USER_DOMAIN_NAME: 'Default',
    OS_PROJECT_DOMAIN_NAME: 'Default',
    OS_REGION_NAME: 'RegionOne',
  };
  cloud = createOpenStackCloud(openStackConfigFromEnv(env), { logger: silentLogger, clock: systemClock });
});

afterAll(async () => {
  await cloud?.close();
  for (const one of processes.reverse()) await one.stop('SIGKILL');
  await store?.close();
  await database?.drop();
});

function startApplier(host: string): Promise<VigilProcess> {
  return startVigil(['applier'], {
    ...env,
    VIGIL_DATABASE_URL: database.url,
    VIGIL_HOST_ID: host,
    VIGIL_APPLIER_LEASE_SECONDS: '3',
    VIGIL_APPLIER_POLL_SECONDS: '1',
    VIGIL_APPLIER_TIME_SCALE: String(speed),
    VIGIL_APPLIER_MAX_ACTIONS_PER_PLAN: '2',
    VIGIL_LOG_LEVEL: 'warn',
  });
}

/** A PENDING plan that moves the first servers, each to some other host; the generated world has room everywhere. */
async function planMoves() {
  const hosts = (await cloud.compute.listHypervisors()).map((hypervisor) => hypervisor.serviceHost);
  const servers = (await cloud.compute.listServers()).filter((server) => server.status === 'ACTIVE');
  const { plan } = await insertPlanWorld(store.db, { actions: 0, plan: () => ({ state: 'PENDING', launchSeq: 1 }) });
  const chosen = servers.slice(0, moves);
  for (const server of chosen) {
    await insertAction(store.db, plan, () => ({ actionType: 'migrate', inputParameters: inputOf(server, hosts) }));
  }
  return { plan, chosen };
}

function inputOf(server: Server, hosts: string[]) {
  const source = server.host ?? '';
  return {
    migration_type: 'live',
    resource_id: server.uuid,
    source_node: source,
    destination_node: hosts.find((host) => host !== source) ?? '',
  };
}

it('an applier killed in mid plan is continued by the other, and every server moves once', async () => {
  const appliers = new Map<string, VigilProcess>();
  for (const host of ['one', 'two']) appliers.set(host, await startApplier(host));
  processes.push(...appliers.values());
  const { plan, chosen } = await planMoves();
  const bus = await createMessageBus({ databaseUrl: database.url, logger: silentLogger, appId: randomUUID() });
  const body = { schema: 'plan.launch/1', plan_uuid: plan.uuid, launch_seq: 1, requested_by: null };
  const timestamp = new Date().toISOString();
  const sent = await bus.publish([{ messageId: randomUUID(), type: 'plan.launch', body, attempt: 0, timestamp }]);
  expect(sent).toEqual([true]);
  await bus.close();

  const states = async () => (await store.db.actions.listByPlan(plan.uuid)).map((action) => action.state);
  await expect.poll(states, { timeout: 30_000, interval: 20 }).toContain('SUCCEEDED');
  const { hostname } = await store.db.actionPlans.get(plan.uuid);
  await appliers.get(hostname ?? '')?.stop('SIGKILL');
  const left = (await states()).filter((state) => state === 'PENDING' || state === 'ONGOING');
  expect(left.length).toBeGreaterThan(0);

  const state = async () => (await store.db.actionPlans.get(plan.uuid)).state;
  await expect.poll(state, { timeout: 45_000, interval: 100 }).not.toBe('ONGOING');
  const actions = await store.db.actions.listByPlan(plan.uuid);
  expect(actions.map((action) => action.statusMessage ?? action.state)).toEqual(actions.map(() => 'SUCCEEDED'));
  expect(await state()).toBe('SUCCEEDED');
  const after = await store.db.actionPlans.get(plan.uuid);
  expect([hostname, after.hostname].sort()).toEqual(['one', 'two']);
  expect(await store.db.planRuns.count(plan.id)).toBe(2);
  for (const server of chosen) {
    expect(await cloud.compute.listMigrations({ serverUuid: server.uuid })).toHaveLength(1);
  }
}, 120_000);

it('every kind of action runs, and is rolled back, on the simulated cloud', async () => {
  const hosts = (await cloud.compute.listHypervisors()).map((hypervisor) => hypervisor.serviceHost);
  const servers = (await cloud.compute.listServers()).filter((server) => server.status === 'ACTIVE');
  const [live, cold] = servers.slice(moves);
  if (!live || !cold) throw new Error('the world has too few servers');
  const idle = hosts.find((host) => ![live.host, cold.host].includes(host) && host !== hosts[0]) ?? '';
  const disable = { resource_id: idle, resource_name: idle, state: 'disabled', disabled_reason: 'watcher_disabled' };
  const { plan } = await insertPlanWorld(store.db, {
    actions: 0,
    plan: () => ({ state: 'PENDING', launchSeq: 1, onFailure: 'rollback' }),
  });
  const specs: { actionType: string; inputParameters: JsonObject }[] = [
    { actionType: 'change_nova_service_state', inputParameters: disable },
    { actionType: 'migrate', inputParameters: { ...inputOf(live, hosts), destination_node: null } },
    {
      actionType: 'migrate',
      inputParameters: {
        ...inputOf(
          cold,
          hosts.filter((host) => host !== idle),
        ),
        migration_type: 'cold',
      },
    },
    { actionType: 'sleep', inputParameters: { duration: 3 } },
    { actionType: 'nop', inputParameters: { message: 'the end', fail_execute: true } },
  ];
  let parents: string[] = [];
  for (const spec of specs) parents = [(await insertAction(store.db, plan, () => ({ ...spec, parents }))).uuid];
  const row = () => store.db.actionPlans.get(plan.uuid);
  await expect.poll(async () => (await row()).state, { timeout: 60_000, interval: 100 }).toBe('FAILED');
  const actions = await store.db.actions.listByPlan(plan.uuid);
  expect(actions.map((action) => action.statusMessage)).toEqual([null, null, null, null, expect.any(String)]);
  expect(actions.map((action) => `${action.state} ${action.rollbackState}`)).toEqual([
    'SUCCEEDED SUCCEEDED',
    'SUCCEEDED SUCCEEDED',
    'SUCCEEDED SUCCEEDED',
    'SUCCEEDED NOT_SUPPORTED',
    'FAILED null',
  ]);
  for (const server of [live, cold]) {
    expect(await cloud.compute.getServer(server.uuid)).toMatchObject({ host: server.host, status: 'ACTIVE' });
    expect(await cloud.compute.listMigrations({ serverUuid: server.uuid })).toHaveLength(2);
  }
  const service = (await cloud.compute.listServices()).find((one) => one.host === idle);
  expect(service).toMatchObject({ status: 'enabled', disabledReason: null });
}, 120_000);
