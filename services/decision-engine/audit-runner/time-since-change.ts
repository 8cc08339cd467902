import { revertType } from '#libs/actions';
import { volumeActionTypes } from '#libs/domain';
import type { UnitOfWork } from '#libs/store';

/** Milliseconds since the last finished action of any plan moved a volume. Infinite without such an action. */
export async function timeSinceVolumeMove(db: Pick<UnitOfWork, 'actions' | 'now'>): Promise<number> {
  const [last] = await db.actions.list({
    filters: [
      { field: 'actionType', op: 'in', value: [...volumeActionTypes, revertType] },
      { field: 'state', op: 'in', value: ['SUCCEEDED', 'FAILED'] },
    ],
    sortKey: 'endedAt',
    sortDir: 'desc',
    limit: 1,
  });
  return last?.endedAt ? (await db.now()).getTime() - last.endedAt.getTime() : Number.POSITIVE_INFINITY;
}

/**
 * Milliseconds since an action of any plan last changed the cloud, by database time. 0 during such an action, infinite
 * without one. The effect of an action precedes its end, and no notification reports the arrival of a volume.
 */
export async function timeSinceChange(db: Pick<UnitOfWork, 'actions' | 'now'>): Promise<number> {
  const [runs] = await db.actions.list({ filters: [{ field: 'state', value: 'ONGOING' }], limit: 1 });
  if (runs) return 0;
  const [last] = await db.actions.list({
    filters: [{ field: 'state', op: 'in', value: ['SUCCEEDED', 'FAILED', 'CANCELLED'] }],
    sortKey: 'endedAt',
    sortDir: 'desc',
    limit: 1,
  });
  if (!last?.endedAt) return Number.POSITIVE_INFINITY;
  return Math.max(0, (await db.now()).getTime() - last.endedAt.getTime());
}
