import type { StorageSnapshot, StorageTypeInfo, StorageWhatIf, WhatIf } from '#libs/cluster-model';
import { counted } from '#libs/domain';
import type { StrategyManifest, StrategyPlugin, StrategyResult } from '#libs/plugin-kit';
import { attachedServersRefusal } from '../shared/hosts/attached-servers.ts';
import { poolAt, shortNumber, volumeAt } from '../shared/hosts/rows.ts';
import { type BlockedTally, createBlockedTally } from '../shared/report/blocked-tally.ts';
import { ModelMissingError } from '../shared/report/errors.ts';
import { spreadNotes } from '../shared/report/spread-notes.ts';
import { type StorageCapacityBalanceParameters, storageCapacityBalanceParameters } from './parameters.ts';
import { relievePool } from './relieve-pool.ts';

/** Manifest of `storage_capacity_balance`. */
const storageCapacityBalanceManifest: StrategyManifest = {
  kind: 'strategy',
  name: 'storage_capacity_balance',
  displayName: 'Storage Capacity Balance Strategy',
  goal: 'workload_balancing',
  description:
    'Relieves storage pools above a threshold: volumes move to pools that stay below it, by migration if their ' +
    'type allows it, otherwise by a change to an equal type of another backend.',
  parameters: storageCapacityBalanceParameters,
  metrics: [],
  models: ['compute', 'storage'],
  planner: 'weight',
  needsCompleteModel: true,
};

/** Rows of pools by their used share. */
interface PoolGroups {
  /** At or above the threshold, fullest first. */
  over: number[];
  /** Below it. */
  under: number[];
}

function volumesByPool({ poolOf }: StorageWhatIf): Map<number, number[]> {
  const found = new Map<number, number[]>();
  poolOf.forEach((pool, volume) => {
    const list = found.get(pool);
    if (list === undefined) found.set(pool, [volume]);
    else list.push(volume);
  });
  return found;
}

/** Volumes that can move. */
function countMovable(model: WhatIf, storage: StorageWhatIf, volumes: readonly number[]): number {
  const isMovable = (row: number) =>
    storage.immovable(row) === null && attachedServersRefusal(model, volumeAt(storage.snapshot, row)) === null;
  return volumes.filter(isMovable).length;
}

function whyEmpty({ over, under }: PoolGroups, percent: number): string {
  if (over.length === 0) return `no storage pool is used to ${percent} % or more`;
  if (under.length === 0) return `no storage pool is used to less than ${percent} %`;
  return 'no volume of a pool that is too full can go to a pool that stays below the threshold';
}

/** Brings full storage pools below a threshold. Throws ModelMissingError without a storage model. */
export const storageCapacityBalanceStrategy: StrategyPlugin<StorageCapacityBalanceParameters> = {
  manifest: storageCapacityBalanceManifest,
  async run({ model, storage, parameters, signal }): Promise<StrategyResult> {
    if (storage === undefined) throw new ModelMissingError('storage_capacity_balance', 'storage');
    const {
      volume_threshold: percent,
      ex_pools: leaveAlone = ['local_vstorage'],
      volume_order: volumeOrder,
    } = parameters;
    const blocked = createBlockedTally();
    const groups = groupPools(storage, { threshold: percent / 100, leaveAlone }, blocked);
    const before = fillDeviation(storage);
    const volumes = volumesByPool(storage);
    const onFullPools = groups.over.flatMap((pool) => volumes.get(pool) ?? []);
    const equalTypes = createEqualTypes(storage.snapshot);
    const balance = { storage, model, under: groups.under, threshold: percent / 100, equalTypes, blocked, volumeOrder };
    const actions =
      groups.under.length === 0
        ? []
        : groups.over.flatMap((pool) => {
            signal.throwIfAborted();
            return relievePool(balance, pool, volumes.get(pool) ?? []);
          });
    const after = fillDeviation(storage);
    const { pools, volumes: all } = storage.snapshot;
    const stillFull = groups.over.filter((pool) => storage.usedShare(pool) >= percent / 100);
    const notes = [
      `${counted(pools.length, 'storage pool')} with ${counted(all.length, 'volume')}; ${groups.over.length} at or above ${percent} %, ` +
        `${groups.under.length} below`,
      ...stillFull.map(
        (pool) =>
          `${poolAt(storage.snapshot, pool).name} stays at ${shortNumber(storage.usedShare(pool) * 100)} %, since nothing more can go`,
      ),
      ...spreadNotes({ before, after }, `pools at or above ${percent} %`),
    ];
    return {
      actions,
      indicators: {
        instance_migrations_count: 0,
        instances_count: 0,
        standard_deviation_before_audit: before,
        standard_deviation_after_audit: after,
      },
      report: {
        hosts: { considered: 0, eligible: 0 },
        instances: { considered: 0, eligible: 0 },
        pools: { considered: pools.length, eligible: groups.over.length + groups.under.length },
        volumes: { considered: all.length, eligible: countMovable(model, storage, onFullPools) },
        blocked: blocked.counts(),
        emptyBecause: actions.length > 0 ? null : whyEmpty(groups, percent),
        notes,
      },
    };
  },
};

/** Properties of a type without the backend. Between types with equal properties, a volume loses nothing. */
function promises({ extraSpecs }: StorageTypeInfo): string {
  const others = Object.entries(extraSpecs).filter(([key]) => key !== 'volume_backend_name');
  return JSON.stringify(others.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Finds types of a given backend with the same properties as another type. A lookup costs O(1). */
function createEqualTypes({ types }: StorageSnapshot): (type: string, backend: string) => string[] {
  const known = new Map(types.map((type) => [type.name, promises(type)]));
  const byBackend = new Map<string, string[]>();
  const keyOf = (backend: string, promised: string) => `${backend}\n${promised}`;
  for (const type of types) {
    const key = keyOf(type.extraSpecs.volume_backend_name ?? '', promises(type));
    byBackend.set(key, [...(byBackend.get(key) ?? []), type.name]);
  }
  return (type, backend) => {
    const promised = known.get(type);
    if (promised === undefined) return [];
    return (byBackend.get(keyOf(backend, promised)) ?? []).filter((name) => name !== type);
  };
}

/**
 * Sorts pools by the threshold (0 to 1). Excluded pools (full names, or their parts after the `#`) and pools without a
 * reported size count as blocked.
 */
function groupPools(
  storage: StorageWhatIf,
  { threshold, leaveAlone }: { threshold: number; leaveAlone: readonly string[] },
  blocked: BlockedTally,
): PoolGroups {
  const leftAlone = new Set(leaveAlone);
  const groups: PoolGroups = { over: [], under: [] };
  for (let row = 0; row < storage.snapshot.pools.length; row++) {
    const { name } = poolAt(storage.snapshot, row);
    if (leftAlone.has(name) || leftAlone.has(name.split('#')[1] ?? '')) blocked.add('pool-left-alone', name);
    else if (!(storage.total(row) > 0) || Number.isNaN(storage.free(row))) blocked.add('pool-without-size', name);
    else (storage.usedShare(row) >= threshold ? groups.over : groups.under).push(row);
  }
  groups.over.sort((a, b) => storage.usedShare(b) - storage.usedShare(a) || a - b);
  return groups;
}

/** Population standard deviation of the used share of pools that report their size. */
function fillDeviation(storage: StorageWhatIf): number {
  const shares = storage.snapshot.pools.map((_, row) => storage.usedShare(row)).filter(Number.isFinite);
  if (shares.length === 0) return 0;
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  return Math.sqrt(shares.reduce((sum, share) => sum + (share - mean) ** 2, 0) / shares.length);
}
