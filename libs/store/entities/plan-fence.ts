import type { EntityManager } from 'typeorm';
import { LeaseLostError } from '#libs/domain';

/**
 * SQL that holds when the plan of the action with id `actionId` still has the fencing number `fence`. The plan's row
 * stays locked against a take-over until the transaction ends, so a write that passed cannot come after one.
 */
export function planFenceGuard(planId: string, fence: string): string {
  return `EXISTS (
    SELECT 1 FROM action_plans AS guarded WHERE guarded.id = ${planId} AND guarded.fence = ${fence} FOR SHARE
  )`;
}

/**
 * Locks a plan against take-overs until the transaction ends. The lock is the one of an update, so that a transaction
 * that goes on to change the plan does not have to raise it, which could end in a deadlock with another one.
 * @throws LeaseLostError when its fencing number is another by now
 */
export async function holdPlanFence(manager: EntityManager, planUuid: string, fence: number): Promise<void> {
  const rows = await manager.query<unknown[]>(
    'SELECT 1 FROM action_plans WHERE uuid = $1 AND fence = $2 FOR NO KEY UPDATE',
    [planUuid, fence],
  );
  if (rows.length === 0) throw new LeaseLostError(`ActionPlan ${planUuid}`);
}
