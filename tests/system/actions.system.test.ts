import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { type JsonObject, silentLogger } from '#libs/domain';
import { createMessageBus } from '#libs/messaging/connect';
import { createOpenStackCloud, openStackConfigFromEnv, type Server, type Volume } from '#libs/openstack';
import { systemClock } from '#libs/service-kit';
import { atEnd, useStore } from '#tests';
import { insertAction, insertPlanWorld } from '../builders.ts';
import { cloudEnv } from './cloud-env.ts';
import { useVigil } from './use-vigil.ts';

const speed = 200;

const { store, url } = await useStore();
const simulator = await useVigil(['simulator'], {
  VIGIL_SIMULATOR_PORT: '0',
  VIGIL_SIMULATOR_GENERATE: 'hosts=6,instances=24,volumes=12,baremetal=6,seed=5',
  VIGIL_SIMULATOR_SPEED: String(speed),
  VIGIL_SIMULATOR_BACKFILL_MINUTES: '0',
});
const env = cloudEnv(simulator.url);
const cloud = createOpenStackCloud(openStackConfigFromEnv(env), { logger: silentLogger, clock: systemClock });
const bus = await createMessageBus({ databaseUrl: url, logger: silentLogger, appId: randomUUID() });
await useVigil(['applier'], {
  ...env,
  VIGIL_DATABASE_URL: url,
  VIGIL_APPLIER_POLL_SECONDS: '1',
  VIGIL_APPLIER_TIME_SCALE: String(speed),
  VIGIL_LOG_LEVEL: 'warn',
});

atEnd(() => Promise.all([cloud.close(), bus.close()]));

type Spec = { actionType: string; inputParameters: JsonObject };

/** Runs the stages sequentially, and the actions of a stage concurrently. Returns the ended plan and actions. */
async function runPlan(stages: Spec[][], onFailure: 'continue' | 'rollback') {
  const { plan } = await insertPlanWorld(store.db, {
    actions: 0,
    plan: () => ({ state: 'PENDING', launchSeq: 1, onFailure }),
  });
  let parents: string[] = [];
  for (const stage of stages) {
    const inserted = [];
    for (const spec of stage) inserted.push(await insertAction(store.db, plan, () => ({ ...spec, parents })));
    parents = inserted.map((action) => action.uuid);
  }
  const body = { schema: 'plan.launch/1', plan_uuid: plan.uuid, launch_seq: 1, requested_by: null };
  const message = {
    messageId: randomUUID(),
    type: 'plan.launch',
    body,
    attempt: 0,
    timestamp: new Date().toISOString(),
  };
  await bus.publish([message]);
  const row = () => store.db.actionPlans.get(plan.uuid);
  const isOver = async () => ['SUCCEEDED', 'FAILED'].includes((await row()).state);
  await expect.poll(isOver, { timeout: 120_000, interval: 100 }).toBe(true);
  return { plan: await row(), actions: await store.db.actions.listByPlan(plan.uuid) };
}

/** A host to power off, and the servers that must leave it first. */
interface Victim {
  host: string;
  node: string;
  leaving: Server[];
}

/** Objects of the plans: an empty host and a busy one, servers that stay unaffected, a free and an attached volume. */
async function chooseWorld() {
  const servers = (await cloud.compute.listServers({})).filter((server) => server.status === 'ACTIVE');
  const nodes = await cloud.baremetal.listNodes();
  const victims = (await cloud.compute.listHypervisors()).map<Victim>(({ serviceHost: host, uuid }) => ({
    host,
    node: nodes.find((node) => node.computeNodeId === uuid)?.uuid ?? '',
    leaving: servers.filter((server) => server.host === host),
  }));
  victims.sort((one, other) => one.leaving.length - other.leaving.length);
  const idle = victims[0];
  const busy = victims.find(({ leaving }) => leaving.length > 0);
  const stay = servers.filter(({ host }) => host !== idle?.host && host !== busy?.host);
  const [cold, resized, stopped] = stay.filter(({ flavor }) => flavor.name === 'm1.tiny' || flavor.name === 'm1.small');
  const volumes = (await cloud.volume.listVolumes()).sort((one, other) => one.sizeGb - other.sizeGb);
  const plain = volumes.filter((volume) => volume.volumeType === 'standard');
  const free = plain.find((volume) => volume.attachments.length === 0);
  const used = plain.find((volume) => volume.attachments.length > 0);
  if (idle?.leaving.length !== 0 || !busy || !cold || !resized || !stopped || !free || !used) {
    throw new Error('the world lacks something');
  }
  return { idle, busy, cold, resized, stopped, free, used };
}

function migrate(server: Server, type: 'live' | 'cold', destination: string | null): Spec {
  return {
    actionType: 'migrate',
    inputParameters: {
      migration_type: type,
      resource_id: server.uuid,
      source_node: server.host ?? '',
      destination_node: destination,
    },
  };
}

function otherPool(volume: Volume): string {
  return volume.host === 'storage-1@lvm#standard' ? 'storage-2@lvm#standard' : 'storage-1@lvm#standard';
}

type World = Awaited<ReturnType<typeof chooseWorld>>;

/** Covers all eight action types. At the end the host is off. */
function everyAction(world: World, { host, node }: Victim, leaving: Server[]): Spec[][] {
  const { cold, resized, stopped, free, used } = world;
  const volume = { migration_type: 'migrate', resource_id: used.uuid, destination_node: otherPool(used) };
  const disable = {
    resource_id: host,
    resource_name: host,
    state: 'disabled',
    disabled_reason: 'watcher_disabled',
  };
  const moves: Spec[] = [
    ...leaving.map((server) => migrate(server, 'live', null)),
    migrate(cold, 'cold', null),
    { actionType: 'resize', inputParameters: { resource_id: resized.uuid, flavor: 'm1.medium' } },
    { actionType: 'volume_migrate', inputParameters: volume },
    {
      actionType: 'volume_migrate',
      inputParameters: { migration_type: 'retype', resource_id: free.uuid, destination_type: 'fast' },
    },
    { actionType: 'stop', inputParameters: { resource_id: stopped.uuid } },
  ];
  const off = { resource_id: node, resource_name: host, state: 'off' };
  return [
    [{ actionType: 'change_nova_service_state', inputParameters: disable }],
    moves,
    [{ actionType: 'sleep', inputParameters: { duration: 1 } }],
    [{ actionType: 'nop', inputParameters: { message: 'the host is empty' } }],
    [{ actionType: 'change_node_power_state', inputParameters: off }],
  ];
}

/** State of all objects of the plans. */
async function stateOf({ idle, busy, cold, resized, stopped, free, used }: World) {
  const server = async ({ uuid }: Server) => {
    const found = await cloud.compute.getServer(uuid);
    return { host: found?.host, status: found?.status, flavor: found?.flavor.name };
  };
  const power = async ({ host, node }: Victim) => ({
    service: (await cloud.compute.listServices()).find((one) => one.host === host)?.status,
    power: (await cloud.baremetal.getNode(node))?.powerState,
  });
  const volume = async ({ uuid }: Volume) => {
    const found = await cloud.volume.getVolume(uuid);
    return { host: found?.host, status: found?.status, type: found?.volumeType };
  };
  return {
    idle: await power(idle),
    busy: await power(busy),
    leaving: await Promise.all(busy.leaving.map(server)),
    cold: await server(cold),
    resized: await server(resized),
    stopped: await server(stopped),
    free: await volume(free),
    used: await volume(used),
  };
}

async function changesAsked(): Promise<string[]> {
  const response = await fetch(`${simulator.url}/simulator/requests`);
  const { requests } = (await response.json()) as {
    requests: { service: string; body: object | null; path: string }[];
  };
  return requests
    .filter(({ service }) => service !== 'identity')
    .map(({ path, body }) => `${path.split('?')[0]} ${Object.keys(body ?? {})[0]}`);
}

it('every action type runs, is rolled back after a failure, and runs to its end', async () => {
  const world = await chooseWorld();
  const before = await stateOf(world);
  const first = everyAction(world, world.idle, world.busy.leaving.slice(0, 1));
  const specs = first.flat();
  const failing: Spec = { actionType: 'nop', inputParameters: { message: 'no', fail_execute: true } };

  const undone = await runPlan([...first, [failing]], 'rollback');
  expect(undone.actions.map((action) => action.statusMessage)).toEqual([...specs.map(() => null), expect.any(String)]);
  const verdicts = undone.actions.map((action) => `${action.actionType} ${action.state} ${action.rollbackState}`);
  expect(verdicts).toEqual([
    ...specs.map(({ actionType }) =>
      ['sleep', 'nop'].includes(actionType)
        ? `${actionType} SUCCEEDED NOT_SUPPORTED`
        : `${actionType} SUCCEEDED SUCCEEDED`,
    ),
    'nop FAILED null',
  ]);
  // Nova and Cinder choose the host of a reverted resize and the pool of a reverted retype.
  const chosen = {
    resized: { ...before.resized, host: expect.any(String) },
    free: { ...before.free, host: expect.any(String) },
  };
  expect(await stateOf(world)).toEqual({ ...before, ...chosen });

  const requested = (await changesAsked()).length;
  const second = everyAction(world, world.busy, world.busy.leaving);
  const done = await runPlan(second, 'continue');
  expect(new Set(done.actions.map((action) => action.statusMessage ?? action.state))).toEqual(new Set(['SUCCEEDED']));
  expect(done.plan.state).toBe('SUCCEEDED');
  const after = await stateOf(world);
  expect(after.busy).toEqual({ service: 'disabled', power: 'power off' });
  expect(after.leaving.every((server) => server.host !== world.busy.host && server.status === 'ACTIVE')).toBe(true);
  expect(after.cold.host).not.toBe(before.cold.host);
  expect([after.resized.flavor, after.stopped.status]).toEqual(['m1.medium', 'SHUTOFF']);
  expect(after.used.host).toBe(otherPool(world.used));
  expect(after.free).toMatchObject({ type: 'fast', host: 'storage-3@ceph#fast' });
  const changes = (await changesAsked()).slice(requested);
  expect(new Set(changes).size).toBe(changes.length);
});

it('an emptied host is enabled again before its servers return', async () => {
  const { busy } = await chooseWorld();
  const disable = { resource_id: busy.host, resource_name: busy.host, state: 'disabled', disabled_reason: 'watcher_x' };
  const { plan, actions } = await runPlan(
    [
      [{ actionType: 'change_nova_service_state', inputParameters: disable }],
      busy.leaving.map((server) => migrate(server, 'live', null)),
      [{ actionType: 'nop', inputParameters: { message: 'no', fail_execute: true } }],
    ],
    'rollback',
  );
  expect(actions.map((action) => action.rollbackMessage)).toEqual(actions.map(() => null));
  expect(plan).toMatchObject({ state: 'FAILED', rollbackState: 'SUCCEEDED' });
  const hosts = (await cloud.compute.listServers({})).filter(({ uuid }) =>
    busy.leaving.some((one) => one.uuid === uuid),
  );
  expect(new Set(hosts.map((server) => server.host))).toEqual(new Set([busy.host]));
});

it('a host with servers or an enabled service is never powered off', async () => {
  const { nodes, host } = await busyNode();
  const power = { resource_id: nodes, resource_name: host, state: 'off' };
  const { plan, actions } = await runPlan(
    [[{ actionType: 'change_node_power_state', inputParameters: power }]],
    'continue',
  );
  expect(plan.state).toBe('FAILED');
  expect(actions[0]?.statusMessage).toBe(
    `Action failed in pre_condition: nova-compute service ${host} is enabled, so it cannot be powered off`,
  );
  expect((await cloud.baremetal.getNode(nodes))?.powerState).toBe('power on');
});

async function busyNode(): Promise<{ nodes: string; host: string }> {
  const enabled = (await cloud.compute.listHypervisors()).filter(
    (one) => one.status === 'enabled' && one.state === 'up',
  );
  const nodes = await cloud.baremetal.listNodes();
  const found = nodes.find((node) => enabled.some((one) => one.uuid === node.computeNodeId));
  const host = enabled.find((one) => one.uuid === found?.computeNodeId)?.serviceHost;
  if (!found || !host) throw new Error('no busy node');
  return { nodes: found.uuid, host };
}

it('a server of a dead host that an operator has fenced is evacuated, and nothing of it is left once the host is back', async () => {
  const { cold: server } = await chooseWorld();
  const source = server.host as string;
  const faults = `${simulator.url}/simulator/faults`;
  const body = JSON.stringify({ kind: 'host-down', host: source });
  await fetch(faults, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const evacuate = (fenced_by: string): Spec => ({
    actionType: 'evacuate',
    inputParameters: { resource_id: server.uuid, source_node: source, fenced_by },
  });

  const silent = await runPlan([[evacuate('forced_down')]], 'continue');
  expect(silent.actions[0]).toMatchObject({
    state: 'FAILED',
    statusMessage: expect.stringMatching(/no longer forced down/),
  });
  expect((await cloud.compute.getServer(server.uuid))?.host).toBe(source);

  const { plan } = await runPlan([[evacuate('operator')]], 'continue');
  expect(plan.state).toBe('SUCCEEDED');
  const moved = await cloud.compute.getServer(server.uuid);
  expect([moved?.status, moved?.host === source]).toEqual(['ACTIVE', false]);
  const statusOf = async () => (await cloud.compute.listMigrations({ serverUuid: server.uuid }))[0]?.status;
  expect(await statusOf()).toBe('done');
  await fetch(faults, { method: 'DELETE' });
  expect(await statusOf()).toBe('completed');
});
