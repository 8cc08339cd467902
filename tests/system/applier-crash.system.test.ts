import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { expect, it } from 'vitest';
import { type JsonObject, silentLogger } from '#libs/domain';
import { createMessageBus } from '#libs/messaging/connect';
import { createOpenStackCloud, openStackConfigFromEnv, type Server } from '#libs/openstack';
import { systemClock } from '#libs/service-kit';
import { atEnd, useStore } from '#tests';
import { insertAction, insertPlanWorld } from '../builders.ts';
import { runSql } from '../run-sql.ts';
import { cloudEnv } from './cloud-env.ts';
import { useVigil } from './use-vigil.ts';
import type { VigilProcess } from './vigil-process.ts';

const speed = 30;
const moves = 6;
const parallel = 2;

const { store, url } = await useStore();
const simulator = await useVigil(['simulator'], {
  VIGIL_SIMULATOR_PORT: '0',
  VIGIL_SIMULATOR_GENERATE: 'hosts=8,instances=40,seed=3',
  // Time stands still until the test lets it pass.
  VIGIL_SIMULATOR_SPEED: '0',
  VIGIL_SIMULATOR_BACKFILL_MINUTES: '0',
});
const env = cloudEnv(simulator.url);
const cloud = createOpenStackCloud(openStackConfigFromEnv(env), { logger: silentLogger, clock: systemClock });
atEnd(() => cloud.close());

function startApplier(host: string): Promise<VigilProcess> {
  return useVigil(['applier'], {
    ...env,
    VIGIL_DATABASE_URL: url,
    VIGIL_HOST_ID: host,
    // Ended by the test, and never by somebody who stands still for a while.
    VIGIL_APPLIER_LEASE_SECONDS: '600',
    VIGIL_APPLIER_POLL_SECONDS: '1',
    VIGIL_APPLIER_TIME_SCALE: String(speed),
    VIGIL_APPLIER_MAX_ACTIONS_PER_PLAN: String(parallel),
    VIGIL_LOG_LEVEL: 'warn',
  });
}

async function control(path: string, body: object): Promise<void> {
  const response = await fetch(`${simulator.url}/simulator${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status, path).toBe(200);
}

/** A PENDING plan that moves the first servers, each to some other host. The generated world has room everywhere. */
async function planMoves() {
  const hosts = (await cloud.compute.listHypervisors()).map((hypervisor) => hypervisor.serviceHost);
  const servers = (await cloud.compute.listServers({})).filter((server) => server.status === 'ACTIVE');
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
  const { plan, chosen } = await planMoves();
  const bus = await createMessageBus({ databaseUrl: url, logger: silentLogger, appId: randomUUID() });
  const body = { schema: 'plan.launch/1', plan_uuid: plan.uuid, launch_seq: 1, requested_by: null };
  const timestamp = new Date().toISOString();
  const sent = await bus.publish([{ messageId: randomUUID(), type: 'plan.launch', body, attempt: 0, timestamp }]);
  expect(sent).toEqual([true]);
  await bus.close();

  const asked = async () => {
    const records = await Promise.all(chosen.map(({ uuid }) => cloud.compute.listMigrations({ serverUuid: uuid })));
    return records.flat().length;
  };
  await expect.poll(asked).toBe(parallel);
  await control('/tick', { seconds: 3600 });
  await expect.poll(asked).toBeGreaterThan(parallel);
  const { hostname } = await store.db.actionPlans.get(plan.uuid);
  await appliers.get(hostname ?? '')?.stop('SIGKILL');
  const states = (await store.db.actions.listByPlan(plan.uuid)).map((action) => action.state);
  expect(states).toEqual(expect.arrayContaining(['SUCCEEDED', 'ONGOING', 'PENDING']));
  const heir = async () => {
    const expire = 'UPDATE action_plans SET lease_expires_at = now() WHERE uuid = $1 AND hostname = $2';
    await runSql(url, expire, [plan.uuid, hostname]);
    return (await store.db.actionPlans.get(plan.uuid)).hostname;
  };
  await expect.poll(heir, { interval: 200 }).toBe(hostname === 'one' ? 'two' : 'one');
  await control('/speed', { speed });

  const state = async () => (await store.db.actionPlans.get(plan.uuid)).state;
  await expect.poll(state, { timeout: 120_000, interval: 100 }).not.toBe('ONGOING');
  const actions = await store.db.actions.listByPlan(plan.uuid);
  expect(actions.map((action) => action.statusMessage ?? action.state)).toEqual(actions.map(() => 'SUCCEEDED'));
  expect(await state()).toBe('SUCCEEDED');
  expect(await store.db.planRuns.count(plan.id)).toBe(2);
  for (const server of chosen) {
    expect(await cloud.compute.listMigrations({ serverUuid: server.uuid })).toHaveLength(1);
  }
});

it('every kind of action runs, and is rolled back, on the simulated cloud', async () => {
  const hosts = (await cloud.compute.listHypervisors()).map((hypervisor) => hypervisor.serviceHost);
  const servers = (await cloud.compute.listServers({})).filter((server) => server.status === 'ACTIVE');
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
  await expect.poll(async () => (await row()).state, { timeout: 120_000, interval: 100 }).toBe('FAILED');
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
});

it('a plan that was left is gone on with before an applier that starts has told what it can do', async () => {
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
