import { applyScope } from '#libs/cluster-model';
import { type JsonObject, messageOf } from '#libs/domain';
import { type ActionPlanView, type AuditView, enabledRules, type MeasuredWindow, type Store } from '#libs/store';
import { type ComputePlanDeps, computePlan } from '../audit-runner/compute-plan.ts';
import { clusterNumbers } from './cluster-numbers.ts';

/** Collaborators for a measurement. */
export interface MeasureDeps extends ComputePlanDeps {
  store: Store;
  /** Ends a running measurement when the process stops. */
  signal: AbortSignal;
}

/** A measurement, not stored yet. */
export interface Measured {
  /** `measuredAt`, `windowStart`, `windowEnd`, `cluster`, `goal`; `reason` where `goal` is null. */
  numbers: JsonObject;
  /** Time over which the metrics were averaged. Its start is its end where the strategy read no metric. */
  window: MeasuredWindow;
  /** Hosts that the numbers are about: all within the scope of the audit. */
  hostnames: string[];
  /** Why the goal has no value. Null when it has one. */
  reason: string | null;
}

/** Ends a search at once: only the value that the strategy starts from is read. */
const noSearch = { finish: AbortSignal.abort(), onProgress: () => undefined };

/**
 * Measures the cloud within the scope of a plan's audit: counts and spreads, and the indicators that the plan's
 * strategy has now. The windows of all metrics end at `at`.
 * @throws when the cloud cannot be read
 */
export async function measureOutcome(
  audit: AuditView,
  plan: ActionPlanView,
  at: Date,
  deps: MeasureDeps,
): Promise<Measured> {
  const whole = await deps.model.fresh(0);
  const { snapshot } = applyScope(whole, audit.scope);
  const hostnames = snapshot.hostInfo.map(({ hostname }) => hostname);
  const cluster = { ...clusterNumbers(snapshot) };
  const measuredAt = new Date(whole.takenAtMs).toISOString();
  try {
    const task = {
      ...audit,
      strategyName: plan.strategyName,
      rules: await enabledRules(deps.store.db),
      atMs: at.getTime(),
      search: noSearch,
    };
    const { indicators, report } = await computePlan(task, deps.signal, deps, whole);
    const seconds = Math.max(0, ...report.metrics.map(({ periodSeconds }) => periodSeconds));
    const window = { start: new Date(at.getTime() - seconds * 1000), end: at };
    const goal = Object.fromEntries(indicators.map(({ name, value }) => [name, value]));
    return { numbers: { measuredAt, ...isoOf(window), cluster, goal }, window, hostnames, reason: null };
  } catch (error) {
    deps.signal.throwIfAborted();
    // The strategy may be unavailable or find no metrics. The numbers of the cluster are stored in either case.
    const reason = messageOf(error);
    const window = { start: at, end: at };
    return { numbers: { measuredAt, ...isoOf(window), cluster, goal: null, reason }, window, hostnames, reason };
  }
}

function isoOf({ start, end }: MeasuredWindow): JsonObject {
  return { windowStart: start.toISOString(), windowEnd: end.toISOString() };
}
