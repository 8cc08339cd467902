import { hostsOfActions } from '#libs/actions';
import { type ActionPlanView, ApprovalWantedError, readApprovalReason } from '#libs/store';
import type { RouteDeps } from '../../../api-deps.ts';
import { type ApiFault, conflict } from '../../../http/faults/fault.ts';

/**
 * Refuses to start a plan that waits for approval. Plans without a state of approval are evaluated now: plans that a
 * process of an earlier release stored, and plans whose rules apply at certain hours.
 * @throws ApiFault 409 with the rules
 */
export async function requireApproval({ store, approvalRules }: RouteDeps, plan: ActionPlanView): Promise<void> {
  if (plan.state !== 'RECOMMENDED' || plan.approval === 'given') return;
  if (plan.approval === null) {
    const rules = approvalRules();
    const reason = await readApprovalReason(store.db, plan, { rules, hostsOf: hostsOfActions });
    if (reason === null) return;
    await store.db.actionPlans.wantApproval(plan.uuid, reason);
    const data = { reason };
    await store.db.notificationEvents.announcePlan({ kind: 'plan.approval_wanted', planUuid: plan.uuid, data });
  }
  const current = await store.db.actionPlans.get(plan.uuid);
  if (current.approval === 'wanted') throw approvalConflict(new ApprovalWantedError(current));
}

/** 409 of a start that an approval holds back. */
export function approvalConflict({ message }: ApprovalWantedError): ApiFault {
  return conflict(`${message}. Another user approves it first (vigil actionplan approve).`);
}
