import {
  buildBaremetalSnapshot,
  buildComputeSnapshot,
  buildStorageSnapshot,
  type ComputeSnapshot,
} from '#libs/cluster-model';
import type { MetricsSource } from '#libs/plugin-kit';
import { type CrookedWorld, randomWorld } from '#libs/random-worlds';
import { type AssessedWorld, drawLimits, inOrder } from './assessed-world.ts';

/** Time of random worlds, in milliseconds since 1970. */
export const randomWorldMs = Date.UTC(2026, 0, 2);

/** Additional provider of disks, by uuid of the hypervisor. */
function sharedDisksOf({ furtherProviders, inventories }: CrookedWorld): Map<string, string> {
  const sharing = (uuid: string) => inventories.get(uuid)?.DISK_GB !== undefined;
  return new Map(
    [...furtherProviders].flatMap(([hypervisor, uuids]) =>
      uuids.filter(sharing).map((uuid): [string, string] => [hypervisor, uuid]),
    ),
  );
}

/** The compute model of the decision engine for these rows. */
export function snapshotOfRandom(world: CrookedWorld): ComputeSnapshot {
  const { hypervisors, services, servers, aggregates, serverGroups, inventories, allocations, traits } = world;
  return buildComputeSnapshot({
    ...{ hypervisors, services, servers, aggregates, serverGroups, inventories, allocations, traits },
    hostBoundVolumes: world.hostBoundVolumes,
    ports: world.ports,
    shares: world.shares.size > 0 ? world.shares : null,
    sharedDisks: sharedDisksOf(world),
    cellOf: (host) => world.cells.get(host) ?? null,
    takenAtMs: randomWorldMs,
  });
}

/** A history with one value of each. The window of noisy neighbours that ended earlier has separate values. */
export function historyOfRandom({ metrics }: CrookedWorld): MetricsSource {
  return {
    name: 'worlds',
    async aggregate({ metric, endMs = randomWorldMs }) {
      const earlier = endMs < randomWorldMs ? metrics.get(`${metric} before`) : undefined;
      return earlier ?? metrics.get(metric) ?? new Map<string, number>();
    },
  };
}

/** Random worlds of the seed and its successors, see `#libs/random-worlds`. */
export function* randomInputs(seed: number, count: number): Generator<AssessedWorld> {
  for (let at = seed; at < seed + count; at += 1)
    yield assessedRandom(randomWorld(at, 20), `random world of seed ${at}`, `--seed ${at} --worlds 1`);
}

function assessedRandom(world: CrookedWorld, name: string, options: string): AssessedWorld {
  const { servers, services, hypervisors, storage, machines } = world;
  const zones = [...new Set(services.map(({ zone }) => zone))];
  const instances = servers.map(({ uuid }) => uuid);
  const hosts = services.map(({ host }) => host);
  return {
    ...{ name, options, size: hypervisors.length + servers.length },
    limits: drawLimits({ instances, hosts, zones }, world.seed),
    input(order) {
      const rows = inOrder(world, ['servers', 'hypervisors', 'services', 'aggregates', 'serverGroups'], order);
      const lists = inOrder(storage, ['services', 'pools', 'volumes', 'types', 'snapshots'], order);
      return {
        snapshot: snapshotOfRandom(rows),
        storage: buildStorageSnapshot({ ...lists, takenAtMs: randomWorldMs }),
        baremetal: buildBaremetalSnapshot({
          nodes: inOrder({ machines }, ['machines'], order).machines,
          takenAtMs: randomWorldMs,
        }),
        history: historyOfRandom(rows),
        nowMs: randomWorldMs,
      };
    },
  };
}

/** Edge cases of clouds: without hosts, without instances, with one host, without metrics. */
export function edgeInputs(): AssessedWorld[] {
  const base = randomWorld(1, 8);
  const [host] = base.hypervisors.map(({ serviceHost }) => serviceHost);
  const bare: CrookedWorld = {
    ...{ ...base, servers: [], serverGroups: [], ports: [], shares: new Map(), pins: new Map(), metrics: new Map() },
    allocations: new Map([...base.allocations.keys()].map((uuid) => [uuid, new Map()])),
  };
  const worlds: [name: string, world: CrookedWorld][] = [
    ['cloud without hosts', { ...bare, hypervisors: [], services: [], aggregates: [], machines: [], storage: none }],
    ['cloud without instances', bare],
    [
      'cloud with one host',
      {
        ...base,
        hypervisors: base.hypervisors.filter(({ serviceHost }) => serviceHost === host),
        services: base.services.filter((service) => service.host === host),
        servers: base.servers.filter((server) => server.host === host),
      },
    ],
    ['cloud without metrics', { ...base, metrics: new Map() }],
    [
      'cloud with disabled hosts only',
      { ...base, services: base.services.map((service) => ({ ...service, status: 'disabled' as const })) },
    ],
  ];
  return worlds.map(([name, world]) => assessedRandom(world, name, '--worlds 0'));
}

const none: CrookedWorld['storage'] = { services: [], pools: [], volumes: [], types: [], snapshots: [] };
