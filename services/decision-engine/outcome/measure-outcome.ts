import { applyScope, limitToAlerts } from '#libs/cluster-model';
import { currentValues, type JsonObject, messageOf, type PromisedQuantity } from '#libs/domain';
import {
  type ActionPlanView,
  type AuditView,
  enabledRules,
  type MeasuredWindow,
  type MeasurementPhase,
  type Store,
} from '#libs/store';
import { computePlan } from '../audit-runner/compute-plan.ts';
import { pluginsOfPlan } from '../audit-runner/merge-aims.ts';
import type { ComputePlanDeps } from '../audit-runner/plan-task.ts';
import { clusterNumbers } from './cluster-numbers.ts';
import { lastChange } from './overlapping-plans.ts';
import { strategyWindowSeconds } from './strategy-window.ts';

/** Collaborators for a measurement. */
export interface MeasureDeps extends ComputePlanDeps {
  store: Store;
  /** Aborts a running measurement when the process stops. */
  signal: AbortSignal;
}

/** A measurement before it is stored. */
export interface Measured {
  /** `measuredAt`, `windowStart`, `windowEnd`, `cluster`, `goal`, and `reason` when `goal` is null. */
  numbers: JsonObject;
  /**
   * The longest window over which the strategy averages metrics. Empty when it reads none. `windowStart` in `numbers`
   * is later when a change by another plan shortened the windows of hosts.
   */
  window: MeasuredWindow;
  /** Measured hosts: all within the scope of the audit. */
  hostnames: string[];
  /** Loads and allocations of the hosts, to compare with the promises of the plan. Empty when `reason` is set. */
  values: ReadonlyMap<PromisedQuantity, number>;
  /** Why the goal has no value. Null when it has one. */
  reason: string | null;
  /** Time from which the windows can exclude the last change by another plan. Null when they already do. */
  settledAt: Date | null;
}

/** Ends a search immediately: only the strategy's initial value is read. */
const noSearch = { finish: AbortSignal.abort(), onProgress: () => undefined };
/** Seconds after a change until the cloud shows it. Windows exclude this time. */
const settleSeconds = 1;
/** Minimum period to search for changes by other plans, for strategies whose parameters do not show their windows. */
const minWindowSeconds = 3600;

/**
 * Measures the cloud within the scope of a plan's audit: counts and spreads, and the current indicators of the plan's
 * strategy. The windows of all metrics end at `at`. Before a plan, the windows of hosts start after the last change by
 * another plan in the scope. An average across the change would describe neither state.
 * @throws when the cloud cannot be read
 */
export async function measureOutcome(
  audit: AuditView,
  plan: ActionPlanView,
  phase: MeasurementPhase,
  at: Date,
  deps: MeasureDeps,
): Promise<Measured> {
  const whole = await deps.model.fresh(0);
  const scoped = applyScope(whole, audit.scope).snapshot;
  const snapshot = plan.alertScope === null ? scoped : limitToAlerts(scoped, plan.alertScope).snapshot;
  const hostnames = snapshot.hostInfo.map(({ hostname }) => hostname);
  const known = { measuredAt: new Date(whole.takenAtMs).toISOString(), cluster: { ...clusterNumbers(snapshot) } };
  const change = phase === 'before' ? await changeBefore({ audit, plan, at, hostnames }, deps) : null;
  const gap = new Set<string>();

  function unmeasured(cause: string, settledAt: Date | null = null): Measured {
    const reason = change !== null && gap.size > 0 ? gapReason(change, gap) : cause;
    const window = { start: at, end: at };
    return {
      numbers: { ...known, ...isoOf(window), goal: null, reason },
      window,
      hostnames,
      values: new Map(),
      reason,
      settledAt,
    };
  }

  if (change !== null && change.secondsAgo < 1) {
    const settledAt = new Date(change.endedAt.getTime() + (settleSeconds + 1) * 1000);
    return unmeasured(`plan ${change.planUuid} has just changed hosts`, settledAt);
  }
  try {
    const task = {
      ...audit,
      ...pluginsOfPlan(audit, plan, deps.registry),
      alertScope: plan.alertScope,
      rules: await enabledRules(deps.store.db),
      atMs: at.getTime(),
      search: noSearch,
      hostWindow: change === null ? undefined : { seconds: change.secondsAgo, onGap: collectInto(gap) },
    };
    const { indicators, report, hosts } = await computePlan(task, deps.signal, deps, whole);
    if (gap.size > 0) return unmeasured('');
    const seconds = Math.max(0, ...report.metrics.map(({ periodSeconds }) => periodSeconds));
    const goal = Object.fromEntries(indicators.map(({ name, value }) => [name, value]));
    const covered = isoOf(windowOf(at, Math.min(seconds, change?.secondsAgo ?? seconds)));
    const window = windowOf(at, seconds);
    const values = currentValues(hosts.quantities);
    return { numbers: { ...known, ...covered, goal }, window, hostnames, values, reason: null, settledAt: null };
  } catch (error) {
    deps.signal.throwIfAborted();
    // The strategy may be unavailable or find no metrics. The numbers of the cluster are stored anyway.
    return unmeasured(messageOf(error));
  }
}

/** The last change that another plan made to hosts. */
interface Change {
  planUuid: string;
  endedAt: Date;
  /** Whole seconds from the change to the measurement. Below 1, no window excludes the change. */
  secondsAgo: number;
}

async function changeBefore(
  { audit, plan, at, hostnames }: { audit: AuditView; plan: ActionPlanView; at: Date; hostnames: readonly string[] },
  { store, registry }: MeasureDeps,
): Promise<Change | null> {
  const declared = strategyWindowSeconds(registry, plan.strategyName, audit.parameters);
  const searched = windowOf(at, Math.max(declared, minWindowSeconds));
  const change = await lastChange(store, plan, searched, hostnames);
  if (change === null) return null;
  return { ...change, secondsAgo: Math.floor((at.getTime() - change.endedAt.getTime()) / 1000) - settleSeconds };
}

function gapReason({ planUuid, secondsAgo }: Change, hosts: ReadonlySet<string>): string {
  const [first] = hosts;
  const others = hosts.size > 1 ? ` and ${hosts.size - 1} more hosts` : '';
  return `${first}${others} have no measured value since plan ${planUuid} changed hosts ${secondsAgo} s before`;
}

function collectInto(found: Set<string>): (names: readonly string[]) => void {
  return (names) => {
    for (const name of names) found.add(name);
  };
}

function windowOf(end: Date, seconds: number): MeasuredWindow {
  return { start: new Date(end.getTime() - seconds * 1000), end };
}

function isoOf({ start, end }: MeasuredWindow): JsonObject {
  return { windowStart: start.toISOString(), windowEnd: end.toISOString() };
}
