import { createRandom, type RandomSource } from '#libs/domain';
import type {
  LoadProfile,
  WorldFile,
  WorldFlavor,
  WorldHost,
  WorldNode,
  WorldPool,
  WorldServer,
  WorldVolume,
} from '#libs/world-file';

/** Separate from the other seed, so that volumes do not change the rest of a world. */
const seedOfStorage = 7919;

const lvmPool: WorldPool = { name: 'storage-1@lvm#standard', total_gb: 10_000, backend_name: 'lvm' };
const otherPools: WorldPool[] = [
  { name: 'storage-2@lvm#standard', total_gb: 10_000, backend_name: 'lvm' },
  { name: 'storage-3@ceph#fast', total_gb: 10_000, backend_name: 'ceph' },
];

/** The settings of a generated world. */
export interface GenerateWorldOptions {
  /** Default 1. */
  seed?: number;
  /** Default 4. */
  hosts?: number;
  /** Default 12. */
  instances?: number;
  /** vCPUs of each host. Default 32, with 4 GiB of memory and 40 GiB of disk a vCPU. */
  hostVcpus?: number;
  /** Placement ratio of vCPUs. Default 4. */
  cpuAllocationRatio?: number;
  /**
   * Imbalance of the placement: 0 distributes instances evenly, 1 (default 0.5) places most on the first hosts, as far
   * as they fit.
   */
  skew?: number;
  /** Number of availability zones, assigned to hosts in turn. Default 1. */
  zones?: number;
  /** Number of anti-affinity groups of three servers. Default 0. */
  groups?: number;
  /** Number of volumes of 10 to 200 GiB in two backends. Every second one is attached to a server. Default 0. */
  volumes?: number;
  /** Number of hosts with bare metal nodes, from the first. Default 0. */
  baremetal?: number;
  /** Prefix of host names. Default `compute-`. */
  hostPrefix?: string;
}

const flavors: WorldFlavor[] = [
  { name: 'm1.tiny', vcpus: 1, ram_mb: 512, disk_gb: 1 },
  { name: 'm1.small', vcpus: 1, ram_mb: 2048, disk_gb: 20 },
  { name: 'm1.medium', vcpus: 2, ram_mb: 4096, disk_gb: 40 },
  { name: 'm1.large', vcpus: 4, ram_mb: 8192, disk_gb: 80 },
];

/** A random world that depends only on its options. Instances without a suitable host are omitted. */
export function generateWorld(options: GenerateWorldOptions = {}): WorldFile {
  const seed = options.seed ?? 1;
  const random = createRandom(seed);
  const hosts = makeHosts(options);
  const room = hosts.map((host) => ({
    vcpus: host.vcpus * (host.cpu_allocation_ratio ?? 1),
    memory: host.memory_mb - (host.reserved_memory_mb ?? 512),
    disk: host.disk_gb,
  }));
  const servers: WorldServer[] = [];
  for (let index = 0; index < (options.instances ?? 12); index++) {
    const flavor = flavors[Math.floor(random() * flavors.length)] as WorldFlavor;
    const place = choosePlace(room, flavor, random, options.skew ?? 0.5);
    const load = randomProfile(random);
    if (place < 0) continue;
    const left = room[place] as (typeof room)[number];
    left.vcpus -= flavor.vcpus;
    left.memory -= flavor.ram_mb;
    left.disk -= flavor.disk_gb;
    servers.push({
      name: `vm-${String(index + 1).padStart(5, '0')}`,
      flavor: flavor.name,
      host: (hosts[place] as WorldHost).hostname,
      project: `project-${1 + Math.floor(random() * 8)}`,
      load,
    });
  }
  const groups = makeGroups(servers, options.groups ?? 0);
  return {
    format: 'vigil-simulator-world',
    version: 1,
    name: `generated-${seed}-${hosts.length}-${servers.length}`,
    description: 'generated',
    hosts,
    flavors,
    servers,
    server_groups: groups,
    ...generateStorage(servers, options.volumes ?? 0, seed),
    ...(options.baremetal ? { baremetal_nodes: makeNodes(hosts.slice(0, options.baremetal)) } : {}),
  };
}

function makeNodes(hosts: WorldHost[]): WorldNode[] {
  return hosts.map(({ hostname }) => ({ name: `node-${hostname}`, host: hostname }));
}

function makeHosts(options: GenerateWorldOptions): WorldHost[] {
  const vcpus = options.hostVcpus ?? 32;
  const zones = options.zones ?? 1;
  return Array.from({ length: options.hosts ?? 4 }, (_, index) => ({
    hostname: `${options.hostPrefix ?? 'compute-'}${index + 1}`,
    vcpus,
    memory_mb: vcpus * 4096,
    disk_gb: vcpus * 40,
    cpu_allocation_ratio: options.cpuAllocationRatio ?? 4,
    zone: zones > 1 ? `zone-${(index % zones) + 1}` : 'nova',
  }));
}

function choosePlace(
  room: { vcpus: number; memory: number; disk: number }[],
  flavor: WorldFlavor,
  random: RandomSource,
  skew: number,
): number {
  const start = Math.floor(room.length * random() ** (1 + 4 * skew));
  for (let step = 0; step < room.length; step++) {
    const place = (start + step) % room.length;
    const left = room[place] as (typeof room)[number];
    if (left.vcpus >= flavor.vcpus && left.memory >= flavor.ram_mb && left.disk >= flavor.disk_gb) return place;
  }
  return -1;
}

/** One of the four kinds: 20 % idle, 40 % steady, 30 % diurnal, 10 % bursty. */
function randomProfile(random: RandomSource): LoadProfile {
  const draw = random();
  const base = Math.round(5 + 60 * random() ** 2);
  if (draw < 0.2) return { kind: 'idle', base: 1 };
  if (draw < 0.6) return { kind: 'steady', base };
  if (draw < 0.9) return { kind: 'diurnal', base, amplitude: Math.round(base / 2) };
  return { kind: 'bursty', base: Math.round(base / 2), burst_probability: 0.2, burst_cpu: 50 };
}

function makeGroups(servers: WorldServer[], count: number): NonNullable<WorldFile['server_groups']> {
  const groups: NonNullable<WorldFile['server_groups']> = [];
  const free = [...servers];
  for (let index = 0; index < count; index++) {
    const name = `group-${index + 1}`;
    const members: WorldServer[] = [];
    for (const server of free) {
      if (members.length < 3 && !members.some((member) => member.host === server.host)) members.push(server);
    }
    for (const member of members) {
      member.group = name;
      free.splice(free.indexOf(member), 1);
    }
    groups.push({ name, policy: 'anti-affinity', project: 'demo' });
  }
  return groups;
}

/** Pools, types and `count` volumes. Every second volume is attached to one of the servers, which are changed. */
function generateStorage(
  servers: WorldServer[],
  count: number,
  seed: number,
): Pick<WorldFile, 'volumes' | 'volume_types' | 'pools'> {
  if (count === 0) return { volume_types: [{ name: 'standard' }], pools: [lvmPool] };
  const random = createRandom(seed + seedOfStorage);
  const pools = [lvmPool, ...otherPools];
  const volumes: WorldVolume[] = Array.from({ length: count }, (_, index) => {
    const pool = pools[Math.floor(random() * pools.length)] ?? lvmPool;
    return {
      name: `volume-${String(index + 1).padStart(4, '0')}`,
      size_gb: 10 * (1 + Math.floor(20 * random() ** 2)),
      type: pool.backend_name === 'ceph' ? 'fast' : 'standard',
      pool: pool.name,
    };
  });
  for (const volume of volumes.filter((_, index) => index % 2 === 0)) {
    const server = servers[Math.floor(random() * servers.length)];
    if (server === undefined) continue;
    server.volumes = [...(server.volumes ?? []), volume.name];
    if (server.project !== undefined) volume.project = server.project;
  }
  const types = [
    { name: 'standard', extra_specs: { volume_backend_name: 'lvm' } },
    { name: 'fast', extra_specs: { volume_backend_name: 'ceph' } },
  ];
  return { volumes, volume_types: types, pools };
}
