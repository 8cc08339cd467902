import type { StorageWhatIf, WhatIf } from '#libs/cluster-model';
import type { StrategyPlugin, StrategyResult } from '#libs/plugin-kit';
import { attachedServersRefusal } from '../attached-servers.ts';
import { createBlockedTally } from '../blocked-tally.ts';
import { ModelMissingError } from '../errors.ts';
import { poolAt, shortNumber, volumeAt } from '../rows.ts';
import { createEqualTypes } from './equal-types.ts';
import { storageCapacityBalanceManifest } from './manifest.ts';
import type { StorageCapacityBalanceParameters } from './parameters.ts';
import { fillDeviation, groupPools, type PoolGroups } from './pools.ts';
import { relievePool } from './relieve-pool.ts';

function volumesByPool({ poolOf }: StorageWhatIf): Map<number, number[]> {
  const found = new Map<number, number[]>();
  poolOf.forEach((pool, volume) => {
    const list = found.get(pool);
    if (list === undefined) found.set(pool, [volume]);
    else list.push(volume);
  });
  return found;
}

/** Volumes that nothing holds where they are. */
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
    const { pools, volumes: all } = storage.snapshot;
    const stillFull = groups.over.filter((pool) => storage.usedShare(pool) * 100 >= percent);
    const notes = [
      `${pools.length} storage pools with ${all.length} volumes; ${groups.over.length} at or above ${percent} %, ` +
        `${groups.under.length} below`,
      ...stillFull.map(
        (pool) =>
          `${poolAt(storage.snapshot, pool).name} stays at ${shortNumber(storage.usedShare(pool) * 100)} %, since nothing more can go`,
      ),
    ];
    return {
      actions,
      indicators: {
        instance_migrations_count: 0,
        instances_count: 0,
        standard_deviation_before_audit: before,
        standard_deviation_after_audit: fillDeviation(storage),
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
