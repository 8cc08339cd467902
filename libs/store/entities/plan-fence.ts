import type { EntityManager } from 'typeorm';
import { LeaseLostError } from '#libs/domain';

/**
 * SQL that holds when the plan of the action with id `actionId` still has the fencing number `fence`. The plan's row
 * stays locked against a take-over until the transaction ends, so an admitted write cannot follow a take-over.
 */
export function planFenceGuard(planId: string, fence: string): string {
  return `EXISTS (
    SELECT 1 FROM action_plans AS guarded WHERE guarded.id = ${planId} AND guarded.fence = ${fence} FOR SHARE
  )`;
}

/**
 * Locks a plan against take-overs until the transaction ends. It is the lock of an update, so a transaction that later
 * changes the plan does not upgrade the lock, which could cause a deadlock. @throws LeaseLostError when the fencing
 * number has changed
 */
export async function holdPlanFence(manager: EntityManager, planUuid: string, fence: number): Promise<void> {
  const rows = await manager.query<unknown[]>(
    'SELECT 1 FROM action_plans WHERE uuid = $1 AND fence = $2 FOR NO KEY UPDATE',
    [planUuid, fence],
  );
  if (rows.length === 0) throw new LeaseLostError(`ActionPlan ${planUuid}`);
}
