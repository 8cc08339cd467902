import type { StoragePool, VolumeType } from '#libs/openstack';
import type { CrookedWorld } from './crooked-world.ts';
import type { Draw } from './draw.ts';
import { uuidOf } from './random-hosts.ts';

const types: VolumeType[] = [
  { id: 'fast', name: 'fast', extraSpecs: { volume_backend_name: 'ssd' } },
  { id: 'bulk', name: 'bulk', extraSpecs: { volume_backend_name: 'hdd' } },
  { id: 'any', name: 'any', extraSpecs: {} },
];

/** Backend of volumes that only one host reaches. */
const localBackend = 'local';

function poolOf(draw: Draw, row: number): StoragePool {
  const backend = draw.pick(['ssd', 'hdd', localBackend]);
  const total = draw.pick([1000, 2000]);
  const free = Math.round(total * draw.between(0.02, 0.7));
  const thin = draw.chance(0.5);
  const promised = Math.round((total - free) * (thin ? draw.between(1, 2.5) : 1));
  return {
    name: `storage-${row}@${backend}#pool`,
    totalCapacityGb: total,
    freeCapacityGb: free,
    provisionedCapacityGb: promised,
    allocatedCapacityGb: promised,
    volumeBackendName: backend,
    capabilities: {
      thin_provisioning_support: thin ? 'True' : 'False',
      max_over_subscription_ratio: thin ? '2.0' : '1.0',
      reserved_percentage: draw.pick(['0', '5']),
    },
  };
}

function addVolume(world: CrookedWorld, draw: Draw, index: number): void {
  const pool = draw.pick(world.storage.pools);
  const server = draw.chance(0.5) ? draw.pick(world.servers) : undefined;
  const uuid = uuidOf(4, index);
  const isBound = pool.volumeBackendName === localBackend;
  if (server !== undefined) {
    server.attachedVolumeIds.push(uuid);
    if (isBound) world.hostBoundVolumes.add(uuid);
  }
  const fitting = types.filter(({ extraSpecs }) => {
    const backend = extraSpecs.volume_backend_name;
    return backend === undefined || backend === pool.volumeBackendName;
  });
  const attachments = server === undefined ? [] : [{ serverId: server.uuid, attachmentId: `attached-${index}` }];
  world.storage.volumes.push({
    ...{ uuid, name: `volume-${index}`, sizeGb: draw.whole(1, 120), host: pool.name, nameId: null, attachments },
    status: server === undefined ? draw.pick(['available', 'available', 'error', 'reserved']) : 'in-use',
    volumeType: draw.chance(0.8) ? draw.pick(fitting).name : null,
    multiattach: false,
    bootable: draw.chance(0.3),
    migrationStatus: draw.pick([null, null, null, 'success', 'error', 'migrating']),
    projectId: server?.projectId ?? 'project-a',
    createdAt: `2026-01-01T00:${String(index % 60).padStart(2, '0')}:00`,
  });
  if (draw.chance(0.1))
    world.storage.snapshots.push({ uuid: `${uuid}-s`, name: 's', volumeId: uuid, status: 'available', sizeGb: 1 });
}

/** Pools on backends of three kinds, some down or disabled, and volumes in every state. */
export function addStorage(world: CrookedWorld, draw: Draw): void {
  const { pools, services } = world.storage;
  for (let row = draw.whole(3, 6); row > 0; row--) pools.push(poolOf(draw, row));
  world.storage.types.push(...types);
  for (const { name } of pools) {
    const [state, status] = [draw.chance(0.1) ? 'down' : 'up', draw.chance(0.1) ? 'disabled' : 'enabled'] as const;
    services.push({ host: name.split('#')[0] as string, zone: 'nova', state, status });
  }
  for (let index = draw.whole(10, 30); index > 0; index--) addVolume(world, draw, index);
}
