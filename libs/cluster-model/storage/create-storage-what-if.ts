import { isMigrating, type StoragePoolInfo, type StorageSnapshot, type StorageVolumeInfo } from './storage-snapshot.ts';
import type { StorageConstraintName, StorageWhatIf } from './storage-what-if.ts';

/** Statuses in which Cinder migrates and retypes. */
const movableStatuses = new Set(['available', 'in-use']);

function immovableReason(volume: StorageVolumeInfo): StorageConstraintName | null {
  if (isMigrating(volume)) return 'volume-migrating';
  if (!movableStatuses.has(volume.status)) return 'volume-status';
  if (volume.hasSnapshots) return 'volume-snapshots';
  if (volume.serverUuids.length > 1) return 'volume-multiattach';
  if (volume.grouped) return 'volume-group';
  if (volume.replicated) return 'volume-replicated';
  // Nova copies no encrypted volume under a running server.
  if (volume.encrypted && volume.serverUuids.length > 0) return 'volume-encrypted';
  return volume.pool < 0 ? 'volume-unplaced' : null;
}

function column(pools: StoragePoolInfo[], value: (pool: StoragePoolInfo) => number | null): Float64Array {
  return Float64Array.from(pools, (pool) => value(pool) ?? Number.NaN);
}

/**
 * A changeable view on a storage snapshot. Building one costs O(pools + volumes + types), every check and move O(1).
 * Room is checked as by Cinder's capacity filter: thick pools by their free space less the reserve, thin pools also by
 * their provisioned share. Sizes that the backend does not report refuse nothing. Cinder's allocated size counts only
 * where the backend reports no provisioned size, as in that filter: it grows with every migration.
 * @param failedLately uuids of volumes that are left alone since their migration failed. Default none
 */
export function createStorageWhatIf(snapshot: StorageSnapshot, failedLately: readonly string[] = []): StorageWhatIf {
  const heldBack = new Set(failedLately);
  const { pools, nodes, volumes } = snapshot;
  const poolOf = Int32Array.from(volumes, ({ pool }) => pool);
  const typeOf = volumes.map(({ type }) => type);
  const total = column(pools, ({ totalGb }) => totalGb);
  const free = column(pools, ({ freeGb }) => freeGb);
  const provisioned = column(pools, ({ provisionedGb, allocatedGb }) => provisionedGb ?? allocatedGb);
  /**
   * Volumes arrive in any order. Because a thin pool accepts more than its free space, the smallest volume may not fit
   * as the last one.
   */
  const smallestArrival = new Float64Array(pools.length).fill(Number.POSITIVE_INFINITY);
  const poolRows = new Map(pools.map(({ name }, row) => [name, row]));
  const volumeRows = new Map(volumes.map(({ uuid }, row) => [uuid, row]));
  const types = new Map(snapshot.types.map((type) => [type.name, type.extraSpecs]));

  function stateRefusal(pool: StoragePoolInfo): StorageConstraintName | null {
    const node = nodes[pool.node];
    if (node === undefined) return null;
    if (!node.up) return 'pool-down';
    return node.enabled ? null : 'pool-disabled';
  }

  function capacityRefusal(sizeGb: number, row: number, pool: StoragePoolInfo): StorageConstraintName | null {
    const all = total[row] as number;
    const promised = ((provisioned[row] as number) + sizeGb) / all;
    if (pool.thin && promised > pool.maxOverSubscriptionRatio) return 'pool-oversubscription';
    const ratio = pool.thin ? pool.maxOverSubscriptionRatio : 1;
    const room = (free[row] as number) - pool.reservedShare * all;
    const smallest = Math.min(sizeGb, smallestArrival[row] as number);
    return smallest > (room - (sizeGb - smallest)) * ratio ? 'pool-capacity' : null;
  }

  function account(row: number, gb: number): void {
    if (row < 0) return;
    free[row] = (free[row] as number) - gb;
    provisioned[row] = (provisioned[row] as number) + gb;
  }

  function immovable(volume: number): StorageConstraintName | null {
    const info = volumes[volume];
    if (info === undefined) return 'volume-unplaced';
    return immovableReason(info) ?? (heldBack.has(info.uuid) ? 'migration-failed' : null);
  }

  function sameRefusal(volume: number, row: number, type: string | undefined): StorageConstraintName | null {
    if (type !== undefined) return type === typeOf[volume] ? 'same-type' : null;
    return poolOf[volume] === row ? 'same-pool' : null;
  }

  function placeRefusal(
    volume: number,
    row: number,
    pool: StoragePoolInfo,
    type: string | undefined,
  ): StorageConstraintName | null {
    const name = type ?? typeOf[volume] ?? null;
    const specs = name === null ? {} : types.get(name);
    if (specs === undefined) return 'unknown-type';
    if (!poolServes(pool, specs)) return 'pool-type';
    if (poolOf[volume] === row) return null;
    return stateRefusal(pool) ?? capacityRefusal(volumes[volume]?.sizeGb ?? 0, row, pool);
  }

  return {
    snapshot,
    poolOf,
    typeOf: (volume) => typeOf[volume] ?? null,
    free: (pool) => free[pool] ?? Number.NaN,
    total: (pool) => total[pool] ?? Number.NaN,
    usedShare: (pool) => ((total[pool] ?? Number.NaN) - (free[pool] ?? Number.NaN)) / (total[pool] ?? Number.NaN),
    immovable,
    refusal(volume, row, type) {
      const pool = pools[row];
      if (pool === undefined) return 'volume-unplaced';
      return immovable(volume) ?? sameRefusal(volume, row, type) ?? placeRefusal(volume, row, pool, type);
    },
    move(volume, row, type) {
      const gb = volumes[volume]?.sizeGb ?? 0;
      if (poolOf[volume] !== row) {
        account(poolOf[volume] as number, -gb);
        account(row, gb);
        if (row >= 0) smallestArrival[row] = Math.min(smallestArrival[row] as number, gb);
        poolOf[volume] = row;
      }
      if (type !== undefined) typeOf[volume] = type;
    },
    poolRow: (name) => poolRows.get(name),
    volumeRow: (uuid) => volumeRows.get(uuid),
    hasType: (name) => types.has(name),
  };
}

/** Cinder's spelling of truth values in extra specs, such as `<is> True`. */
function plainValue(value: string): string {
  return value.replace(/^<is>\s*/i, '').toLowerCase();
}

/**
 * Whether a pool can hold volumes with these extra specs: the backend name must be the pool's, and every other spec
 * that the backend reports must be equal. Specs that it does not report are ignored, as in Cinder.
 */
function poolServes(pool: StoragePoolInfo, extraSpecs: Readonly<Record<string, string>>): boolean {
  return Object.entries(extraSpecs).every(([key, wanted]) => {
    const name = key.replace(/^capabilities:/, '');
    const reported = name === 'volume_backend_name' ? pool.backendName : pool.capabilities[name];
    return reported === undefined || plainValue(reported) === plainValue(wanted);
  });
}
