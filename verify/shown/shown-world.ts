/** Roles of hosts and pools in the world of the judge. */
export const shownHosts = {
  /** Carry most instances. */
  common: Array.from({ length: 8 }, (_, place) => `compute-${place + 1}`),
  /** Small caches and few CPUs: one instance disturbs another. */
  crowded: 'compute-9',
  /** Empty, on nodes of Ironic. */
  idle: ['compute-10', 'compute-11'],
} as const;

export const shownPools = { full: 'storage-1@lvm#p', empty: 'storage-2@lvm#p', old: 'storage-3@lvm#p' } as const;

const flavors = [
  { name: 'small', vcpus: 2, ram_mb: 4096, disk_gb: 10 },
  { name: 'medium', vcpus: 4, ram_mb: 6144, disk_gb: 20 },
  { name: 'large', vcpus: 8, ram_mb: 16_384, disk_gb: 40 },
] as const;

const host = (hostname: string, changes: object = {}) => ({
  hostname,
  vcpus: 32,
  memory_mb: 131_072,
  disk_gb: 2000,
  ...changes,
});
const steady = (base: number) => ({ kind: 'steady', base, noise: 0, memory: 0.5 });

/**
 * A world file with work for every strategy. Loads are steady, so that the load of a host depends on its instances only
 * and the judge knows it at any time.
 * @param random uniform numbers in [0, 1)
 */
export function shownWorld(random: () => number): object {
  const { common, crowded, idle } = shownHosts;
  const servers = Array.from({ length: 44 }, (_, place) => ({
    name: `server-${place + 1}`,
    flavor: flavors[Math.floor(random() ** 2 * flavors.length)]?.name,
    // Low numbers are frequent, so that the first hosts are full and the last ones have room.
    host: common[Math.floor(random() ** 1.7 * common.length)],
    load: steady(10 + Math.round(70 * random())),
  }));
  const volume = (name: string, pool: string, size: number) => ({ name, size_gb: size, type: 'standard', pool });
  return {
    format: 'vigil-simulator-world',
    version: 1,
    name: 'shown',
    storage: 'shared',
    hosts: [
      ...common.map((name) => host(name)),
      host(crowded, { vcpus: 4, cpu_allocation_ratio: 8 }),
      ...idle.map((name) => host(name)),
    ],
    flavors,
    servers: [
      ...servers,
      { name: 'victim', flavor: 'large', host: crowded, load: steady(6), metadata: { 'watcher-priority': '1' } },
      { name: 'noisy', flavor: 'large', host: crowded, load: steady(45), metadata: { 'watcher-priority': '9' } },
    ],
    volume_types: [{ name: 'standard', extra_specs: { volume_backend_name: 'lvm' } }],
    pools: Object.values(shownPools).map((name) => ({ name, total_gb: 1000, backend_name: 'lvm' })),
    volumes: [
      ...Array.from({ length: 9 }, (_, place) => volume(`full-${place}`, shownPools.full, 100)),
      ...Array.from({ length: 3 }, (_, place) => volume(`old-${place}`, shownPools.old, 20)),
    ],
    baremetal_nodes: idle.map((name) => ({ name: `machine-${name}`, host: name })),
  };
}
