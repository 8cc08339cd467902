import type { StorageWhatIf } from '#libs/cluster-model';
import type { BlockedTally } from '../blocked-tally.ts';
import { poolAt } from '../rows.ts';

/** Rows of pools by how full they are. */
export interface PoolGroups {
  /** At or above the threshold, fullest first. */
  over: number[];
  /** Below it. */
  under: number[];
}

/**
 * Sorts pools by the threshold (0 to 1); those that are left alone (whole names, or their parts after the `#`) or do not tell their
 * size are counted as blocked.
 */
export function groupPools(
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

/** Population standard deviation of the used share of pools that tell their size. */
export function fillDeviation(storage: StorageWhatIf): number {
  const shares = storage.snapshot.pools.map((_, row) => storage.usedShare(row)).filter(Number.isFinite);
  if (shares.length === 0) return 0;
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  return Math.sqrt(shares.reduce((sum, share) => sum + (share - mean) ** 2, 0) / shares.length);
}
