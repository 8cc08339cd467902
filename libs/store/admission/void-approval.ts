import { StateConflictError } from '#libs/domain';
import type { ActionPlanView } from '../types.ts';
import type { UnitOfWork } from '../unit.ts';
import { lockAdmission } from './admit-plan.ts';

/**
 * Voids the approval of a plan that has changed, or whose hosts have changed. Notifies the approvers that a new
 * approval is required. Call it in a transaction.
 * @param because such as `made before changes on 1 of its 2 hosts`
 * @returns false when the plan is not approved, or has started
 */
export async function voidApproval(
  unit: Pick<UnitOfWork, 'lock' | 'actionPlans' | 'notificationEvents'>,
  plan: Pick<ActionPlanView, 'uuid'>,
  because: string,
): Promise<boolean> {
  await lockAdmission(unit);
  const current = await unit.actionPlans.get(plan.uuid);
  if (current.approval !== 'given') return false;
  const by = current.approvalBy?.userName ?? current.approvalBy?.userId ?? 'an unknown user';
  const voidBecause = `the approval of ${by} is void: ${because}`;
  try {
    await unit.actionPlans.decideApproval(plan.uuid, 'void', { voidBecause });
  } catch (error) {
    if (error instanceof StateConflictError) return false;
    throw error;
  }
  const key = `void ${current.approvalAt?.toISOString()}`;
  const data = { reason: voidBecause };
  await unit.notificationEvents.announcePlan({ kind: 'plan.approval_wanted', planUuid: plan.uuid, key, data });
  return true;
}
