import type { StorageVolumeInfo, StorageWhatIf } from '#libs/cluster-model';
import type { ActionReason, BeforeAfter } from '#libs/domain';
import type { ProposedAction } from '#libs/plugin-kit';
import { attachedServersRefusal } from '../shared/hosts/attached-servers.ts';
import { poolAt, volumeAt, volumeLabel } from '../shared/hosts/rows.ts';
import { migrateVolumeAction, retypeVolumeAction } from '../shared/moves/actions.ts';
import type { PoolPair } from './parameters.ts';
import type { ZonePlan } from './plan-zone.ts';

/** Destination of a volume of a pool and type. */
interface VolumeDestination {
  pool: string | null;
  type: string | null;
}

/** How the volume moves, or the constraint against it. */
type Way = { pool: number; type?: string } | { because: string };

function migrationTo(storage: StorageWhatIf, volume: number, name: string | null): Way {
  if (name === null) return { because: 'no-destination-pool' };
  const pool = storage.poolRow(name);
  if (pool === undefined) return { because: 'unknown-pool' };
  const because = storage.refusal(volume, pool);
  return because === null ? { pool } : { because };
}

function findWay(plan: ZonePlan, storage: StorageWhatIf, volume: number): Way {
  const info = volumeAt(storage.snapshot, volume);
  const held = storage.immovable(volume) ?? attachedServersRefusal(plan.model, info);
  if (held !== null) return { because: held };
  const { pool, type } = volumeDestination(plan.parameters.storage_pools ?? [], info.host, info.type);
  if (type === null || type === info.type) return migrationTo(storage, volume, pool);
  const found = poolForType(storage, volume, type);
  return found.pool < 0 ? { because: found.because } : { pool: found.pool, type };
}

function freeValue(storage: StorageWhatIf, pool: number, before: number): BeforeAfter[] {
  const subject = poolAt(storage.snapshot, pool).name;
  const after = storage.free(pool);
  return Number.isNaN(after) ? [] : [{ quantity: 'pool_free', subject, unit: 'GB', before, after }];
}

function toAction(
  storage: StorageWhatIf,
  volume: number,
  info: StorageVolumeInfo,
  way: { pool: number; type?: string },
): ProposedAction {
  const source = storage.poolOf[volume] as number;
  const pools = [...new Set([source, way.pool])];
  const free = pools.map((pool) => storage.free(pool));
  storage.move(volume, way.pool, way.type);
  const to = poolAt(storage.snapshot, way.pool).name;
  const reason = (rule: string, how: string): ActionReason => ({
    rule,
    summary: `${volumeLabel(info)} of ${info.sizeGb} GB in ${info.host} ${how}.`,
    values: pools.flatMap((pool, index) => freeValue(storage, pool, free[index] ?? Number.NaN)),
    rejected: [],
  });
  if (way.type === undefined) return migrateVolumeAction(info, to, reason('leave-zone', `moves to ${to}`));
  const becomes = `becomes ${way.type} instead of ${info.type ?? 'no type'}`;
  const where =
    way.pool === source
      ? `${becomes}; its pool serves that type, so it may stay`
      : `${becomes}, for which ${to} has room`;
  return retypeVolumeAction(info, way.type, reason('leave-zone-retype', where));
}

/** Plans the move of a volume. Returns whether it was planned. */
export function moveVolume(plan: ZonePlan, storage: StorageWhatIf, volume: number): boolean {
  const { budget, blocked } = plan;
  const info = volumeAt(storage.snapshot, volume);
  if (budget.isSpent() || !budget.hasRoom('pool', info.host)) {
    budget.postponed++;
    return false;
  }
  const way = findWay(plan, storage, volume);
  if ('because' in way) {
    blocked.add(way.because, volumeLabel(info));
    return false;
  }
  const notYet = plan.atStart.pools?.refusal(volume, way.pool, way.type) ?? null;
  if (notYet !== null) {
    plan.waiting++;
    blocked.add(notYet, volumeLabel(info));
    return false;
  }
  plan.atStart.pools?.moved(volume, storage.poolOf[volume] as number, way.pool, way.type);
  budget.spend('pool', info.host);
  plan.planned.volumes++;
  plan.actions.push(toAction(storage, volume, info, way));
  return true;
}

/**
 * Finds the destination: entries with a source type are matched first by pool and type, then entries without one by
 * pool.
 */
function volumeDestination(pairs: readonly PoolPair[], pool: string, type: string | null): VolumeDestination {
  const ofPool = pairs.filter(({ src_pool }) => src_pool === pool);
  const pair =
    ofPool.find(({ src_type }) => src_type !== undefined && src_type === type) ??
    ofPool.find(({ src_type }) => src_type === undefined);
  return { pool: pair?.dst_pool ?? null, type: pair?.dst_type ?? null };
}

/**
 * The pool where Cinder can place a volume with a new type: the emptiest one that accepts it, preferably not its
 * current one. Returns the pool, or the constraint against the others.
 */
function poolForType(storage: StorageWhatIf, volume: number, type: string): { pool: number; because: string } {
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
