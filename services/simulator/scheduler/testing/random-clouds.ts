import type { ComputeSnapshot } from '#libs/cluster-model';
import { createTestWorld } from '#libs/plugin-kit/testing';
import { smallWorld } from '../../simulation-fixture.ts';
import type { WorldFile, WorldHost } from '../../world/world-file.ts';

/** Uniform numbers in [0, 1). */
export type Random = () => number;

/** A generator of its own for a test: the same seed gives the same numbers. */
export function randomOf(seed: number): Random {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** One entry of a list that is not empty. */
export function pick<T>(random: Random, list: readonly T[]): T {
  return list[Math.floor(random() * list.length)] as T;
}

function randomHost(random: Random, index: number): WorldHost {
  return {
    hostname: `compute-${index}`,
    vcpus: pick(random, [8, 16]),
    memory_mb: pick(random, [16_384, 32_768]),
    disk_gb: 500,
    cpu_allocation_ratio: pick(random, [1, 1.5, 4]),
    ram_allocation_ratio: pick(random, [1, 1.2]),
    reserved_memory_mb: pick(random, [0, 512]),
    zone: pick(random, ['east', 'east', 'west']),
    traits: random() < 0.4 ? ['CUSTOM_SSD'] : [],
    status: random() < 0.1 ? 'disabled' : 'enabled',
    state: random() < 0.1 ? 'down' : 'up',
  };
}

const specs: Record<string, string>[] = [
  {},
  {},
  {},
  { 'trait:CUSTOM_SSD': 'required' },
  { 'trait:CUSTOM_SSD': 'forbidden' },
  { 'aggregate_instance_extra_specs:fast': 'true' },
  { 'hw:mem_page_size': 'large' },
  { 'hw:cpu_policy': 'dedicated' },
  { 'hw:numa_nodes': '2' },
];

const poolName = (isBound: boolean) => (isBound ? 'compute@local#lvm' : 'storage@ceph#rbd');

/** A cloud with every constraint that the simulated Nova knows. */
export function randomWorld(random: Random): WorldFile {
  const hosts = Array.from({ length: 3 + Math.floor(random() * 8) }, (_, index) => randomHost(random, index));
  const some = () => hosts.filter(() => random() < 0.3).map(({ hostname }) => hostname);
  const flavors = specs.map((extra_specs, index) => ({
    name: `f${index}`,
    vcpus: pick(random, [1, 2, 4]),
    ram_mb: pick(random, [1024, 2048, 4096]),
    disk_gb: 10,
    extra_specs,
  }));
  const servers = Array.from({ length: hosts.length * 4 }, (_, index) => ({
    name: `vm-${index}`,
    flavor: `f${Math.floor(random() * flavors.length)}`,
    host: pick(random, hosts).hostname,
    project: pick(random, ['demo', 'other']),
    locked: random() < 0.05,
    metadata: { 'watcher-priority': pick(random, ['1', '5', '9']) },
    ...(random() < 0.1 ? { pinned_zone: 'east' } : {}),
    state: pick(random, ['active', 'active', 'active', 'active', 'stopped', 'paused', 'suspended'] as const),
    ...(random() < 0.05 ? { volumes: [`volume-${index}`] } : {}),
    ...(random() < 0.3 ? { group: pick(random, ['apart', 'together', 'soft']) } : {}),
  }));
  const volumes = servers.flatMap((server) => server.volumes ?? []);
  return {
    ...smallWorld(servers),
    pools: [true, false].map((host_bound) => ({ name: poolName(host_bound), total_gb: 1000, host_bound })),
    volumes: volumes.map((name) => ({ name, size_gb: 1, pool: poolName(random() < 0.5) })),
    hosts,
    flavors,
    aggregates: [{ name: 'fast', hosts: some(), metadata: { fast: 'true' } }],
    server_groups: [
      { name: 'apart', policy: 'anti-affinity', max_server_per_host: 2 },
      { name: 'together', policy: 'affinity' },
      { name: 'soft', policy: 'soft-anti-affinity' },
    ],
  };
}

function vcpusOn({ servers, flavors }: WorldFile, hostname: string): number {
  const sizes = new Map(flavors.map(({ name, vcpus }) => [name, vcpus]));
  return servers.filter(({ host }) => host === hostname).reduce((sum, { flavor }) => sum + (sizes.get(flavor) ?? 0), 0);
}

/** What the collector would read of it. */
export function snapshotOf(world: WorldFile): ComputeSnapshot {
  const bound = new Set((world.volumes ?? []).filter(({ pool }) => pool === poolName(true)).map(({ name }) => name));
  return createTestWorld({
    hosts: world.hosts.map((host) => ({
      hostname: host.hostname,
      vcpus: host.vcpus,
      vcpusRatio: host.cpu_allocation_ratio,
      memory: host.memory_mb,
      memoryRatio: host.ram_allocation_ratio,
      memoryReserved: host.reserved_memory_mb,
      disk: host.disk_gb,
      zone: host.zone,
      traits: host.traits,
      status: host.status,
      state: host.state,
      // The simulated Placement counts dedicated CPUs as others.
      used: { vcpus: vcpusOn(world, host.hostname) },
      aggregates: (world.aggregates ?? []).filter(({ hosts }) => hosts.includes(host.hostname)).map(({ name }) => name),
    })),
    instances: world.servers.map((server) => {
      const flavor = world.flavors.find(({ name }) => name === server.flavor);
      return {
        name: server.name,
        host: server.host,
        vcpus: flavor?.vcpus,
        memory: flavor?.ram_mb,
        disk: flavor?.disk_gb,
        locked: server.locked,
        metadata: server.metadata,
        state: server.state,
        volumeBound: (server.volumes ?? []).some((name) => bound.has(name)),
        group: server.group,
        pinnedZone: server.pinned_zone,
        flavorExtraSpecs: flavor?.extra_specs,
      };
    }),
    groups: (world.server_groups ?? []).map(({ name, policy, max_server_per_host }) => ({
      name,
      policy,
      maxServerPerHost: max_server_per_host,
    })),
    aggregates: world.aggregates,
  });
}
