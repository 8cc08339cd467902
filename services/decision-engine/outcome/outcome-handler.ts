import { applyScope, type ComputeSnapshot, hostFlag } from '#libs/cluster-model';
import { type JsonObject, messageOf } from '#libs/domain';
import type { Handler } from '#libs/messaging';
import { type ActionPlanView, type AuditView, enabledRules, type Store } from '#libs/store';
import { noTracer, type Tracer } from '#libs/tracing';
import { type ComputePlanDeps, computePlan } from '../audit-runner/compute-plan.ts';

/** Numbers of a cloud, or of the part of it within a scope, that plans are made to improve. */
interface ClusterNumbers {
  hosts: number;
  hostsEnabled: number;
  /** Hosts without instances. */
  hostsEmpty: number;
  instances: number;
  /** Standard deviation, over the enabled hosts, of the allocated share of the capacity; 0 is even. */
  vcpuShareDeviation: number;
  memoryShareDeviation: number;
}

export interface OutcomeDeps extends ComputePlanDeps {
  store: Store;
  /** Ends what runs when the process stops. */
  signal: AbortSignal;
  /** Default: measurements are not traced. */
  tracer?: Tracer;
}

/**
 * Handles `outcome.measure`: checks the cloud as it is now, within the scope of the plan's audit, and stores the
 * numbers in the plan's `outcome` as `before` or `after`: `cluster` (see ClusterNumbers), and `goal`, the indicators
 * that the same strategy has now: `standard_deviation_before_audit` is the spread now, `instance_migrations_count` what
 * it would still move. What was measured once stays. A cloud that cannot be read is tried again.
 */
export function createOutcomeHandler(deps: OutcomeDeps): Handler {
  const { store, logger } = deps;
  const { tracer = noTracer } = deps;
  return async ({ body, traceparent }) => {
    const phase = body.phase === 'before' ? 'before' : 'after';
    const plan = await store.db.actionPlans.find(String(body.plan_uuid));
    if (!plan || plan.outcome?.[phase]) return { kind: 'ack' };
    const audit = await store.db.audits.get(plan.auditUuid, { showDeleted: true });
    const attributes = { 'vigil.plan': plan.uuid, 'vigil.phase': phase };
    const measured = await tracer.run(
      'measure outcome',
      { kind: 'consumer', parents: [traceparent, plan.traceparent], attributes },
      () => measure(audit, plan, deps),
    );
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
    // The strategy may be gone or see no metrics by now. The numbers of the cluster are worth keeping.
    return { ...numbers, goal: null, reason: messageOf(error) };
  }
}

/** Counts and spreads of a snapshot. */
function clusterNumbers(snapshot: ComputeSnapshot): ClusterNumbers {
  const { hosts, hostInfo, instances } = snapshot;
  const occupied = new Set(instances.host.filter((host) => host >= 0));
  const enabled = hostInfo.flatMap((_, row) => ((hosts.flags[row] as number) & hostFlag.enabled ? row : []));
  const share = (used: Float64Array, total: Float64Array, reserved: Float64Array, ratio: Float64Array) =>
    deviation(
      enabled.flatMap((row) => {
        const capacity = ((total[row] as number) - (reserved[row] as number)) * (ratio[row] as number);
        return capacity > 0 ? (used[row] as number) / capacity : [];
      }),
    );
  return {
    hosts: hostInfo.length,
    hostsEnabled: enabled.length,
    hostsEmpty: hostInfo.length - occupied.size,
    instances: snapshot.instanceInfo.length,
    vcpuShareDeviation: share(hosts.vcpusUsed, hosts.vcpus, hosts.vcpusReserved, hosts.vcpusRatio),
    memoryShareDeviation: share(hosts.memoryUsed, hosts.memory, hosts.memoryReserved, hosts.memoryRatio),
  };
}

function deviation(values: readonly number[]): number {
  if (values.length === 0) return 0;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return Math.round(Math.sqrt(variance) * 1e6) / 1e6;
}
