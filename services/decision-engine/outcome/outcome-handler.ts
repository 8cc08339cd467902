import { applyScope } from '#libs/cluster-model';
import { type JsonObject, messageOf } from '#libs/domain';
import type { Handler } from '#libs/messaging';
import { type ActionPlanView, type AuditView, enabledRules, type Store } from '#libs/store';
import { type ComputePlanDeps, computePlan } from '../audit-runner/compute-plan.ts';
import { clusterNumbers } from './cluster-numbers.ts';

export interface OutcomeDeps extends ComputePlanDeps {
  store: Store;
  /** Ends what runs when the process stops. */
  signal: AbortSignal;
}

/**
 * Handles `outcome.measure`: looks at the cloud as it is now, within the scope of the plan's audit, and stores the numbers
 * in the plan's `outcome` as `before` or `after`: `cluster` (see ClusterNumbers), and `goal`, the indicators that the same
 * strategy has now: `standard_deviation_before_audit` is the spread now, `instance_migrations_count` what it would still
 * move. What was measured once stays. A cloud that can not be read is tried again.
 */
export function createOutcomeHandler(deps: OutcomeDeps): Handler {
  const { store, logger } = deps;
  return async ({ body }) => {
    const phase = body.phase === 'before' ? 'before' : 'after';
    const plan = await store.db.actionPlans.find(String(body.plan_uuid));
    if (!plan || plan.outcome?.[phase]) return { kind: 'ack' };
    const measured = await measure(await store.db.audits.get(plan.auditUuid, { showDeleted: true }), plan, deps);
    await store.transaction(async (unit) => {
      await unit.lock(`outcome:${plan.uuid}`);
      const { outcome } = await unit.actionPlans.get(plan.uuid);
      await unit.actionPlans.update(plan.uuid, { outcome: { ...outcome, [phase]: measured } });
    });
    logger.info({ plan: plan.uuid, phase }, 'outcome measured');
    return { kind: 'ack' };
  };
}

async function measure(audit: AuditView, plan: ActionPlanView, deps: OutcomeDeps): Promise<JsonObject> {
  const whole = await deps.model.fresh(0);
  const { snapshot } = applyScope(whole, audit.scope);
  const numbers: JsonObject = {
    measuredAt: new Date(whole.takenAtMs).toISOString(),
    cluster: { ...clusterNumbers(snapshot) },
  };
  try {
    const task = { ...audit, strategyName: plan.strategyName, rules: await enabledRules(deps.store.db) };
    const { indicators } = await computePlan(task, deps.signal, deps, whole);
    return { ...numbers, goal: Object.fromEntries(indicators.map(({ name, value }) => [name, value])) };
  } catch (error) {
    deps.signal.throwIfAborted();
    // The strategy may be gone or see no metrics by now; the numbers of the cluster are worth keeping.
    return { ...numbers, goal: null, reason: messageOf(error) };
  }
}
