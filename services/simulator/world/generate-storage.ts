import { createSeededRandom } from '../seeded.ts';
import type { WorldFile, WorldPool, WorldServer, WorldVolume } from './world-file.ts';

/** Apart from the seed of the rest, so that volumes change nothing else of a world. */
const seedOfStorage = 7919;

const lvmPool: WorldPool = { name: 'storage-1@lvm#standard', total_gb: 10_000, backend_name: 'lvm' };
const otherPools: WorldPool[] = [
  { name: 'storage-2@lvm#standard', total_gb: 10_000, backend_name: 'lvm' },
  { name: 'storage-3@ceph#fast', total_gb: 10_000, backend_name: 'ceph' },
];

/** Pools, types and `count` volumes; every other volume is attached to one of the servers, which are changed. */
export function generateStorage(
  servers: WorldServer[],
  count: number,
  seed: number,
): Pick<WorldFile, 'volumes' | 'volume_types' | 'pools'> {
  if (count === 0) return { volume_types: [{ name: 'standard' }], pools: [lvmPool] };
  const random = createSeededRandom(seed + seedOfStorage);
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
