import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { type JsonObject, silentLogger } from '#libs/domain';
import { createOpenStackCloud, openStackConfigFromEnv } from '#libs/openstack';
import { systemClock } from '#libs/service-kit';
import { startSimulator } from '../../simulator/start-simulator.ts';
import { smallWorld } from '../../simulator/testing/simulation-fixture.ts';
import { serverId, useApplierBench } from '../testing/applier-bench.ts';

/** Each case has its own server and volume. */
const caseCount = 30;
const numbers = Array.from({ length: caseCount }, (_, index) => index + 1);
const fast = 'storage-1@fast#pool1';
const volumeId = (number: number) => `22222222-2222-4333-8444-${String(number).padStart(12, '0')}`;

const world = smallWorld(
  numbers.map((number) => ({ name: `vm-${number}`, uuid: serverId(number) })),
  {
    flavors: ['small', 'same'].map((name) => ({ name, id: name, vcpus: 1, ram_mb: 500, disk_gb: 1 })),
    hosts: [1, 2, 3].map((number) => ({
      hostname: `compute-${number}`,
      vcpus: 64,
      memory_mb: 65_536,
      disk_gb: 500,
      ...(number === 3 ? { status: 'disabled' as const } : {}),
    })),
    volume_types: [{ name: 'standard' }, { name: 'other' }],
    pools: [fast, 'storage-1@fast#pool2'].map((name) => ({ name, total_gb: 1000 })),
    volumes: numbers.map((number) => ({
      name: `volume-${number}`,
      uuid: volumeId(number),
      size_gb: 1,
      type: 'standard',
      pool: fast,
    })),
  },
);
const simulator = await startSimulator(
  { world, writer: null, clock: systemClock, newUuid: randomUUID, logger: silentLogger },
  { password: 'vigil' },
);
const login = { OS_AUTH_URL: simulator.authUrl, OS_USERNAME: 'admin', OS_PASSWORD: 'vigil', OS_PROJECT_NAME: 'admin' };
const cloud = createOpenStackCloud(openStackConfigFromEnv(login), { logger: silentLogger, clock: systemClock });
afterAll(async () => {
  await cloud.close();
  await simulator.stop();
});
const bench = await useApplierBench();

const { servers, volumes } = simulator.simulation.state;
let lastNumber = 0;

/** A change of the cloud between the plan and its start. */
type Before = (number: number) => Promise<unknown>;
const asIs: Before = async () => undefined;
const deleted: Before = async (number) => {
  await cloud.compute.deleteServer(serverId(number));
  await expect.poll(() => servers.has(serverId(number)), { timeout: 20_000 }).toBe(false);
};
const stopped: Before = async (number) => {
  await cloud.compute.stopServer(serverId(number));
  await expect.poll(() => servers.get(serverId(number))?.vmState, { timeout: 20_000 }).toBe('stopped');
};
const volumeDeleted: Before = async (number) => volumes.delete(volumeId(number));

/** States of the plan and its action after a run. */
async function outcome(before: Before, type: string, input: (number: number) => JsonObject) {
  lastNumber += 1;
  const number = lastNumber;
  const plan = await bench.plan([{ type, input: input(number) }]);
  await before(number);
  const seen = () => ({ ...servers.get(serverId(number)), ...volumes.get(volumeId(number)), updatedAt: null });
  const found = seen();
  const { state, actions } = await bench.run(bench.runner({ cloud }), plan);
  expect(seen()).toEqual(found);
  return { state, actions };
}

const skipped = { state: 'SUCCEEDED', actions: ['SKIPPED'] };
const failed = { state: 'FAILED', actions: ['FAILED'] };

describe('instances', () => {
  const of = (number: number) => ({ resource_id: serverId(number) });
  const move =
    (source_node: string, destination_node: string, migration_type = 'live') =>
    (number: number) => ({
      ...of(number),
      migration_type,
      source_node,
      destination_node,
    });
  const flavored = (flavor: string) => (number: number) => ({ ...of(number), flavor });

  it.each<[string, Before, string, (number: number) => JsonObject, object]>([
    ['a migration of a deleted instance', deleted, 'migrate', move('compute-1', 'compute-2'), skipped],
    ['a migration from another host', asIs, 'migrate', move('compute-2', 'compute-2'), skipped],
    ['a migration to an unknown host', asIs, 'migrate', move('compute-1', 'nowhere'), failed],
    ['a cold migration to an unknown host', asIs, 'migrate', move('compute-1', 'nowhere', 'cold'), failed],
    ['a migration to a disabled host', asIs, 'migrate', move('compute-1', 'compute-3'), failed],
    ['a live migration of a SHUTOFF instance', stopped, 'migrate', move('compute-1', 'compute-2'), failed],
    ['a resize of a deleted instance', deleted, 'resize', flavored('same'), skipped],
    ['a resize to an unknown flavor', asIs, 'resize', flavored('00000000-0000-0000-0000-000000000000'), failed],
    ['a resize of a deleted instance to an unknown flavor', deleted, 'resize', flavored('nothing'), skipped],
    ['a resize to the flavor that it has', asIs, 'resize', flavored('small'), skipped],
    ['a stop of a deleted instance', deleted, 'stop', of, skipped],
    ['a stop of a stopped instance', stopped, 'stop', of, skipped],
    ['a deletion of a deleted instance', deleted, 'delete', of, skipped],
    ['a shelving of a deleted instance', deleted, 'shelve', of, skipped],
  ])('%s', async (_, before, type, input, expected) => {
    expect(await outcome(before, type, input)).toEqual(expected);
  });
});

it.each([
  ['a service that is disabled already', 'compute-3'],
  ['a service that does not exist', 'nowhere'],
])('a change of %s is skipped', async (_, host) => {
  const input = () => ({ resource_id: host, state: 'disabled' });
  expect(await outcome(asIs, 'change_nova_service_state', input)).toEqual(skipped);
});

describe('volumes', () => {
  const moved =
    (destination_node: string, migration_type = 'migrate') =>
    (number: number) => ({
      resource_id: volumeId(number),
      migration_type,
      destination_node,
    });
  const retyped = (destination_type: string) => (number: number) => ({
    resource_id: volumeId(number),
    migration_type: 'retype',
    destination_type,
  });

  it.each<[string, Before, (number: number) => JsonObject, object]>([
    ['a migration of a deleted volume to an unknown pool', volumeDeleted, moved('dummy-pool'), skipped],
    ['a retype of a deleted volume', volumeDeleted, retyped('other'), skipped],
    ['a retype to the type that it has', asIs, retyped('standard'), skipped],
    ['a migration to the pool that it is in', asIs, moved(fast), skipped],
    ['a retype to an unknown type', asIs, retyped('nothing'), failed],
    ['a migration to an unknown pool', asIs, moved('nothing'), failed],
    ['a swap to an unknown pool of a known backend', asIs, moved('storage-1@fast#nothing', 'swap'), failed],
  ])('%s', async (_, before, input, expected) => {
    expect(await outcome(before, 'volume_migrate', input)).toEqual(expected);
  });
});
