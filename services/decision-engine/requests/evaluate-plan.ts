import { withRules } from '#libs/cluster-model';
import type { ObjectiveTerm, PlanGain } from '#libs/domain';
import { type PlanGainRequest, type PlanGainResponse, type RpcRefusal, refuseBecause } from '#libs/messaging';
import { type ActionPlanView, enabledRules } from '#libs/store';
import { readAuditContext } from '../audit-runner/audit-context.ts';
import { computePlan } from '../audit-runner/compute-plan.ts';
import { pluginsOfPlan } from '../audit-runner/merge-aims.ts';
import { wantedMoves } from '../audit-runner/read-past.ts';
import { timeSinceChange } from '../audit-runner/time-since-change.ts';
import { freshSince } from '../model/fresh-enough.ts';
import type { PreviewDeps } from './preview-audit.ts';
import { repeatMoves } from './repeat-moves.ts';

/** So little of a term is rounding. */
const negligible = 1e-6;

/**
 * Returns `plan.gain`: the moves of the plan are planned again on the newest model, and its terms compared with those
 * that are stored. Where the strategy cannot do that, the moves are only checked.
 */
export async function evaluatePlan(
  { plan_uuid: uuid }: PlanGainRequest,
  deps: PreviewDeps,
): Promise<PlanGainResponse | RpcRefusal> {
  const { db } = deps.store;
  const plan = await db.actionPlans.get(uuid);
  const known = await db.planObjectives.find(plan.id);
  const strategy = deps.registry.strategies().find(({ manifest }) => manifest.name === plan.strategyName);
  if (known === null || strategy?.manifest.replans !== true) return checkMoves(plan, deps);
  const release = await deps.slots.acquire(deps.signal, deps.requester);
  try {
    const audit = await db.audits.get(plan.auditUuid, { showDeleted: true });
    const task = {
      // Recent moves do not reduce the gain of a plan that a user wants to start.
      ...(await readAuditContext(db, { ...audit, auditType: 'ONESHOT' }, deps)),
      ...pluginsOfPlan(audit, plan, deps.registry),
      scope: audit.scope,
      alertScope: plan.alertScope,
      replan: wantedMoves((await db.actions.listByPlan(uuid)).filter(({ state }) => state === 'PENDING')),
    };
    const { report } = await computePlan(task, deps.signal, deps);
    return gainSince(known.objective, report.objective ?? []) ?? { left: null };
  } catch (error) {
    deps.signal.throwIfAborted();
    deps.logger.info({ plan: uuid, error }, 'cannot re-evaluate plan');
    return refuseBecause(error, 'strategy_failed');
  } finally {
    release();
  }
}

/** Checks the moves of a plan that are still to run, within the operator's rules. */
async function checkMoves({ id, uuid }: ActionPlanView, deps: PreviewDeps): Promise<PlanGainResponse | RpcRefusal> {
  const { db } = deps.store;
  try {
    const sinceMs = await timeSinceChange(db);
    const whole = await freshSince(deps.model, { maxAgeMs: deps.options.modelMaxAgeMs, sinceMs, clock: deps.clock });
    const { snapshot } = withRules(whole, await enabledRules(db));
    const pending = (await db.actions.listByPlan(uuid)).filter(({ state }) => state === 'PENDING');
    return { left: null, repeated: repeatMoves(snapshot, pending, await db.planHosts.find(id)) };
  } catch (error) {
    deps.signal.throwIfAborted();
    deps.logger.info({ plan: uuid, error }, 'cannot check moves of plan');
    return refuseBecause(error, 'model_not_available');
  }
}

/**
 * Remaining share of the gain: that of the level with the largest rest, since a plan that still makes its intended
 * repair is useful. Null when the plan had no gain on any level above the price.
 */
export function gainSince(then: readonly ObjectiveTerm[], now: readonly ObjectiveTerm[]): PlanGain | null {
  const gains = [0, 1, 2].map((level) => {
    const terms = then.filter((term) => term.level === level && term.before > negligible);
    const sums = terms.reduce(
      (sums, { term, before, after }) => {
        const today = now.find((one) => one.term === term);
        return {
          promised: sums.promised + (before - after) / before,
          now: sums.now + (today ? today.before - today.after : 0) / before,
        };
      },
      { promised: 0, now: 0 },
    );
    return { ...sums, terms: terms.length };
  });
  const parts = gains.flatMap(({ promised, now, terms }) =>
    promised > negligible
      ? { left: Math.max(0, now / promised), promised: (100 * promised) / terms, now: (100 * now) / terms }
      : [],
  );
  return parts.sort((one, other) => other.left - one.left)[0] ?? null;
}
