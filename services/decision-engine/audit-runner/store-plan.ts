import { hostsOfActions } from '#libs/actions';
import {
  type ApprovalRule,
  type AuditVariants,
  type AutomationRules,
  automationLevelOf,
  type IdSource,
} from '#libs/domain';
import { type ActionPlanView, type AuditView, readApprovalReason, type Store, type UnitOfWork } from '#libs/store';
import type { ComputedPlan } from './compute-plan.ts';
import { touchedHosts } from './hosts-of-plan.ts';
import { launchPlan } from './launch-plan.ts';
import type { MoveLimits } from './move-ledger.ts';
import type { OngoingGuard } from './ongoing-guard.ts';
import type { RunEnd } from './run-end.ts';

/**
 * Ends the run of an audit with its plan: audit state, plan, actions, indicators and, for `auto_trigger`, the launch
 * message, all in one transaction, so no incomplete plan can start. Checks again for started plans, because a plan
 * that started after the audit has changed the cluster. The moves of a started plan count for the budgets in `limits`
 * (default: none).
 * @throws StateConflictError when the audit was cancelled during the run, LeaseLostError when another engine has it,
 * ActionPlanOngoingError.
 */
export function storePlan(
  store: Store,
  audit: AuditView,
  computed: ComputedPlan,
  {
    end,
    guard,
    newUuid,
    limits = {},
    approvalRules = [],
    automationRules,
  }: {
    end: RunEnd;
    guard: OngoingGuard;
    newUuid: IdSource;
    limits?: MoveLimits;
    approvalRules?: readonly ApprovalRule[];
    automationRules?: AutomationRules;
  },
): Promise<ActionPlanView> {
  return store.transaction(async (unit) => {
    await unit.lock(`audit-plans:${audit.uuid}`);
    await end.succeed(unit, computed.report);
    await guard.check(unit);
    await unit.auditVariants.replace(audit.id, variantsOf(computed));
    const current = await unit.audits.get(audit.uuid);
    const level = automationLevelOf(current);
    const plan = await insertPlan(unit, audit, computed, { newUuid, approvalRules: level === 0 ? [] : approvalRules });
    if (computed.actions.length === 0 || level === 1) return plan;
    if (level === 0) return onlyReport(unit, plan);
    return launchPlan(unit, plan, { audit: current, computed, guard, newUuid, limits, automationRules });
  });
}

/** A plan for reading only. */
async function onlyReport(unit: UnitOfWork, { uuid }: ActionPlanView): Promise<ActionPlanView> {
  const set = { statusMessage: 'Not offered: its audit only reports (automation level 0)' };
  const reported = await unit.actionPlans.transition(uuid, 'cancelBeforeStart', { set });
  await unit.actions.cancelPending(uuid, {});
  return reported;
}

/** Stores a plan with all its parts, for an audit that has ended. The rules may require an approval. */
export async function insertPlan(
  unit: UnitOfWork,
  audit: Pick<AuditView, 'id'>,
  computed: ComputedPlan,
  {
    newUuid,
    approvalRules = [],
    budget = chosenBudget(computed),
  }: { newUuid: IdSource; approvalRules?: readonly ApprovalRule[]; budget?: number | null },
): Promise<ActionPlanView> {
  const strategy = await unit.strategies.get(computed.strategyName);
  const plan = await unit.actionPlans.insert({
    uuid: newUuid(),
    auditId: audit.id,
    strategyId: strategy.id,
    // Watcher's rule: a plan without actions is SUCCEEDED.
    state: computed.actions.length === 0 ? 'SUCCEEDED' : 'RECOMMENDED',
    globalEfficacy: computed.globalEfficacy,
    byOrder: computed.byOrder,
    alertScope: computed.alertScope,
    forceStale: computed.neverStale,
    statusMessage: computed.report.emptyBecause,
  });
  await insertParts(unit, plan, computed, newUuid);
  const { objective } = computed.report;
  if (objective !== undefined) await unit.planObjectives.insert(plan.id, { objective, budget });
  if (plan.state !== 'RECOMMENDED') return plan;
  const reason = await readApprovalReason(unit, plan, { rules: approvalRules, hostsOf: hostsOfActions });
  if (reason === null) return plan;
  await unit.actionPlans.wantApproval(plan.uuid, reason);
  await unit.notificationEvents.announcePlan({ kind: 'plan.approval_wanted', planUuid: plan.uuid, data: { reason } });
  return unit.actionPlans.get(plan.uuid);
}

function chosenBudget({ report }: ComputedPlan): number | null {
  return report.curve?.find(({ chosen }) => chosen)?.budget ?? null;
}

function variantsOf(computed: ComputedPlan): AuditVariants | null {
  const { variants, strategyName: strategy, parameters, alertScope, snapshot } = computed;
  if (variants.length === 0) return null;
  return { strategy, parameters, modelTakenAt: new Date(snapshot.takenAtMs).toISOString(), alertScope, variants };
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
  if (computed.actions.length > 0) {
    await unit.planHosts.insert(plan.id, touchedHosts(computed.hosts));
    await recordHosts(unit, plan, computed.picture);
  }
  await unit.efficacyIndicators.insertMany(
    computed.indicators.map((indicator) => ({ uuid: newUuid(), actionPlanId: plan.id, ...indicator })),
  );
}

/** Stores the hosts that the plan depends on, with their versions in its model of the cloud. */
async function recordHosts(
  unit: UnitOfWork,
  plan: ActionPlanView,
  { hosts, ageMs }: ComputedPlan['picture'],
): Promise<void> {
  const sightings = hosts.flatMap(({ hostname, fingerprint }) => (fingerprint ? [{ hostname, fingerprint }] : []));
  const observed = sightings.length > 0 ? await unit.hostVersions.observe(sightings, ageMs()) : new Map();
  const others = hosts.filter(({ hostname }) => !observed.has(hostname)).map(({ hostname }) => hostname);
  const current = others.length > 0 ? await unit.hostVersions.current(others) : new Map();
  await unit.planHolds.record(
    plan.id,
    hosts.map(({ hostname }) => ({ hostname, version: observed.get(hostname) ?? current.get(hostname) ?? null })),
  );
}
