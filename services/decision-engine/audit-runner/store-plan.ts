import type { IdSource } from '#libs/domain';
import { type PlanLaunchBody, planLaunch } from '#libs/messaging';
import type { ActionPlanView, AuditView, Store, UnitOfWork } from '#libs/store';
import type { ComputedPlan } from './compute-plan.ts';
import { touchedHosts } from './hosts-of-plan.ts';
import type { OngoingGuard } from './ongoing-guard.ts';
import type { RunEnd } from './run-end.ts';

/**
 * Ends the run of an audit with its plan: audit state, plan, actions, indicators and, for `auto_trigger`, the launch message, all
 * in one transaction, so that no half-built plan can ever be started. Looks again whether a plan is ongoing: one that began
 * after the audit did has moved the cluster under it.
 * @throws StateConflictError when the audit was cancelled meanwhile, LeaseLostError when another engine has it,
 * ActionPlanOngoingError.
 */
export function storePlan(
  store: Store,
  audit: AuditView,
  computed: ComputedPlan,
  { end, guard, newUuid }: { end: RunEnd; guard: OngoingGuard; newUuid: IdSource },
): Promise<ActionPlanView> {
  return store.transaction(async (unit) => {
    const strategy = await unit.strategies.get(computed.strategyName);
    await end.succeed(unit, computed.report);
    await guard.check(unit);
    const isEmpty = computed.actions.length === 0;
    const plan = await unit.actionPlans.insert({
      uuid: newUuid(),
      auditId: audit.id,
      strategyId: strategy.id,
      // Watcher's rule: a plan without actions has nothing left to do.
      state: isEmpty ? 'SUCCEEDED' : 'RECOMMENDED',
      globalEfficacy: computed.globalEfficacy,
      statusMessage: computed.report.emptyBecause,
    });
    await insertParts(unit, plan, computed, newUuid);
    return audit.autoTrigger && !isEmpty ? launch(unit, plan, newUuid) : plan;
  });
}

async function insertParts(
  unit: UnitOfWork,
  plan: ActionPlanView,
  computed: ComputedPlan,
  newUuid: IdSource,
): Promise<void> {
  await unit.actions.insertMany(
    computed.actions.map((action) => ({
      uuid: action.uuid,
      actionPlanId: plan.id,
      actionType: action.actionType,
      inputParameters: action.inputParameters,
      parents: action.parents,
      reason: action.reason,
    })),
  );
  if (computed.actions.length > 0) await unit.planHosts.insert(plan.id, touchedHosts(computed.hosts));
  await unit.efficacyIndicators.insertMany(
    computed.indicators.map((indicator) => ({ uuid: newUuid(), actionPlanId: plan.id, ...indicator })),
  );
}

async function launch(unit: UnitOfWork, plan: ActionPlanView, newUuid: IdSource): Promise<ActionPlanView> {
  const launchSeq = plan.launchSeq + 1;
  const started = await unit.actionPlans.transition(plan.uuid, 'start', { set: { launchSeq } });
  const body: PlanLaunchBody = {
    schema: 'plan.launch/1',
    plan_uuid: plan.uuid,
    launch_seq: launchSeq,
    requested_by: 'auto_trigger',
  };
  await unit.outbox.add({ eventId: newUuid(), type: planLaunch.type, body });
  return started;
}
