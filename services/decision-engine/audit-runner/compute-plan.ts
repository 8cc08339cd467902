import { createHash } from 'node:crypto';
import { hostsOfActions } from '#libs/actions';
import { type ComputeSnapshot, hostFingerprints } from '#libs/cluster-model';
import {
  type AlertScope,
  type AuditReport,
  type AuditVariants,
  type GlobalEfficacy,
  type IdSource,
  type JsonObject,
  type JsonValue,
  type PlanHosts,
  sortedJson,
} from '#libs/domain';
import { migrationsAtOnce, type PlannedAction, validateParameters } from '#libs/plugin-kit';
import { inSpan } from '#libs/tracing';
import { createPlanTimer } from '../strategy-runner/variant-durations.ts';
import { readAuditModel } from './audit-model.ts';
import { startAuditReport } from './audit-report.ts';
import { choosePlugins } from './choose-strategy.ts';
import { measuredCpuLoads } from './cpu-loads.ts';
import { AuditRefusedError } from './errors.ts';
import { hostsOfPlan, touchedHosts } from './hosts-of-plan.ts';
import { mergeAims } from './merge-aims.ts';
import type { ComputePlanDeps, PlanTask } from './plan-task.ts';
import { reserveOfPlan } from './reserve-of-plan.ts';
import { runWithPlacement } from './run-with-placement.ts';
import { withSiteDefaults } from './site-defaults.ts';
import { startTimings } from './start-timings.ts';

/** Result of an audit, before it is stored. */
export interface ComputedPlan {
  strategyName: string;
  /** Whether the strategy acts on an operator's order. */
  byOrder: boolean;
  /** See `StrategyManifest`. */
  neverStale: boolean;
  /** See `StrategyManifest`. */
  urgentRules: readonly string[];
  /** Including all defaults. */
  parameters: JsonObject;
  /** Limit of the run by alerts, null without one. */
  alertScope: AlertScope;
  /** Input of the strategy: the model within the scope. */
  snapshot: ComputeSnapshot;
  actions: PlannedAction[];
  indicators: { name: string; description: string; unit: string | null; value: number }[];
  globalEfficacy: GlobalEfficacy[];
  report: AuditReport;
  /** Every host of the snapshot, before and after the actions. */
  hosts: PlanHosts;
  /**
   * The hosts that the actions use or free, from the complete model. Without fingerprints if the model is incomplete.
   */
  picture: { hosts: { hostname: string; fingerprint: string | null }[]; ageMs(): number };
  /** Plans of other sizes, if any. */
  variants: AuditVariants['variants'];
}

/**
 * Runs the strategy of an audit on a new model of the cloud, or on `picture`, and plans its proposal. In the mode
 * `merge` of opposite audits, a strategy with both aims runs instead.
 * @throws AuditRefusedError, InvalidInputError and the errors of model, history, strategy and planner. Each message
 * explains the fault to a user.
 */
export async function computePlan(
  subject: PlanTask,
  signal: AbortSignal,
  deps: ComputePlanDeps,
  picture?: ComputeSnapshot,
): Promise<ComputedPlan> {
  const timer = startTimings();
  const { task: audit, given, notes: mergeNotes } = await mergeAims(subject, deps, picture);
  const { goal, strategy } = choosePlugins(audit, {
    goals: deps.registry.goals(),
    strategies: deps.registry.strategies(),
  });
  const { manifest } = strategy;
  const budget = deps.options.migrationBudget ?? 0;
  refuseReplan(audit, manifest);
  const parameters = validateParameters(
    manifest.parameters,
    withSiteDefaults(manifest, audit.parameters, deps.options),
  );
  const thread = {
    strategy: deps.registry.source('strategy', manifest.name),
    timeLimitMs: deps.options.strategyTimeLimitMs,
    signal,
    logger: deps.logger,
  };
  const read = await readAuditModel(audit, { strategy, parameters, thread, given }, deps);
  const { whole, snapshot, others } = read;
  timer.lap('model');

  const model = { ...read, notes: [...read.notes, ...mergeNotes] };
  const report = startAuditReport(audit, manifest, { model, timer }, deps);
  const finishedActions = await deps.finishedActions?.();
  let phase: AuditReport['failedIn'] = 'strategy';
  audit.onBegin?.(() => report.ofFailure(phase));
  const past = manifest.readsPast === true ? await audit.readPast?.(goal.name) : undefined;
  const run = (allowed: ComputeSnapshot) =>
    deps.runner.run({
      ...thread,
      planner: deps.registry.source('planner', manifest.planner),
      goal: deps.registry.source('goal', goal.name),
      limits: {
        ...deps.options.limits,
        parallelMigrations: migrationsAtOnce(deps.options.limits.parallelMigrations, snapshot.hostInfo.length),
      },
      budget,
      allowance: read.ledger?.allowance,
      snapshot: allowed,
      storage: others.storage,
      baremetal: others.baremetal,
      parameters,
      seed: seedOf(manifest.name, parameters, audit.scope, audit.alertScope),
      nowMs: audit.atMs ?? deps.clock.now(),
      metrics: report.metrics.reader,
      failedMigrations: report.failedMigrations,
      finishedActions,
      maxActionsPerPlan: deps.options.maxActionsPerPlan,
      past,
      replan: audit.replan,
      starts: audit.replan ? 1 : manifest.starts,
      finish: audit.search?.finish,
      onProgress: (progress, start) => audit.search?.onProgress(progress, start),
      onStart(part) {
        // This phase includes storing the plan, as in Watcher, whose planners store it.
        if (part === 'planner') phase = 'planner';
      },
    });
  const judged = await inSpan(`strategy ${manifest.name}`, {}, () =>
    runWithPlacement(snapshot, deps.placement, { run, signal }),
  );
  const planned = judged.run;
  timer.lap('strategy', { planner: planned.timings.plan });

  const cpuLoads = await measuredCpuLoads(report.metrics, snapshot);
  const hosts = {
    ...hostsOfPlan(snapshot, planned.actions, { storage: others.storage, cpuLoads }),
    reserve: reserveOfPlan(whole, planned.actions),
    duration: createPlanTimer({
      snapshot,
      limits: deps.options.limits,
      finished: finishedActions ?? [],
      maxActionsPerPlan: deps.options.maxActionsPerPlan ?? 64,
    })(planned.actions),
  };
  return {
    strategyName: manifest.name,
    byOrder: manifest.byOrder === true,
    neverStale: manifest.neverStale === true,
    urgentRules: manifest.urgentRules ?? [],
    parameters,
    alertScope: read.alertScope,
    snapshot,
    actions: withNewUuids(planned.actions, deps.newUuid),
    indicators: goal.indicators
      .filter(({ name }) => planned.indicators[name] !== undefined)
      .map(({ name, description, unit }) => ({
        name,
        description,
        unit: unit ?? planned.units[name] ?? null,
        value: planned.indicators[name]!,
      })),
    globalEfficacy: planned.globalEfficacy,
    report: report.of({ ...planned.report, notes: [...judged.notes, ...planned.report.notes] }),
    hosts,
    picture: { hosts: picturedHosts(whole, hosts, planned.actions), ageMs: () => deps.clock.now() - whole.takenAtMs },
    variants: planned.variants,
  };
}

function picturedHosts(
  whole: ComputeSnapshot,
  plan: PlanHosts,
  actions: readonly PlannedAction[],
): ComputedPlan['picture']['hosts'] {
  const touched = touchedHosts(plan).hosts.map(({ hostname }) => hostname);
  const named = new Set([...hostsOfActions(actions), ...touched]);
  const fingerprints = whole.complete && named.size > 0 ? hostFingerprints(whole) : new Map<string, string>();
  return [...named].map((hostname) => ({ hostname, fingerprint: fingerprints.get(hostname) ?? null }));
}

/** Values that the planner used as uuids. */
function withNewUuids(actions: readonly PlannedAction[], newUuid: IdSource): PlannedAction[] {
  const uuids = new Map(actions.map(({ uuid }) => [uuid, newUuid()]));
  const renamed = (uuid: string) => uuids.get(uuid)!;
  return actions.map((action) => ({
    ...action,
    uuid: renamed(action.uuid),
    parents: action.parents.map(renamed),
  }));
}

function refuseReplan({ replan }: PlanTask, manifest: { name: string; replans?: boolean }): void {
  if (replan === undefined || manifest.replans === true) return;
  throw new AuditRefusedError(`strategy ${manifest.name} cannot plan chosen migrations`);
}

/**
 * Seed of the random numbers of a run. An audit and its preview have the same seed, so the same input gives the same
 * result. The order of property names does not count, because a request and the database may have different orders.
 */
function seedOf(strategy: string, parameters: JsonObject, scope: JsonValue, alertScope: AlertScope = null): number {
  const limit = alertScope === null ? [] : [sortedJson(alertScope as JsonValue)];
  const text = JSON.stringify([strategy, sortedJson(parameters), sortedJson(scope), ...limit]);
  return createHash('sha256').update(text).digest().readUInt32BE(0);
}
