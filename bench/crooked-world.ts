import type { ComputeSnapshot, GroupInfo, InstanceInfo } from '#libs/cluster-model';
import {
  allocateHostColumns,
  allocateInstanceColumns,
  hostFlag,
  instanceFlag,
  instanceStates,
} from '#libs/cluster-model';
import type { RandomSource } from '#libs/domain';
import { uuid } from './synthetic-world.ts';

/** vcpus, MiB of memory and ratio of CPUs of the models of hosts. */
const models = [
  [64, 512 * 1024, 4],
  [96, 768 * 1024, 4],
  [48, 256 * 1024, 8],
  [128, 1024 * 1024, 2],
] as const;
const hostDiskGib = 10_000;

/** Flavors as vcpus, MiB and GiB. Frequent flavors are listed several times. */
const ordinaryFlavors = [
  [1, 2048, 20],
  [2, 4096, 20],
  [2, 4096, 40],
  [2, 8192, 40],
  [4, 8192, 80],
  [4, 16_384, 80],
  [8, 32_768, 160],
] as const;
const flavors = [...ordinaryFlavors, ...ordinaryFlavors, [16, 131_072, 160] as const];

const zones = ['az1', 'az2', 'az3'];
/** The first aggregates reserve their hosts for projects, the next for flavors. The others reserve nothing. */
const aggregateCount = 20;
const tenantAggregates = 6;
const flavorAggregates = 6;
const reservingAggregates = tenantAggregates + flavorAggregates;
const projectCount = 100;
/** Groups in a cloud of 20,000 instances. */
const groupsPerInstance = 900 / 20_000;
const policies: GroupInfo['policy'][] = [
  ...(['anti-affinity', 'anti-affinity', 'anti-affinity', 'soft-anti-affinity'] as const),
  ...(['soft-anti-affinity', 'soft-affinity', 'affinity', 'anti-affinity', 'anti-affinity'] as const),
];
/** Hosts are filled by placement to this share of their capacity. */
const mostFilled = 0.85;
const spareShare = 0.06;
const placeAttempts = 12;

const pick = <Item>(random: RandomSource, items: readonly Item[]): Item =>
  items[Math.floor(random() * items.length)] as Item;
const project = (row: number) => uuid(3, row % projectCount);

function makeAggregates(): ComputeSnapshot['aggregates'] {
  return Array.from({ length: aggregateCount }, (_, row) => {
    const isTenant = row < tenantAggregates;
    const isFlavor = !isTenant && row < reservingAggregates;
    const tenants = { filter_tenant_id: [0, 1, 2].map((offset) => project(3 * row + offset)).join(',') };
    const metadata = isTenant ? tenants : isFlavor ? { [`class-${row}`]: 'true' } : {};
    return { id: row + 1, name: `aggregate-${row}`, zone: null, metadata };
  });
}

/**
 * State of a host: one in a hundred is down, two are disabled by operators, one was switched off by an earlier plan.
 */
function fateOf(random: RandomSource): { flags: number; disabledReason: string | null } {
  const fate = random();
  if (fate < 0.01) return { flags: hostFlag.enabled, disabledReason: null };
  if (fate < 0.03) return { flags: hostFlag.up, disabledReason: 'repair' };
  if (fate < 0.04) return { flags: 0, disabledReason: 'watcher_disabled' };
  return { flags: hostFlag.up | hostFlag.enabled, disabledReason: null };
}

function aggregatesOf(random: RandomSource): number[] {
  const isReserved = random() < 0.25;
  const reserved = Math.floor(random() * reservingAggregates);
  const plain = reservingAggregates + Math.floor(random() * (aggregateCount - reservingAggregates));
  return isReserved ? [reserved, plain] : [plain];
}

function makeHosts(count: number, random: RandomSource) {
  const hosts = allocateHostColumns(count);
  const hostInfo = Array.from({ length: count }, (_, row) => {
    const [vcpus, memory, ratio] = pick(random, models);
    hosts.vcpus[row] = vcpus;
    hosts.vcpusRatio[row] = ratio;
    hosts.vcpusReserved[row] = pick(random, [0, 2, 4]);
    hosts.memory[row] = memory;
    hosts.memoryReserved[row] = pick(random, [8192, 16_384, 32_768]);
    hosts.disk[row] = hostDiskGib;
    hosts.diskReserved[row] = pick(random, [0, 100]);
    hosts.zone[row] = row % zones.length;
    const { flags, disabledReason } = fateOf(random);
    hosts.flags[row] = flags;
    return {
      uuid: uuid(1, row),
      hostname: `compute-${String(row).padStart(5, '0')}`,
      disabledReason,
      aggregates: aggregatesOf(random),
      traits: ['HW_CPU_X86_AVX2', ...(random() < 0.5 ? ['HW_CPU_X86_AVX512F'] : [])],
    };
  });
  return { hosts, hostInfo };
}

type Hosts = ReturnType<typeof makeHosts>;

/** Demands of an instance that fit its first host. */
function demandsOn({ hosts, hostInfo }: Hosts, host: number, random: RandomSource) {
  const info = hostInfo[host];
  const [reserved = -1] = (info?.aggregates ?? []).filter((row) => row < reservingAggregates);
  const isTenant = reserved >= 0 && reserved < tenantAggregates;
  const needsTrait = random() < 0.1 && (info?.traits.length ?? 0) > 1;
  return {
    projectId: isTenant
      ? project(3 * reserved + Math.floor(3 * random()))
      : project(3 * tenantAggregates + Math.floor(random() * (projectCount - 3 * tenantAggregates))),
    flavorExtraSpecs: {
      ...(reserved >= tenantAggregates ? { [`aggregate_instance_extra_specs:class-${reserved}`]: 'true' } : {}),
      ...(needsTrait ? { 'trait:HW_CPU_X86_AVX512F': 'required' } : {}),
    } as Record<string, string>,
    pinnedZone: random() < 0.3 ? (zones[hosts.zone[host] as number] ?? '') : '',
  };
}

function hasRoom({ hosts }: Hosts, host: number, [vcpus, memory, disk]: (typeof flavors)[number]): boolean {
  const fits = (used: Float64Array, need: number, total: Float64Array, reserved: Float64Array, ratio: Float64Array) =>
    (used[host] as number) + need <=
    ((total[host] as number) - (reserved[host] as number)) * (ratio[host] as number) * mostFilled;
  return (
    fits(hosts.vcpusUsed, vcpus, hosts.vcpus, hosts.vcpusReserved, hosts.vcpusRatio) &&
    fits(hosts.memoryUsed, memory, hosts.memory, hosts.memoryReserved, hosts.memoryRatio) &&
    fits(hosts.diskUsed, disk, hosts.disk, hosts.diskReserved, hosts.diskRatio)
  );
}

/** Returns a host in use with room. −1 when a number of attempts found none. */
function placeFor(
  cloud: Hosts,
  spare: ReadonlySet<number>,
  flavor: (typeof flavors)[number],
  random: RandomSource,
): number {
  for (let attempt = 0; attempt < placeAttempts; attempt++) {
    const host = Math.floor(random() * cloud.hostInfo.length);
    if (!spare.has(host) && hasRoom(cloud, host, flavor)) return host;
  }
  return -1;
}

/** Places members of hard groups as their policy requires. */
function makeGroups({ instances }: Pick<ComputeSnapshot, 'instances'>, random: RandomSource): GroupInfo[] {
  const count = Math.ceil(instances.host.length * groupsPerInstance);
  const groups = Array.from({ length: count }, (_, row) => ({
    uuid: uuid(6, row),
    policy: pick(random, policies),
    maxServerPerHost: 1,
  }));
  const perHost = new Map<number, number[]>();
  instances.host.forEach((host, row) => {
    if (host >= 0) perHost.set(host, [...(perHost.get(host) ?? []), row]);
  });
  const hosts = [...perHost.keys()];
  groups.forEach(({ policy }, group) => {
    const home = pick(random, hosts);
    const size = 2 + Math.floor(5 * random());
    for (let member = 0; member < size; member++) {
      const host = policy.endsWith('anti-affinity') ? hosts[(hosts.indexOf(home) + member) % hosts.length] : home;
      const row = (perHost.get(host as number) ?? []).find((instance) => (instances.group[instance] as number) < 0);
      if (row !== undefined) instances.group[row] = group;
    }
  });
  return groups;
}

/**
 * A cloud as operators have them: three zones, twenty aggregates (a quarter of the hosts is kept for projects or
 * flavors), server groups of all policies (900 for 20,000 instances), four models of hosts with reservations and
 * ratios, traits, pinned, stopped and locked instances, hosts that are down, disabled or empty. The same seed gives the
 * same cloud.
 */
export function crookedSnapshot(hostCount: number, instanceCount: number, random: RandomSource): ComputeSnapshot {
  const cloud = makeHosts(hostCount, random);
  const { hosts, hostInfo } = cloud;
  const spare = new Set(
    hostInfo.flatMap(({ disabledReason }, row) =>
      disabledReason === 'watcher_disabled' || random() < spareShare ? row : [],
    ),
  );
  const instances = allocateInstanceColumns(instanceCount);
  instances.group.fill(-1);
  const stopped = instanceStates.indexOf('stopped');
  const instanceInfo = Array.from({ length: instanceCount }, (_, row): InstanceInfo => {
    const flavor = pick(random, flavors);
    const host = placeFor(cloud, spare, flavor, random);
    const [vcpus, memory, disk] = flavor;
    instances.vcpus[row] = vcpus;
    instances.memory[row] = memory;
    instances.disk[row] = disk;
    instances.host[row] = host;
    instances.state[row] = random() < 0.05 ? stopped : 0;
    instances.flags[row] = random() < 0.02 ? instanceFlag.locked : 0;
    if (host >= 0) {
      hosts.vcpusUsed[host] = (hosts.vcpusUsed[host] as number) + vcpus;
      hosts.memoryUsed[host] = (hosts.memoryUsed[host] as number) + memory;
      hosts.diskUsed[host] = (hosts.diskUsed[host] as number) + disk;
    }
    return {
      uuid: uuid(2, row),
      name: `instance-${row}`,
      metadata: { 'watcher-priority': String(row % 10) },
      ...demandsOn(cloud, Math.max(0, host), random),
      created: '2026-01-01T00:00:00Z',
    };
  });
  const aggregates = makeAggregates();
  const groups = makeGroups({ instances }, random);
  return {
    hosts,
    hostInfo,
    instances,
    instanceInfo,
    groups,
    aggregates,
    zones,
    takenAtMs: 0,
    complete: true,
    gaps: [],
  };
}
