import { effectOf, revertType } from '#libs/actions';
import { movingActionTypes } from '#libs/domain';
import type { AuditView, UnitOfWork } from '#libs/store';

/**
 * Uuids of the instances that plans of any audit, and rollbacks, have moved in the last `coolDownMs`, by database time. Empty for a ONESHOT
 * audit, which somebody asked for, and without a cool-down.
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

/** Milliseconds since the last action of any plan ended, by database time; infinite when none ever did. */
export async function timeSinceChange(db: Pick<UnitOfWork, 'actions' | 'now'>): Promise<number> {
  const [last] = await db.actions.list({
    filters: [{ field: 'state', op: 'in', value: ['SUCCEEDED', 'FAILED'] }],
    sortKey: 'endedAt',
    sortDir: 'desc',
    limit: 1,
  });
  if (!last?.endedAt) return Number.POSITIVE_INFINITY;
  return Math.max(0, (await db.now()).getTime() - last.endedAt.getTime());
}
