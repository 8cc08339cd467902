import {
  type ActionReason,
  type AutomationRules,
  type IdSource,
  isStale,
  type Logger,
  type PlanStaleness,
  stalenessText,
} from '#libs/domain';
import {
  type ActionPlanView,
  areJudged,
  type ChangedHost,
  lockAdmission,
  readPlanAge,
  type Store,
  voidApproval,
} from '#libs/store';
import { launchPlan } from './launch-plan.ts';
import type { MoveLimits } from './move-ledger.ts';

/** Most plans of one round. */
const plansAtOnce = 50;

const noReason: ActionReason = { rule: 'unknown', summary: '', values: [], rejected: [] };

type Gain = Pick<PlanStaleness, 'gain' | 'gainUnknownBecause' | 'repeated'>;

/** Dependencies for the start of approved plans. */
export interface ApprovedPlanDeps {
  store: Store;
  /** Evaluates the gain of a plan on the newest model. */
  requestGain(planUuid: string): Promise<Gain>;
  /** Rules of a strategy whose repairs no budget delays. */
  urgentRulesOf(strategyName: string): readonly string[];
  limits: MoveLimits;
  automationRules?: AutomationRules;
  newUuid: IdSource;
  logger: Logger;
}

/**
 * Checks approved plans that have not started. An approval becomes void when hosts of the plan changed after it and
 * the plan is stale. Starts the plans of `auto_trigger` audits with the admission of every start. A plan that cannot
 * start now keeps the reason and is retried in the next round.
 */
export async function startApprovedPlans(deps: ApprovedPlanDeps, signal: AbortSignal): Promise<void> {
  const { store, logger } = deps;
  const approved = await store.db.actionPlans.list({
    filters: [
      { field: 'state', value: 'RECOMMENDED' },
      { field: 'approval', value: 'given' },
    ],
    sortKey: 'id',
    limit: plansAtOnce,
  });
  for (const plan of approved) {
    if (signal.aborted) return;
    try {
      if ((await holds(plan, deps)) && plan.startsWhenApproved) await start(plan, deps);
    } catch (error) {
      logger.info({ plan: plan.uuid, error }, 'cannot start approved plan, retrying');
    }
  }
}

/** Whether the approval is still valid. Voids it otherwise. */
async function holds(plan: ActionPlanView, deps: ApprovedPlanDeps): Promise<boolean> {
  if (plan.forceStale) return true;
  const { store, logger } = deps;
  const { age, changes } = await readPlanAge(store.db, plan);
  if (changes.length === 0) return true;
  const staleness = { ...age, ...(await deps.requestGain(plan.uuid)) };
  if (!isStale(staleness)) return accept(plan, changes, store);
  const because = stalenessText(staleness);
  if (await store.transaction((unit) => voidApproval(unit, plan, because)))
    logger.info({ plan: plan.uuid, because }, 'approval of plan is void');
  return false;
}

/** Binds the plan to the checked versions. False when a host changed since the check. */
function accept(plan: ActionPlanView, judged: readonly ChangedHost[], store: Store): Promise<boolean> {
  return store.transaction(async (unit) => {
    await lockAdmission(unit);
    const { changes } = await readPlanAge(unit, plan);
    if (!areJudged(changes, judged)) return false;
    await unit.planHolds.accept(plan.id);
    return true;
  });
}

async function start({ uuid }: ActionPlanView, deps: ApprovedPlanDeps): Promise<void> {
  const { store, limits, newUuid, logger, automationRules } = deps;
  const started = await store.transaction(async (unit) => {
    await lockAdmission(unit);
    const plan = await unit.actionPlans.get(uuid);
    const audit = await unit.audits.find(plan.auditUuid);
    if (plan.state !== 'RECOMMENDED' || plan.approval !== 'given' || !audit?.autoTrigger) return plan;
    const waiting = (await unit.actions.listByPlan(uuid)).filter(({ state }) => state === 'PENDING');
    const actions = waiting.map(({ reason, ...action }) => ({ ...action, reason: reason ?? noReason }));
    const computed = { actions, byOrder: plan.byOrder, urgentRules: deps.urgentRulesOf(plan.strategyName) };
    return launchPlan(unit, plan, { audit, computed, newUuid, limits, automationRules });
  });
  if (started.state === 'PENDING') logger.info({ plan: uuid }, 'approved plan started');
}
