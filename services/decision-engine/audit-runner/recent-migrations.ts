import { effectOf, revertType } from '#libs/actions';
import { movingActionTypes, volumeActionTypes } from '#libs/domain';
import type { AuditView, UnitOfWork } from '#libs/store';

/**
 * Uuids of the instances that plans of any audit, and rollbacks, have moved in the last `coolDownMs`, by database time.
 * Empty for a ONESHOT audit, which a user requested, and without a cool-down.
 */
export async function recentMigrations(
  db: Pick<UnitOfWork, 'actions' | 'now'>,
  audit: Pick<AuditView, 'auditType'>,
  coolDownMs: number,
): Promise<string[]> {
  if (audit.auditType === 'ONESHOT' || coolDownMs === 0) return [];
  const since = new Date((await db.now()).getTime() - coolDownMs);
  const moved = await db.actions.list({
    filters: [
      { field: 'actionType', op: 'in', value: [...movingActionTypes, revertType] },
      { field: 'state', value: 'SUCCEEDED' },
      { field: 'endedAt', op: 'gte', value: since },
    ],
  });
  const effects = moved.map(effectOf).filter(({ actionType }) => movingActionTypes.includes(actionType));
  return [
    ...new Set(effects.flatMap(({ inputParameters: { resource_id: id } }) => (typeof id === 'string' ? id : []))),
  ];
}

/**
 * Milliseconds since a volume was last moved by an action of any plan, as far as one has ended. Infinite when none was.
 */
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
 * Milliseconds since an action of any plan last changed the cloud, by database time: 0 while one does, and infinite
 * when none ever did. The effect of an action precedes its end, and no notification reports the arrival of a volume.
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
