import { performance } from 'node:perf_hooks';
import { type MessagePort, workerData } from 'node:worker_threads';
import type { ComputeSnapshot } from '#libs/cluster-model';
import { InvalidInputError, type Logger, messageOf, VigilError } from '#libs/domain';
import {
  type ActionSchemas,
  checkPlannedActions,
  checkProposedActions,
  createScoringReader,
  executeStrategy,
  type GoalPlugin,
  globalEfficacyOf,
  InvalidPluginResultError,
  InvalidStrategyResultError,
  type MetricsReader,
  migrationTimesOf,
  modelNames,
  type PlannerPlugin,
  type PluginSource,
  type ScoringEnginePlugin,
  type ScoringSource,
  type SearchProgress,
  type StrategyPlugin,
  type StrategyResult,
  scoringEnginesOf,
  validateIndicators,
  workOf,
} from '#libs/plugin-kit';
import { unpackSnapshot } from './packed-snapshot.ts';
import { planActions } from './plan-actions.ts';
import { planVariants } from './plan-variants.ts';
import { createPlanTimer } from './variant-durations.ts';
import type {
  MetricsResponse,
  MetricWindow,
  ModelsOutcome,
  ModelsTask,
  Outcome,
  PlannedRun,
  RunFault,
  RunPart,
  StrategyOutcome,
  StrategyTask,
  ThreadData,
  WorkerMessage,
} from './worker-protocol.ts';

/** Constant for the lifetime of the thread, so each schema is compiled once. */
const actionSchemas: ActionSchemas = new Map((workerData as ThreadData).actionSchemas);

setClockAhead((workerData as ThreadData).clockAheadMs ?? 0);

/** Sets `Date` of this thread ahead. */
function setClockAhead(aheadMs: number): void {
  if (aheadMs === 0) return;
  const Real = Date;
  globalThis.Date = new Proxy(Real, {
    construct: (target, args: [], newTarget) =>
      Reflect.construct(target, args.length === 0 ? [Real.now() + aheadMs] : args, newTarget) as Date,
    apply: () => new Real(Real.now() + aheadMs).toString(),
    get: (target, name) => (name === 'now' ? () => Real.now() + aheadMs : Reflect.get(target, name)),
  });
}

/** Pause between two reports of a search, in milliseconds. */
const progressPauseMs = 500;

/** A request for metrics failed in the parent. The parent keeps the original error under this id. */
class MetricsFailure extends Error {
  readonly id: number;

  constructor(id: number, message: string) {
    super(message);
    this.id = id;
  }
}

interface PluginOf {
  strategy: StrategyPlugin;
  planner: PlannerPlugin;
  goal: GoalPlugin;
}

/** Runs the parts of a run sequentially. Faults name the current one. */
interface Parts {
  /** Reports the part to the parent, and imports the plugin. */
  begin<Kind extends RunPart>(source: PluginSource<Kind>): Promise<PluginOf[Kind]>;
}

/** The task in its thread. */
interface ThreadTask extends Omit<StrategyTask, 'snapshot'> {
  snapshot: ComputeSnapshot;
}

/** Entry point of the worker thread: runs one strategy, plans its proposal, and returns the result. */
export function runStrategyTask(given: StrategyTask): Promise<StrategyOutcome> {
  return inParts(given.port, async (parts) => {
    const started = performance.now();
    const strategy = await parts.begin(given.strategy);
    const loaded = performance.now();
    const task: ThreadTask = { ...given, snapshot: unpackSnapshot(given.snapshot) };
    const requester = createMetricsAsker(task.port);
    const result = cloneable(await runStrategy(strategy, requester.reader, task));
    checkProposedActions(strategy.manifest.name, result, actionSchemas);
    const proposed = performance.now();
    const planned = await planResult(strategy, result, task, parts);
    const metrics = requester.waitedMs();
    const timings = {
      load: loaded - started,
      metrics,
      compute: proposed - loaded - metrics,
      plan: performance.now() - proposed,
    };
    return { ...planned, timings };
  });
}

/** Entry point of the worker thread: queries a strategy for the models that it reads. */
export function readModelsTask({ strategy: source, parameters, port }: ModelsTask): Promise<ModelsOutcome> {
  return inParts(port, async (parts) => {
    const strategy = await parts.begin(source);
    const models = strategy.modelsFor?.(parameters) ?? strategy.manifest.models;
    if (Array.isArray(models) && models.every((model) => modelNames.includes(model))) return [...models];
    throw new Error(`modelsFor returned ${JSON.stringify(models)}, which is not a list of models`);
  });
}

async function inParts<Result>(port: MessagePort, work: (parts: Parts) => Promise<Result>): Promise<Outcome<Result>> {
  let current: PluginSource | undefined;
  try {
    const result = await work({
      async begin(source) {
        current = source;
        port.postMessage({ kind: 'begins', part: source.kind } satisfies WorkerMessage);
        return loadPlugin(source);
      },
    });
    return { ok: true, result };
  } catch (error) {
    return { ok: false, fault: faultOf(error, `${current?.kind} ${current?.name}`) };
  } finally {
    port.close();
  }
}

function runStrategy(strategy: StrategyPlugin, metrics: MetricsReader, task: ThreadTask): Promise<StrategyResult> {
  const { snapshot, storage, baremetal, parameters, seed, start, word, nowMs, port } = task;
  const { failedMigrations, past, finishedActions = [], replan } = task;
  return executeStrategy(strategy, {
    snapshot,
    storage,
    baremetal,
    parameters,
    seed,
    work: { start, word, onReport: createProgressTeller(port, workOf(parameters)) },
    nowMs,
    metrics,
    scoring: createScoringReader(() => loadScoringEngines(task.scoring)),
    failedMigrations,
    past,
    migrationTimes: migrationTimesOf(finishedActions),
    replan,
    // Never aborted: the parent stops a strategy by killing its thread.
    signal: new AbortController().signal,
    log: createPortLogger((message) => port.postMessage(message), {}),
  });
}

async function planResult(
  { manifest }: StrategyPlugin,
  result: StrategyResult,
  task: ThreadTask,
  parts: Parts,
): Promise<Omit<PlannedRun, 'timings'>> {
  const { goal: goalSource, planner: plannerSource, snapshot, limits, budget, allowance } = task;
  const goal = await parts.begin(goalSource);
  checkIndicators(manifest.name, goal, result.indicators);
  const planner = await parts.begin(plannerSource);
  const planOf = (proposed: StrategyResult) =>
    planActions(
      { manifest, result: proposed, planner, budget, allowance },
      { snapshot, limits, newUuid: createProvisionalUuids() },
    );
  const planned = planOf(result);
  const { finishedActions: finished = [], maxActionsPerPlan } = task;
  const { curve, variants } = planVariants(
    result.variants ?? [],
    ({ chosen, actions }) => (chosen ? planned.actions : planOf({ ...result, actions }).actions),
    createPlanTimer({ snapshot, limits, finished, maxActionsPerPlan }),
  );
  if (curve.length > 0) planned.report = { ...planned.report, curve };
  checkPlannedActions(planner.name, planned.actions, actionSchemas);
  // External planners may add any value to an action.
  const plan = plannerSource.moduleUrl.startsWith('#libs/') ? planned : cloneable(planned);
  await parts.begin(goalSource);
  return {
    ...plan,
    variants,
    rank: result.rank,
    globalEfficacy: cloneable(globalEfficacyOf(goal, planned.indicators)),
  };
}

function checkIndicators(strategy: string, goal: GoalPlugin, indicators: Record<string, number>): void {
  try {
    validateIndicators(goal, indicators);
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    throw new InvalidStrategyResultError(strategy, 'indicators', error.message);
  }
}

/** Creates provisional uuids. The parent replaces them. */
function createProvisionalUuids(): () => string {
  let next = 0;
  return () => {
    next += 1;
    return `00000000-0000-4000-8000-${next.toString(16).padStart(12, '0')}`;
  };
}

/** Strategies of Vigil, by the names that the parent uses. See `builtInPlugins`. */
const ownModules: Record<string, () => Promise<Record<string, unknown>>> = {
  '#libs/goals': () => import('#libs/goals'),
  '#libs/planners': () => import('#libs/planners'),
  '#libs/scoring': () => import('#libs/scoring'),
  '#libs/strategies': () => import('#libs/strategies'),
};

function loadModule(moduleUrl: string): Promise<Record<string, unknown>> {
  return ownModules[moduleUrl]?.() ?? import(moduleUrl);
}

async function loadPlugin<Kind extends RunPart>({
  kind,
  name,
  moduleUrl,
  exportName,
}: PluginSource<Kind>): Promise<PluginOf[Kind]> {
  const plugins = (await loadModule(moduleUrl))[exportName];
  const isWanted = (plugin: unknown): plugin is PluginOf[Kind] => {
    if (typeof plugin !== 'object' || plugin === null) return false;
    const described = (kind === 'strategy' ? (plugin as Partial<StrategyPlugin>).manifest : plugin) as
      | { kind?: unknown; name?: unknown }
      | undefined;
    return described?.kind === kind && described.name === name;
  };
  const found = Array.isArray(plugins) ? plugins.find(isWanted) : undefined;
  if (found === undefined) throw new Error(`the export ${exportName} of ${moduleUrl} no longer contains it`);
  return found;
}

async function loadScoringEngines(sources: readonly ScoringSource[]): Promise<ScoringEnginePlugin[]> {
  const modules = await Promise.all(
    sources.map(async ({ moduleUrl, exportName }) => {
      const plugins = (await loadModule(moduleUrl))[exportName];
      return Array.isArray(plugins) ? scoringEnginesOf(plugins) : [];
    }),
  );
  return modules.flat();
}

/** The result is sent as a message, which cannot contain functions. */
function cloneable<T>(result: T): T {
  try {
    return structuredClone(result);
  } catch (error) {
    throw new Error(`its result contains values other than plain data: ${messageOf(error)}`);
  }
}

function faultOf(error: unknown, plugin: string): RunFault {
  const namesPlugin = error instanceof InvalidPluginResultError || error instanceof InvalidStrategyResultError;
  return {
    message: namesPlugin ? error.message : `${plugin} failed: ${messageOf(error)}`,
    stack: error instanceof Error ? error.stack : undefined,
    ...(error instanceof VigilError ? { code: error.code } : {}),
    ...(error instanceof MetricsFailure ? { metricsFailure: error.id } : {}),
  };
}

function createMetricsAsker(port: MessagePort): { reader: MetricsReader; waitedMs(): number } {
  const waiting = new Map<number, { resolve(column: Float64Array): void; reject(error: Error): void }>();
  let lastId = 0;
  let waited = 0;
  let waitingSince = 0;

  port.on('message', (response: MetricsResponse) => {
    const requested = waiting.get(response.id);
    waiting.delete(response.id);
    if (waiting.size === 0) waited += performance.now() - waitingSince;
    if ('column' in response) requested?.resolve(response.column);
    else requested?.reject(new MetricsFailure(response.id, response.failure));
  });

  function request(of: 'hosts' | 'instances', metric: Parameters<MetricsReader['hosts']>[0], window: MetricWindow) {
    return new Promise<Float64Array>((resolve, reject) => {
      if (waiting.size === 0) waitingSince = performance.now();
      lastId += 1;
      waiting.set(lastId, { resolve, reject });
      port.postMessage({ kind: 'metrics', id: lastId, of, metric, window } satisfies WorkerMessage);
    });
  }

  const reader: MetricsReader = {
    hosts: (metric, window) => request('hosts', metric, window),
    instances: (metric, window) => request('instances', metric, window),
  };
  return { reader, waitedMs: () => waited };
}

/** Passes results of the search to the parent at intervals. */
function createProgressTeller(port: MessagePort, budget: number): (best: SearchProgress, work: number) => void {
  let nextAt = 0;
  return ({ value, bound, moves }, work) => {
    const now = performance.now();
    if (now < nextAt) return;
    nextAt = now + progressPauseMs;
    const progress = { best: { value, bound, moves }, work, budget };
    port.postMessage({ kind: 'progress', progress } satisfies WorkerMessage);
  };
}

function createPortLogger(say: (message: WorkerMessage) => void, bound: object): Logger {
  const at = (level: 'debug' | 'info' | 'warn' | 'error') => (fields: object, message: string) =>
    say({ kind: 'log', level, fields: loggable({ ...bound, ...fields }), message });
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: (fields) => createPortLogger(say, { ...bound, ...fields }),
  };
}

/** Log fields may have any value. Values that a message cannot carry become text. */
function loggable(fields: object): object {
  try {
    return structuredClone(fields);
  } catch {
    return { fields: String(Object.entries(fields).map(([name, value]) => `${name}=${String(value)}`)) };
  }
}
