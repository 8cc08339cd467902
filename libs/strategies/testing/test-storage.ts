import { buildStorageSnapshot, type StorageSnapshot } from '#libs/cluster-model';
import { testUuid } from '#libs/plugin-kit/testing';

/** Block storage of tests in plain data. Omitted fields have a default. */
export interface TestStorage {
  pools: { name: string; total?: number | null; free?: number | null; allocated?: number; thin?: boolean }[];
  volumes?: {
    name: string;
    pool: string;
    size?: number;
    type?: string;
    status?: string;
    bootable?: boolean;
    servers?: string[];
    project?: string;
    created?: string;
    snapshots?: boolean;
    migrationStatus?: string;
  }[];
  types?: Record<string, Record<string, string>>;
  /** Zones of backends. Default nova. */
  zones?: Record<string, string>;
  /** Backends that are down. */
  down?: string[];
  disabled?: string[];
}

/** Creates the snapshot of a block storage. Uuids of volumes are in the order of the volumes. */
export function createTestStorage(storage: TestStorage): StorageSnapshot {
  const volumes = storage.volumes ?? [];
  const backends = [...new Set(storage.pools.map(({ name }) => name.split('#')[0] as string))];
  return buildStorageSnapshot({
    services: backends.map((host) => ({
      host,
      zone: storage.zones?.[host] ?? 'nova',
      status: storage.disabled?.includes(host) ? 'disabled' : 'enabled',
      state: storage.down?.includes(host) ? 'down' : 'up',
    })),
    pools: storage.pools.map(({ name, total = 500, free = 420, allocated = 80, thin = true }) => ({
      name,
      totalCapacityGb: total,
      freeCapacityGb: free,
      provisionedCapacityGb: allocated,
      allocatedCapacityGb: allocated,
      volumeBackendName: name.slice(name.indexOf('@') + 1).split('#')[0] ?? null,
      capabilities: { thin_provisioning_support: String(thin), max_over_subscription_ratio: '2' },
    })),
    volumes: volumes.map((volume, index) => ({
      uuid: volumeUuid(index),
      name: volume.name,
      sizeGb: volume.size ?? 40,
      status: volume.status ?? (volume.servers?.length ? 'in-use' : 'available'),
      volumeType: volume.type ?? null,
      host: volume.pool,
      attachments: (volume.servers ?? []).map((serverId) => ({ serverId, attachmentId: `to ${serverId}` })),
      multiattach: false,
      bootable: volume.bootable ?? false,
      migrationStatus: volume.migrationStatus ?? null,
      nameId: null,
      projectId: volume.project,
      createdAt: volume.created,
    })),
    types: Object.entries(storage.types ?? {}).map(([name, extraSpecs]) => ({ id: name, name, extraSpecs })),
    snapshots: volumes.flatMap(({ name, snapshots }, index) =>
      snapshots
        ? [{ uuid: testUuid(`snapshot of ${name}`), name, volumeId: volumeUuid(index), status: 'available', sizeGb: 1 }]
        : [],
    ),
    takenAtMs: 0,
  });
}

function volumeUuid(index: number): string {
  return `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
}
