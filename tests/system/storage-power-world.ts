/** Hosts of the world, by their role. */
export const worldHosts = {
  /** Busy. */
  hot: 'compute-1',
  /** Hosts with small caches, on which one instance disturbs another. */
  crowded: 'compute-2',
  /** The zone to leave. */
  old: 'compute-3',
  /** The zone to move to. */
  fresh: 'compute-4',
  /** Empty, on nodes of Ironic. */
  idle: ['compute-5', 'compute-6', 'compute-7'],
} as const;

/** Pools of the world. */
export const worldPools = { full: 'storage-1@lvm#p', empty: 'storage-2@lvm#p', old: 'storage-3@lvm#p' } as const;

const host = (hostname: string, changes: object = {}) => ({
  hostname,
  vcpus: 16,
  memory_mb: 65_536,
  disk_gb: 1000,
  ...changes,
});
const steady = (base: number) => ({ kind: 'steady', base, noise: 0, memory: 0.5 });

/** A world file with work for each of the strategies for temperature, airflow, caches, storage and power. */
export function storagePowerWorld(): object {
  const { hot, crowded, old, fresh, idle } = worldHosts;
  const full = Array.from({ length: 9 }, (_, index) => ({
    name: `full-${index}`,
    size_gb: 100,
    type: 'standard',
    pool: worldPools.full,
  }));
  return {
    format: 'vigil-simulator-world',
    version: 1,
    name: 'storage-power',
    storage: 'shared',
    hosts: [
      host(hot),
      host(crowded, { vcpus: 4, cpu_allocation_ratio: 8 }),
      host(old),
      host(fresh),
      ...idle.map((name) => host(name)),
    ],
    flavors: [
      { name: 'large', vcpus: 4, ram_mb: 4096, disk_gb: 10 },
      { name: 'wide', vcpus: 8, ram_mb: 4096, disk_gb: 10 },
    ],
    servers: [
      ...[1, 2, 3, 4].map((index) => ({ name: `hot-${index}`, flavor: 'large', host: hot, load: steady(95) })),
      { name: 'victim', flavor: 'wide', host: crowded, load: steady(6), metadata: { 'watcher-priority': '1' } },
      { name: 'noisy', flavor: 'wide', host: crowded, load: steady(2), metadata: { 'watcher-priority': '9' } },
      { name: 'old-1', flavor: 'large', host: old, load: steady(5), volumes: ['old-used'] },
      { name: 'old-2', flavor: 'large', host: old, state: 'stopped' },
    ],
    volume_types: [{ name: 'standard', extra_specs: { volume_backend_name: 'lvm' } }],
    pools: Object.values(worldPools).map((name) => ({ name, total_gb: 1000, backend_name: 'lvm' })),
    volumes: [
      ...full,
      { name: 'old-used', size_gb: 20, type: 'standard', pool: worldPools.old },
      { name: 'old-free', size_gb: 10, type: 'standard', pool: worldPools.old },
    ],
    baremetal_nodes: idle.map((name) => ({ name: `machine-${name}`, host: name })),
  };
}
