import { hostsOfActions } from '#libs/actions';
import { type IdSource, removingActionTypes, stalenessText } from '#libs/domain';
import { message, planLaunch } from '#libs/messaging';
import {
  type ActionPlanView,
  type AuditView,
  admitPlan,
  lockAdmission,
  PlanHeldError,
  readPlanAge,
  type UnitOfWork,
} from '#libs/store';
import type { ComputedPlan } from './compute-plan.ts';
import { type MoveLimits, overdraftOf, readMoveLedger } from './move-ledger.ts';
import type { OngoingGuard } from './ongoing-guard.ts';

/**
 * Starts the plan of an `auto_trigger` audit in the transaction that stores it. One transaction at a time passes the
 * lock, so that two plans from the same picture of the cloud never both start. The plan of an audit that forces waits
 * as PENDING for the plans that hold its hosts.
 * @returns the plan. RECOMMENDED with the reason when the policy refuses the user that set `auto_trigger`, the plan
 * deletes or shelves instances, another plan holds its hosts, a host changed after the picture was taken, or its moves
 * are more than the budgets of all audits have left
 * @throws ActionPlanOngoingError
 */
export async function launchPlan(
  unit: UnitOfWork,
  plan: ActionPlanView,
  {
    audit,
    computed,
    guard,
    newUuid,
    limits,
  }: {
    audit: Pick<AuditView, 'auditType' | 'force' | 'autoTriggerUser' | 'autoTriggerRefused'>;
    computed: Pick<ComputedPlan, 'actions' | 'byOrder' | 'urgentRules'>;
    guard: OngoingGuard;
    newUuid: IdSource;
    limits: MoveLimits;
  },
): Promise<ActionPlanView> {
  if (audit.autoTriggerRefused) {
    const user = audit.autoTriggerUser?.userName ?? audit.autoTriggerUser?.userId ?? 'the user';
    const statusMessage = `Not started automatically: the policy does not allow action_plan:start for ${user}, who set auto_trigger`;
    return unit.actionPlans.update(plan.uuid, { statusMessage });
  }
  const removing = (await unit.actions.listByPlan(plan.uuid)).find((one) =>
    removingActionTypes.includes(one.actionType),
  );
  if (removing !== undefined) {
    const statusMessage = `Not started automatically: it has actions of type ${removing.actionType}, which need action_plan:remove_instances`;
    return unit.actionPlans.update(plan.uuid, { statusMessage });
  }
  await lockAdmission(unit);
  await guard.check(unit);
  try {
    await admitPlan(unit, plan, async (uuid) => hostsOfActions(await unit.actions.listByPlan(uuid)));
  } catch (error) {
    if (!(error instanceof PlanHeldError)) throw error;
    if (!audit.force) return unit.actionPlans.update(plan.uuid, { statusMessage: error.message });
  }
  const overdraft = audit.auditType === 'ONESHOT' ? null : await readOverdraft(unit, computed, limits);
  if (overdraft !== null) {
    return unit.actionPlans.update(plan.uuid, { statusMessage: `Not started automatically: ${overdraft}` });
  }
  const { age, changes } = await readPlanAge(unit, plan);
  const isConfirmed = audit.force || plan.forceStale;
  if (changes.length > 0 && !isConfirmed) {
    const text = stalenessText({ ...age, gain: null, gainUnknownBecause: null, ordered: null });
    return unit.actionPlans.update(plan.uuid, { statusMessage: `Not started automatically: ${text}` });
  }
  const launchSeq = plan.launchSeq + 1;
  const set = { launchSeq, forceStale: isConfirmed };
  const started = await unit.actionPlans.transition(plan.uuid, 'start', { set });
  const body = { plan_uuid: plan.uuid, launch_seq: launchSeq, requested_by: 'auto_trigger' };
  await unit.outbox.add({ eventId: newUuid(), ...message(planLaunch, body) });
  return started;
}

/** Moves of plans that started after the computation count too. Starts wait for each other, so none is missed. */
async function readOverdraft(
  unit: UnitOfWork,
  { actions, byOrder, urgentRules }: Pick<ComputedPlan, 'actions' | 'byOrder' | 'urgentRules'>,
  limits: MoveLimits,
): Promise<string | null> {
  const ledger = byOrder ? null : await readMoveLedger(unit, limits);
  return ledger === null ? null : overdraftOf(ledger, limits, actions, urgentRules);
}
