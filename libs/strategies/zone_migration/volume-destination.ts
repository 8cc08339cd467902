import type { StorageWhatIf } from '#libs/cluster-model';
import type { PoolPair } from './parameters.ts';

/** Where a volume of a pool and type is to go. */
export interface VolumeDestination {
  pool: string | null;
  type: string | null;
}

/** Looks the destination up: entries with a source type are matched first on pool and type, then those without on pool. */
export function volumeDestination(pairs: readonly PoolPair[], pool: string, type: string | null): VolumeDestination {
  const ofPool = pairs.filter(({ src_pool }) => src_pool === pool);
  const pair =
    ofPool.find(({ src_type }) => src_type !== undefined && src_type === type) ??
    ofPool.find(({ src_type }) => src_type === undefined);
  return { pool: pair?.dst_pool ?? null, type: pair?.dst_type ?? null };
}

/**
 * The pool where Cinder can put a volume that becomes of a type: the emptiest one that accepts it, other than its own where
 * there is one. Answers the pool, or the constraint that stood against the others.
 */
export function poolForType(storage: StorageWhatIf, volume: number, type: string): { pool: number; because: string } {
  if (!storage.hasType(type)) return { pool: -1, because: 'unknown-type' };
  const own = storage.poolOf[volume] as number;
  let best = -1;
  let because = 'pool-type';
  for (let pool = 0; pool < storage.snapshot.pools.length; pool++) {
    const refusal = storage.refusal(volume, pool, type);
    if (refusal !== null) {
      if (refusal !== 'pool-type') because = refusal;
    } else if (best < 0 || best === own || (pool !== own && storage.free(pool) > storage.free(best))) {
      best = pool;
    }
  }
  return { pool: best, because };
}
