import { createHash } from 'node:crypto';
import { hostsOfActions } from '#libs/actions';
import { applyScope, type ComputeSnapshot, hostFingerprints, type RuleText, withRules } from '#libs/cluster-model';
import {
  type AlertScope,
  type ApprovalRule,
  type AuditReport,
  type AuditVariants,
  type AutomationRules,
  type Clock,
  type GlobalEfficacy,
  type IdSource,
  type JsonObject,
  type JsonValue,
  type Logger,
  type OppositeAuditsMode,
  type PlanHosts,
  sortedJson,
  type WantedMove,
} from '#libs/domain';
import type { TimedSample } from '#libs/durations';
import type { HistoryReader } from '#libs/history';
import {
  createMetricsReader,
  type HostWindow,
  type ModelName,
  migrationsAtOnce,
  type PastActions,
  type PlanLimits,
  type PlannedAction,
  type PluginRegistry,
  predictMetrics,
  type StrategyReport,
  validateParameters,
} from '#libs/plugin-kit';
import type { AuditView } from '#libs/store';
import { inSpan } from '#libs/tracing';
import { freshSince } from '../model/fresh-enough.ts';
import type { ModelKeeper } from '../model/model-keeper.ts';
import type { OtherModels } from '../model/other-models.ts';
import { withBudget } from '../strategy-runner/migration-budget.ts';
import type { StrategyRunner } from '../strategy-runner/strategy-runner.ts';
import { createPlanTimer } from '../strategy-runner/variant-durations.ts';
import { choosePlugins } from './choose-strategy.ts';
import { measuredCpuLoads } from './cpu-loads.ts';
import { AuditRefusedError } from './errors.ts';
import type { FailedMigration, RefusedMove } from './failed-migrations.ts';
import { hostsOfPlan, touchedHosts } from './hosts-of-plan.ts';
import type { MoveLedger } from './move-ledger.ts';
import { judgeOppositeAudits, type OppositeAudits } from './opposite-audits.ts';
import type { PlacementQueries } from './placement-queries.ts';
import { readOtherModels } from './read-other-models.ts';
import { reportFailedMigrations, withoutRefusedMoves } from './report-failures.ts';
import { groupNotes, lateNotes, portNotes, scopeNotes } from './report-notes.ts';
import { reserveOfPlan } from './reserve-of-plan.ts';
import { restAfterMoves } from './rest-after-moves.ts';
import { runWithPlacement } from './run-with-placement.ts';
import type { SearchLine } from './search-board.ts';
import { startTimings } from './start-timings.ts';
import { limitFor, withinAlerts } from './within-alerts.ts';

export interface ComputePlanDeps {
  registry: PluginRegistry;
  model: ModelKeeper;
  /** Block storage and bare metal. Without it audits that need them are refused. */
  otherModels?: OtherModels;
  /** Judges moves of instances with devices. Without it they stay. */
  placement?: PlacementQueries;
  history: HistoryReader;
  runner: StrategyRunner;
  /** Actions that succeeded, the oldest first, to estimate durations. Default: the default guess counts. */
  finishedActions?(): Promise<readonly TimedSample[]>;
  clock: Clock;
  newUuid: IdSource;
  logger: Logger;
  options: {
    modelMaxAgeMs: number;
    strategyTimeLimitMs: number;
    /** `parallelMigrations` 0: by the number of hosts. */
    limits: PlanLimits;
    /** Actions of a plan at once, to estimate durations. Default 64. */
    maxActionsPerPlan?: number;
    /** Migrations in a plan at most. Default 0, no limit. */
    migrationBudget?: number;
    /** How far strategies extrapolate the trend of a metric. Default 0: they use measured values. */
    predictSeconds?: number;
    /** How audits with opposite aims on the same hosts are treated. Default `allow`. */
    oppositeAudits?: OppositeAuditsMode;
    /** Rules that want an approval before a plan starts. Default none. */
    approvalRules?: readonly ApprovalRule[];
    /** Limits for plans that start automatically. Default: those of the configuration. */
    automationRules?: AutomationRules;
  };
}

/** Subject of a computation: an audit, or a draft of one. */
export type PlanTask = Pick<AuditView, 'goalName' | 'strategyName' | 'parameters' | 'scope'> & {
  /** Limit by the alerts that requested the run. Default null: the whole scope. */
  alertScope?: AlertScope;
  /**
   * Instances and volumes whose migration failed lately. Left alone unless the strategy acts by order. Default none.
   */
  failedMigrations?: readonly FailedMigration[];
  /** Destinations that are left out for an instance, because Nova lately refused them. Default none. */
  refusedMoves?: readonly RefusedMove[];
  /** Reads the changes of earlier plans, for a strategy that uses them. Default: no changes. */
  readPast?(goalName: string): Promise<PastActions>;
  /** Moves of all audits that limit the next ones, unless the strategy acts by order. Default null: no limit. */
  ledger?: MoveLedger | null;
  /** Audits whose aim undoes that of this one. Default none. */
  opposites?: OppositeAudits;
  /** Migrations that are to be planned instead of searching for others. Only for a strategy that `replans`. */
  replan?: readonly WantedMove[];
  /** Rules of the operator that are enforced. Default none. */
  rules?: readonly RuleText[];
  /** Milliseconds since an action last changed the cloud. The picture has to be younger. Default: never. */
  sinceChangeMs?: number;
  /** Milliseconds since an action last moved a volume. The reports of pools should be younger. Default: never. */
  sinceVolumeMoveMs?: number;
  /** How long to wait for such reports at most, in milliseconds. Default 0, and the report says that they are older. */
  poolPatienceMs?: number;
  /** Connection to a running search. Default: no progress and no stop requests. */
  search?: Pick<SearchLine, 'finish' | 'onProgress'>;
  /** Called with the scope of the audit, before the rest is read. An error that it throws ends the run. */
  onModel?(whole: ComputeSnapshot, models: readonly ModelName[]): Promise<void>;
  /** Called before the strategy starts, with a function that returns the report of a run that ends early. */
  onBegin?(reportSoFar: () => AuditReport): void;
  /** End of the windows of all metrics, in milliseconds since 1970. Default: the time of each query. */
  atMs?: number;
  /** Bound of the windows of metrics of hosts. Default: they are as long as the strategy requests. */
  hostWindow?: HostWindow;
};

/** Everything that an audit yields. Nothing of it is stored yet. */
export interface ComputedPlan {
  strategyName: string;
  /** Whether the strategy acts by order of an operator. */
  byOrder: boolean;
  /** See `StrategyManifest`. */
  neverStale: boolean;
  /** See `StrategyManifest`. */
  urgentRules: readonly string[];
  /** With all defaults filled in. */
  parameters: JsonObject;
  /** Limit of the run by alerts, null without one. */
  alertScope: AlertScope;
  /** Input of the strategy: the picture of the cloud within the scope. */
  snapshot: ComputeSnapshot;
  actions: PlannedAction[];
  indicators: { name: string; description: string; unit: string | null; value: number }[];
  globalEfficacy: GlobalEfficacy[];
  report: AuditReport;
  /** Every host of the snapshot, before and after the actions. */
  hosts: PlanHosts;
  /** The hosts that the actions use or free, in the whole picture. Without fingerprints where it is incomplete. */
  picture: { hosts: { hostname: string; fingerprint: string | null }[]; ageMs(): number };
  /** Plans of other sizes, if there are any. */
  variants: AuditVariants['variants'];
}

/**
 * Runs the strategy of an audit on a fresh picture of the cloud, or on `given`, and plans its proposal.
 * @throws AuditRefusedError, InvalidInputError and the errors of model, history, strategy and planner. Each message
 * explains the fault to a user.
 */
export async function computePlan(
  audit: PlanTask,
  signal: AbortSignal,
  deps: ComputePlanDeps,
  given?: ComputeSnapshot,
): Promise<ComputedPlan> {
  const timer = startTimings();
  const { goal, strategy } = choosePlugins(audit, {
    goals: deps.registry.goals(),
    strategies: deps.registry.strategies(),
  });
  const { manifest } = strategy;
  const budget = deps.options.migrationBudget ?? 0;
  refuseReplan(audit, manifest);
  const parameters = validateParameters(manifest.parameters, withBudget(manifest, audit.parameters, budget));

  const sinceMs = audit.sinceChangeMs ?? Number.POSITIVE_INFINITY;
  const age = { maxAgeMs: deps.options.modelMaxAgeMs, sinceMs, clock: deps.clock };
  const whole = given ?? (await inSpan('model', {}, () => freshSince(deps.model, age)));
  refuseIncomplete(whole, manifest);
  const ledger = manifest.byOrder === true ? null : (audit.ledger ?? null);
  const { snapshot, notes } = limitedModel(whole, { ...audit, ledger }, deps, manifest.byOrder === true);
  const thread = {
    strategy: deps.registry.source('strategy', manifest.name),
    timeLimitMs: deps.options.strategyTimeLimitMs,
    signal,
    logger: deps.logger,
  };
  const models = strategy.modelsFor ? await deps.runner.models({ ...thread, parameters }) : manifest.models;
  const alertScope = limitFor(manifest.name, models, audit.alertScope);
  await audit.onModel?.(whole, models);
  const others = await readOtherModels(
    {
      strategy: manifest,
      scope: audit.scope,
      models,
      age,
      pools: { sinceMs: audit.sinceVolumeMoveMs, patienceMs: audit.poolPatienceMs, signal },
    },
    deps.otherModels,
  );
  const modelAgeSeconds = Math.max(0, (deps.clock.now() - snapshot.takenAtMs) / 1000);
  timer.lap('model');

  const history = deps.history.forStrategy?.(manifest.name) ?? deps.history;
  const predictSeconds = deps.options.predictSeconds ?? 0;
  const predicted = predictSeconds > 0 ? predictMetrics(history, predictSeconds) : { source: history, notes: () => [] };
  const metrics = createMetricsReader({
    history: predicted.source,
    snapshot,
    endMs: audit.atMs,
    clock: deps.clock,
    hostWindow: audit.hostWindow,
    onQuery: timer.add('metrics'),
  });
  const failed = reportFailedMigrations(
    [snapshot, others.storage],
    audit.failedMigrations ?? [],
    manifest.byOrder === true,
  );
  const reportOf = (own: StrategyReport): AuditReport => ({
    strategy: manifest.name,
    ...own,
    blocked: failed.blocked(own.blocked),
    notes: [
      ...notes,
      ...failed.notes,
      ...others.notes,
      ...predicted.notes(),
      ...lateNotes(metrics.uses()),
      ...own.notes,
    ],
    metrics: metrics.uses(),
    modelAgeSeconds,
    modelComplete: snapshot.complete && others.complete,
    timingsMs: timer.timings(),
  });
  const finishedActions = await deps.finishedActions?.();
  let phase: AuditReport['failedIn'] = 'strategy';
  audit.onBegin?.(() => ({ ...reportOf(nothingYet(snapshot)), failedIn: phase }));
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
      allowance: ledger?.allowance,
      snapshot: allowed,
      storage: others.storage,
      baremetal: others.baremetal,
      parameters,
      seed: seedOf(manifest.name, parameters, audit.scope, audit.alertScope),
      nowMs: audit.atMs ?? deps.clock.now(),
      metrics: metrics.reader,
      failedMigrations: failed.uuids,
      finishedActions,
      maxActionsPerPlan: deps.options.maxActionsPerPlan,
      past,
      replan: audit.replan,
      starts: audit.replan ? 1 : manifest.starts,
      finish: audit.search?.finish,
      onProgress: (progress, start) => audit.search?.onProgress(progress, start),
      onStart(part) {
        // The plan is stored in this phase too, as in Watcher, whose planners store it.
        if (part === 'planner') phase = 'planner';
      },
    });
  const judged = await inSpan(`strategy ${manifest.name}`, {}, () =>
    runWithPlacement(snapshot, deps.placement, { run, signal }),
  );
  const planned = judged.run;
  timer.lap('strategy', { planner: planned.timings.plan });

  const cpuLoads = await measuredCpuLoads(metrics, snapshot);
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
    alertScope,
    snapshot,
    actions: withNewUuids(planned.actions, deps.newUuid),
    indicators: goal.indicators
      .filter(({ name }) => planned.indicators[name] !== undefined)
      .map(({ name, description, unit }) => ({ name, description, unit, value: planned.indicators[name]! })),
    globalEfficacy: planned.globalEfficacy,
    report: reportOf({ ...planned.report, notes: [...judged.notes, ...planned.report.notes] }),
    hosts,
    picture: { hosts: picturedHosts(whole, hosts, planned.actions), ageMs: () => deps.clock.now() - whole.takenAtMs },
    variants: planned.variants,
  };
}

/** The part of the picture that an audit may change, with notes on all that limits it. @throws AuditRefusedError */
function limitedModel(
  whole: ComputeSnapshot,
  { scope, alertScope = null, rules = [], opposites, ledger = null, refusedMoves = [], atMs }: PlanTask,
  { clock, options }: ComputePlanDeps,
  byOrder: boolean,
): { snapshot: ComputeSnapshot; notes: string[] } {
  const mode = options.oppositeAudits ?? 'allow';
  const oppositeNotes = opposites === undefined ? [] : judgeOppositeAudits(whole, scope, opposites, mode);
  const { snapshot: own, report } = applyScope(whole, scope);
  const { snapshot: scoped, notes: limitNotes } = withinAlerts(own, alertScope);
  const wary = withoutRefusedMoves(scoped, refusedMoves, byOrder);
  const { snapshot: ruled, notes: ruleNotes } = withRules(wary.snapshot, rules);
  const { snapshot, notes: restNotes } = restAfterMoves(ruled, ledger, atMs ?? clock.now());
  return {
    snapshot,
    notes: [
      ...scopeNotes(report),
      ...limitNotes,
      ...oppositeNotes,
      ...groupNotes(snapshot),
      ...portNotes(snapshot),
      ...wary.notes,
      ...restNotes,
      ...ruleNotes,
    ],
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

/** Strings that the planner used as uuids. */
function withNewUuids(actions: readonly PlannedAction[], newUuid: IdSource): PlannedAction[] {
  const uuids = new Map(actions.map(({ uuid }) => [uuid, newUuid()]));
  const renamed = (uuid: string) => uuids.get(uuid)!;
  return actions.map((action) => ({
    ...action,
    uuid: renamed(action.uuid),
    parents: action.parents.map(renamed),
  }));
}

/** Report of a run whose strategy returned nothing. */
function nothingYet({ hostInfo, instanceInfo }: ComputeSnapshot): StrategyReport {
  return {
    hosts: { considered: hostInfo.length, eligible: 0 },
    instances: { considered: instanceInfo.length, eligible: 0 },
    blocked: [],
    emptyBecause: null,
    notes: ['the run failed; the report contains the data known until then'],
  };
}

function refuseReplan({ replan }: PlanTask, manifest: { name: string; replans?: boolean }): void {
  if (replan === undefined || manifest.replans === true) return;
  throw new AuditRefusedError(`strategy ${manifest.name} cannot plan chosen migrations`);
}

function refuseIncomplete(snapshot: ComputeSnapshot, manifest: { name: string; needsCompleteModel: boolean }): void {
  if (snapshot.complete || !manifest.needsCompleteModel) return;
  const gaps = snapshot.gaps.slice(0, 3).join('; ');
  throw new AuditRefusedError(
    `strategy ${manifest.name} needs a complete model of the cloud, and parts of it could not be read: ${gaps}`,
  );
}

/**
 * Seed of the random numbers of a run. An audit and its preview have the same seed, so the same input gives the same
 * result. The order of property names does not count, since a request and the database may differ in it.
 */
function seedOf(strategy: string, parameters: JsonObject, scope: JsonValue, alertScope: AlertScope = null): number {
  const limit = alertScope === null ? [] : [sortedJson(alertScope as JsonValue)];
  const text = JSON.stringify([strategy, sortedJson(parameters), sortedJson(scope), ...limit]);
  return createHash('sha256').update(text).digest().readUInt32BE(0);
}
