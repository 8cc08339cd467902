import { hostsOfActions } from '#libs/actions';
import { type AutomationRules, type IdSource, removingActionTypes, stalenessText } from '#libs/domain';
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
import { automationRefusal } from './judge-automation.ts';
import { type MoveLimits, overdraftOf, readMoveLedger } from './move-ledger.ts';
import type { OngoingGuard } from './ongoing-guard.ts';

/** Parts of a plan that count against the budgets of moves. */
type LaunchedPlan = Pick<ComputedPlan, 'byOrder' | 'urgentRules'> & { actions: Parameters<typeof overdraftOf>[2] };

/**
 * Starts the plan of an `auto_trigger` audit in the transaction that stores it. A lock serializes these transactions,
 * so two plans from the same model of the cloud never both start. The plan of an audit with `force` waits as PENDING
 * for the plans that hold its hosts. A plan that waits for approval is started by `startApprovedPlans`.
 * @param guard default: the plan was stored earlier, and its hosts and their versions decide
 * @param automationRules default: those of the configuration
 * @returns the plan. RECOMMENDED with the reason when the automation level does not let it start, the policy refuses
 * the user that set `auto_trigger`, the plan deletes or shelves instances, another plan holds its hosts, a host changed
 * after the time of the model, or its moves exceed the remaining budgets of all audits
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
    automationRules,
  }: {
    audit: Pick<
      AuditView,
      'auditType' | 'force' | 'autoTrigger' | 'automationLevel' | 'autoTriggerUser' | 'autoTriggerRefused'
    >;
    computed: LaunchedPlan;
    guard?: OngoingGuard;
    newUuid: IdSource;
    limits: MoveLimits;
    automationRules?: AutomationRules;
  },
): Promise<ActionPlanView> {
  const refusal = await refusalOf(unit, plan, audit);
  if (refusal !== null) return leave(unit, plan, refusal);
  const risk = await automationRefusal(unit, plan, audit, automationRules);
  if (risk !== null) return leave(unit, plan, `Not started automatically, ${risk}`);
  if (plan.approval === 'wanted') {
    const statusMessage = `Not started automatically: it waits for approval (${plan.approvalReason})`;
    return unit.actionPlans.update(plan.uuid, { statusMessage, startsWhenApproved: true });
  }
  await lockAdmission(unit);
  await guard?.check(unit);
  try {
    await admitPlan(unit, plan, async (uuid) => hostsOfActions(await unit.actions.listByPlan(uuid)));
  } catch (error) {
    if (!(error instanceof PlanHeldError)) throw error;
    if (!audit.force) return leave(unit, plan, error.message);
  }
  const overdraft = audit.auditType === 'ONESHOT' ? null : await readOverdraft(unit, computed, limits);
  if (overdraft !== null) {
    return leave(unit, plan, `Not started automatically: ${overdraft}`);
  }
  const { age, changes } = await readPlanAge(unit, plan);
  const isConfirmed = (audit.force && plan.approval === null) || plan.forceStale;
  if (changes.length > 0 && !isConfirmed) {
    const text = stalenessText({ ...age, gain: null, gainUnknownBecause: null, repeated: null });
    return leave(unit, plan, `Not started automatically: ${text}`);
  }
  const launchSeq = plan.launchSeq + 1;
  const set = { launchSeq, forceStale: isConfirmed, ...(plan.approval === null ? {} : { statusMessage: null }) };
  const started = await unit.actionPlans.transition(plan.uuid, 'start', { set });
  const body = { plan_uuid: plan.uuid, launch_seq: launchSeq, requested_by: 'auto_trigger' };
  await unit.outbox.add({ eventId: newUuid(), ...message(planLaunch, body) });
  return started;
}

/** Permanent reason against an automatic start. Null without such a reason. */
async function refusalOf(
  unit: UnitOfWork,
  plan: ActionPlanView,
  audit: Pick<AuditView, 'autoTriggerUser' | 'autoTriggerRefused'>,
): Promise<string | null> {
  if (audit.autoTriggerRefused) {
    const user = audit.autoTriggerUser?.userName ?? audit.autoTriggerUser?.userId ?? 'the user';
    return `Not started automatically: the policy does not allow action_plan:start for ${user}, the user of auto_trigger`;
  }
  const removing = (await unit.actions.listByPlan(plan.uuid)).find((one) =>
    removingActionTypes.includes(one.actionType),
  );
  if (removing === undefined) return null;
  const { actionType } = removing;
  return `Not started automatically: it has actions of type ${actionType}, which need action_plan:remove_instances`;
}

/** The plan stays RECOMMENDED with the reason. */
async function leave(unit: UnitOfWork, plan: ActionPlanView, statusMessage: string): Promise<ActionPlanView> {
  return plan.statusMessage === statusMessage ? plan : unit.actionPlans.update(plan.uuid, { statusMessage });
}

/** Moves of plans that started after the computation also count. Starts are serialized, so none is missed. */
async function readOverdraft(
  unit: UnitOfWork,
  { actions, byOrder, urgentRules }: LaunchedPlan,
  limits: MoveLimits,
): Promise<string | null> {
  const ledger = byOrder ? null : await readMoveLedger(unit, limits);
  return ledger === null ? null : overdraftOf(ledger, limits, actions, urgentRules);
}
