import type { BaremetalSnapshot, ComputeSnapshot, StorageSnapshot } from '#libs/cluster-model';
import { hostFlag } from '#libs/cluster-model';

export { seededRandom } from '#libs/random-worlds';

/** Returns a uuid from a kind and a number. */
export function uuid(kind: number, index: number): string {
  return `${kind.toString(16).padStart(8, '0')}-0000-4000-8000-${index.toString(16).padStart(12, '0')}`;
}

const poolGb = 100_000;
const volumeGb = 100;

/** Block storage of a pool for ten hosts and a volume an instance. Every other pool is filled above 80 %. */
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

/** Returns whether the compute service of a host reports. */
export function isUp({ flags }: ComputeSnapshot['hosts'], row: number): boolean {
  return ((flags[row] as number) & hostFlag.up) !== 0;
}

/** A node for every host: powered off where the service does not report, on elsewhere. */
export function syntheticBaremetal({ hostInfo, hosts }: ComputeSnapshot): BaremetalSnapshot {
  return {
    nodes: hostInfo.map((host, row) => ({
      uuid: uuid(5, row),
      name: `machine-${row}`,
      power: isUp(hosts, row) ? 'on' : 'off',
      powerState: isUp(hosts, row) ? 'power on' : 'power off',
      maintenance: false,
      maintenanceReason: null,
      computeNodeUuid: host.uuid,
    })),
    takenAtMs: 0,
    complete: true,
    gaps: [],
  };
}
