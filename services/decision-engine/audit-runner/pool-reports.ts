import { setTimeout as pause } from 'node:timers/promises';
import type { StorageSnapshot } from '#libs/cluster-model';
import { freshSince, type ModelAge } from '../model/fresh-enough.ts';
import type { ModelKeeper } from '../model/model-keeper.ts';

/** Required age of pool sizes. */
export interface PoolAge {
  /** Milliseconds since a volume was last moved. Default infinite. */
  sinceMs?: number;
  /** Longest wait for newer reports, in milliseconds. Default 0. */
  patienceMs?: number;
  /** Default 10 s. */
  checkMs?: number;
  signal?: AbortSignal;
}

/** Largest clock difference between Cinder's hosts and the database, in milliseconds. */
const skewMs = 1000;

/**
 * A model of block storage no older than `age`, in which every backend has reported its pools since the last move of a
 * volume. Volumes show their new pool immediately. Sizes of pools follow with the next report, within a minute. A plan
 * in between would treat an emptied pool as full and move the same amount again.
 */
export async function reportedSince(
  model: ModelKeeper<StorageSnapshot>,
  age: ModelAge,
  { sinceMs = Number.POSITIVE_INFINITY, patienceMs = 0, checkMs = 10_000, signal }: PoolAge = {},
): Promise<StorageSnapshot> {
  const movedAt = age.clock.now() - sinceMs;
  let picture = await freshSince(model, age);
  for (let waited = 0; waited < patienceMs && latePools(picture, movedAt).length > 0; waited += checkMs) {
    await pause(checkMs, undefined, { signal });
    picture = await model.fresh(0);
  }
  return picture;
}

/** Notes on pools with sizes older than the last move of a volume. */
export function lateNotes(
  picture: StorageSnapshot,
  { clock }: ModelAge,
  { sinceMs = Number.POSITIVE_INFINITY }: PoolAge = {},
): string[] {
  const late = latePools(picture, clock.now() - sinceMs);
  if (late.length === 0) return [];
  const names = late.slice(0, 3).map(({ name }) => name);
  return [
    `the sizes of ${late.length} storage pools are from before the last volume was moved, since Cinder shows the reports ` +
      `from then: ${names.join(', ')}`,
  ];
}

function latePools({ pools }: StorageSnapshot, movedAt: number) {
  return pools.filter(({ reportedAtMs = Number.POSITIVE_INFINITY }) => reportedAtMs + skewMs < movedAt);
}
