import { expect, it } from 'vitest';
import { buildComputeSnapshot } from '#libs/cluster-model';
import { silentLogger } from '#libs/domain';
import type { Cloud, Server } from '#libs/openstack';
import { createOpenStackCloud } from '#libs/openstack';
import { testUuid } from '#libs/plugin-kit/testing';
import { serveSimulation } from '../testing/simulation-fixture.ts';
import { compareFeasibility } from './testing/compare-feasibility.ts';
import { cloudOf, poolName, putInFlight, randomOf, randomWorld, snapshotOf } from './testing/random-clouds.ts';

/** Number of worlds. VIGIL_PROPERTY_RUNS sets more. */
const worlds = Number(process.env.VIGIL_PROPERTY_RUNS ?? 60);

it('the model and the independent simulated scheduler agree on every server and host of random clouds', () => {
  const onlyBecauseOf = new Map<string, number>();
  let admitted = 0;
  for (let seed = 1; seed <= worlds; seed++) {
    const world = randomWorld(randomOf(seed * 104_729));
    const found = compareFeasibility(snapshotOf(world), cloudOf(world), ({ name }) => testUuid(name));
    expect(found.different, `world ${seed}`).toEqual([]);
    admitted += found.admitted;
    for (const [name, count] of found.onlyBecauseOf) onlyBecauseOf.set(name, (onlyBecauseOf.get(name) ?? 0) + count);
  }
  // Each filter was decisive alone at least once, so the model lacks none of them.
  expect([...onlyBecauseOf].filter(([name, count]) => count === 0 && name !== 'DifferentFromSource')).toEqual([]);
  expect(admitted).toBeGreaterThan(worlds * 10);
});

/** The input of the model, read with the production client. */
async function readSnapshot(cloud: Cloud, cellOf: (host: string) => string | null) {
  const [hypervisors, servers, services, aggregates, serverGroups, volumes, ports] = await Promise.all([
    cloud.compute.listHypervisors(),
    cloud.compute.listServers({}),
    cloud.compute.listServices(),
    cloud.compute.listAggregates(),
    cloud.compute.listServerGroups(),
    cloud.volume.listVolumes(),
    cloud.network?.listServerPorts(),
  ]);
  const ofEach = async <T>(read: (uuid: string) => Promise<T>) =>
    new Map(await Promise.all(hypervisors.map(async ({ uuid }) => [uuid, await read(uuid)] as const)));
  return buildComputeSnapshot({
    hypervisors,
    servers: servers as Server[],
    services,
    aggregates,
    serverGroups,
    inventories: await ofEach((uuid) => cloud.placement.getInventories(uuid)),
    allocations: await ofEach((uuid) => cloud.placement.getAllocations(uuid)),
    traits: await ofEach(async (uuid) => (await cloud.placement.getTraits(uuid)) ?? []),
    hostBoundVolumes: new Set(volumes.filter(({ host }) => host === poolName(true)).map(({ uuid }) => uuid)),
    ports,
    cellOf,
    takenAtMs: 0,
  });
}

it('they also agree when the model is read over HTTP: inventories of dedicated CPUs, images, traits, groups, zones', async () => {
  let withDedicatedCpus = 0;
  let admitted = 0;
  for (const seed of [11, 12, 13, 14]) {
    const world = randomWorld(randomOf(seed * 7919));
    const { simulator } = await serveSimulation(world, { speed: 0 });
    const project = { name: 'admin', domain: { id: 'default' } };
    const user = { name: 'admin', domain: { id: 'default' } };
    const cloud = createOpenStackCloud(
      {
        authUrl: `${simulator.url}/identity/v3`,
        credentials: { kind: 'password', user, password: 'vigil', project },
      },
      { logger: silentLogger, clock: { now: () => Date.now() } },
    );
    try {
      const { state, ledger } = simulator.simulation;
      putInFlight({ state, ledger });
      const cells = new Map(world.hosts.map(({ hostname, cell }) => [hostname, cell ?? null]));
      const snapshot = await readSnapshot(cloud, (host) => cells.get(host) ?? null);
      if (snapshot.hostInfo.some(({ dedicatedCpus }) => (dedicatedCpus?.used ?? 0) > 0)) withDedicatedCpus++;
      const found = compareFeasibility(snapshot, { state, ledger }, ({ uuid }) => uuid);
      expect(found.different, `world ${seed}`).toEqual([]);
      admitted += found.admitted;
    } finally {
      await cloud.close();
      await simulator.stop();
    }
  }
  expect(withDedicatedCpus).toBeGreaterThan(0);
  expect(admitted).toBeGreaterThan(0);
});
