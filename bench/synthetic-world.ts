import type { BaremetalSnapshot, ComputeSnapshot, StorageSnapshot } from '#libs/cluster-model';
import { allocateHostColumns, allocateInstanceColumns, hostFlag } from '#libs/cluster-model';
import type { MetricName, RandomSource } from '#libs/domain';
import type { MetricsReader } from '#libs/plugin-kit';

const hostVcpus = 64;
const hostMemoryMib = 512 * 1024;
const hostDiskGib = 10_000;
const cpuRatio = 4;

/** Flavors as vcpus, MiB and GiB; small ones are listed more often, as they are used more often. */
const flavors = [
  [1, 2048, 20],
  [2, 4096, 20],
  [2, 4096, 40],
  [2, 8192, 40],
  [4, 8192, 80],
  [4, 16_384, 80],
  [8, 32_768, 160],
] as const;

/** Uniform numbers in [0, 1) from a 32-bit seed (xorshift32, Marsaglia 2003). */
export function seededRandom(seed: number): RandomSource {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 2 ** 32;
  };
}

function uuid(kind: number, index: number): string {
  return `${kind.toString(16).padStart(8, '0')}-0000-4000-8000-${index.toString(16).padStart(12, '0')}`;
}

/** A cloud of equal hosts with instances placed at random; the same seed gives the same cloud. */
export function syntheticSnapshot(hostCount: number, instanceCount: number, random: RandomSource): ComputeSnapshot {
  const hosts = allocateHostColumns(hostCount);
  hosts.vcpus.fill(hostVcpus);
  hosts.vcpusRatio.fill(cpuRatio);
  hosts.memory.fill(hostMemoryMib);
  hosts.disk.fill(hostDiskGib);
  hosts.flags.fill(hostFlag.up | hostFlag.enabled);
  const instances = allocateInstanceColumns(instanceCount);
  for (let row = 0; row < instanceCount; row++) {
    const [vcpus, memory, disk] = flavors[Math.floor(random() * flavors.length)] ?? flavors[0];
    const host = Math.floor(random() * hostCount);
    instances.vcpus[row] = vcpus;
    instances.memory[row] = memory;
    instances.disk[row] = disk;
    instances.host[row] = host;
    hosts.vcpusUsed[host] = (hosts.vcpusUsed[host] as number) + vcpus;
    hosts.memoryUsed[host] = (hosts.memoryUsed[host] as number) + memory;
    hosts.diskUsed[host] = (hosts.diskUsed[host] as number) + disk;
  }
  return {
    hosts,
    hostInfo: Array.from({ length: hostCount }, (_, row) => ({
      uuid: uuid(1, row),
      hostname: `compute-${String(row).padStart(5, '0')}`,
      disabledReason: null,
      aggregates: [],
      traits: [],
    })),
    instances,
    instanceInfo: Array.from({ length: instanceCount }, (_, row) => ({
      uuid: uuid(2, row),
      name: `instance-${row}`,
      projectId: uuid(3, row % 100),
      metadata: { 'watcher-priority': String(row % 10) },
      flavorExtraSpecs: {},
      pinnedZone: '',
      created: '2026-01-01T00:00:00Z',
    })),
    groups: [],
    aggregates: [],
    zones: ['nova'],
    takenAtMs: 0,
    complete: true,
    gaps: [],
  };
}

/** Metrics of a snapshot: every host has its own level of activity, so that the load is spread unevenly. */
export function syntheticMetrics(snapshot: ComputeSnapshot, random: RandomSource): MetricsReader {
  const { hosts, instances } = snapshot;
  const activity = hosts.vcpus.map(() => 10 + 80 * random());
  const cpu = instances.vcpus.map((_, row) =>
    Math.min(100, (activity[instances.host[row] as number] as number) * 2 * random()),
  );
  const ram = instances.memory.map((memory) => memory * (0.2 + 0.7 * random()));
  const hostCpu = new Float64Array(hosts.vcpus.length);
  const hostRam = new Float64Array(hosts.vcpus.length);
  instances.host.forEach((host, row) => {
    const used = ((cpu[row] as number) * (instances.vcpus[row] as number)) / (hosts.vcpus[host] as number);
    hostCpu[host] = (hostCpu[host] as number) + used;
    hostRam[host] = (hostRam[host] as number) + (ram[row] as number) * 1024;
  });
  const columns: Partial<Record<MetricName, Float64Array>> = {
    host_cpu_usage: hostCpu,
    host_ram_usage: hostRam,
    instance_cpu_usage: cpu,
    instance_ram_usage: ram,
    instance_ram_allocated: instances.memory,
    instance_root_disk_size: instances.disk,
  };
  const cache = instances.vcpus.map(() => 1e6 * (0.2 + random()));
  const cacheOfBothPeriods = cache.map((bytes) => bytes * (0.6 + random()));
  Object.assign(columns, {
    host_outlet_temp: hostCpu.map(() => 20 + 25 * random()),
    host_airflow: hostCpu.map(() => 200 + 300 * random()),
    host_inlet_temp: hostCpu.map(() => 20 + 5 * random()),
    host_power: hostCpu.map(() => 150 + 150 * random()),
  });
  let cacheQueries = 0;
  const nothing = (count: number) => new Float64Array(count).fill(Number.NaN);
  return {
    hosts: async (metric) => columns[metric] ?? nothing(hosts.vcpus.length),
    instances: async (metric) =>
      metric === 'instance_l3_cache_usage'
        ? ([cache, cacheOfBothPeriods][cacheQueries++ % 2] ?? cache)
        : (columns[metric] ?? nothing(instances.vcpus.length)),
  };
}

const poolGb = 100_000;
const volumeGb = 100;

/** Block storage of a pool for ten hosts and a volume an instance; every other pool is filled above 80 %. */
export function syntheticStorage({ hostInfo, instanceInfo }: ComputeSnapshot): StorageSnapshot {
  const poolCount = Math.max(2, Math.ceil(hostInfo.length / 10));
  const node = (row: number) => `storage-${String(row).padStart(4, '0')}@ceph`;
  const volumes = instanceInfo.map((_, row) => ({
    uuid: uuid(4, row),
    name: `volume-${row}`,
    sizeGb: volumeGb,
    status: 'available',
    type: null,
    pool: row % poolCount,
    host: `${node(row % poolCount)}#pool`,
    serverUuids: [],
    bootable: false,
    migrationStatus: null,
    hasSnapshots: false,
    projectId: uuid(3, row % 100),
    createdAt: '2026-01-01T00:00:00Z',
  }));
  const pools = Array.from({ length: poolCount }, (_, row) => {
    const usedGb = poolGb * (row % 2 === 0 ? 0.9 : 0.4);
    return {
      name: `${node(row)}#pool`,
      node: row,
      backendName: 'ceph',
      totalGb: poolGb,
      freeGb: poolGb - usedGb,
      provisionedGb: usedGb,
      allocatedGb: usedGb,
      reservedShare: 0,
      thin: false,
      maxOverSubscriptionRatio: 1,
      capabilities: {},
    };
  });
  return {
    nodes: pools.map((_, row) => ({ host: node(row), zone: 'nova', enabled: true, up: true, volumeTypes: [] })),
    pools,
    volumes,
    types: [],
    takenAtMs: 0,
    complete: true,
    gaps: [],
  };
}

/** A machine that is on below every host. */
export function syntheticBaremetal({ hostInfo }: ComputeSnapshot): BaremetalSnapshot {
  return {
    nodes: hostInfo.map((host, row) => ({
      uuid: uuid(5, row),
      name: `machine-${row}`,
      power: 'on',
      powerState: 'power on',
      maintenance: false,
      maintenanceReason: null,
      computeNodeUuid: host.uuid,
    })),
    takenAtMs: 0,
    complete: true,
    gaps: [],
  };
}
