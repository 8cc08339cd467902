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
