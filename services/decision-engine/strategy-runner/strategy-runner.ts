import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { BaremetalSnapshot, ComputeSnapshot, StorageSnapshot } from '#libs/cluster-model';
import { type JsonObject, type Logger, messageOf, type WantedMove } from '#libs/domain';
import type { TimedSample } from '#libs/durations';
import type {
  ActionPlugin,
  MetricsReader,
  ModelName,
  PastActions,
  PlanLimits,
  PluginSource,
  ScoringSource,
} from '#libs/plugin-kit';
import { compiledUrl } from './compiled-url.ts';
import { PluginFailedError, PluginTimeoutError, StrategyStoppedError } from './errors.ts';
import type { MoveAllowance } from './move-allowance.ts';
import { packSnapshot } from './packed-snapshot.ts';
import { listenToWorker } from './parent-port.ts';
import { watchLimits } from './run-limits.ts';
import { runStarts, shareMetrics } from './starts.ts';
import { createFinishLine, type FinishLine } from './stop-signal.ts';
import { createStrategyThreads } from './strategy-threads.ts';
import type {
  ModelsTask,
  Outcome,
  PlannedRun,
  RunFault,
  RunPart,
  RunProgress,
  StrategyTask,
} from './worker-protocol.ts';

/** Fields of every run in a thread. */
interface ThreadRequest {
  /** From `PluginRegistry.source`, like the others. */
  strategy: PluginSource<'strategy'>;
  /** Limit of each part (strategy, planner, goal), without the wait of the run for a thread. */
  timeLimitMs: number;
  signal: AbortSignal;
  /** Logger of the strategy's lines. Default: the logger of the runner. */
  logger?: Logger;
}

/** Parameters by which a strategy chooses the models that it reads. */
export interface ModelsRequest extends ThreadRequest {
  /** Validated and with defaults. */
  parameters: JsonObject;
}

/** One run of a strategy. See `StrategyRun` of the plugin kit for the part that the strategy sees. */
export interface StrategyRunRequest extends ModelsRequest {
  planner: PluginSource<'planner'>;
  goal: PluginSource<'goal'>;
  limits: PlanLimits;
  /** Maximum migrations in the plan. Default 0: no limit. */
  budget?: number;
  /** Budgets of moves over all audits. Default: none. */
  allowance?: MoveAllowance;
  snapshot: ComputeSnapshot;
  storage?: StorageSnapshot;
  baremetal?: BaremetalSnapshot;
  seed: number;
  nowMs: number;
  /** Uuids of instances whose migration failed in an earlier plan of the same audit. Default none. */
  failedMigrations?: readonly string[];
  /** For strategies that read it. Default: empty. */
  past?: PastActions;
  /**
   * Finished actions of this cloud, the oldest first, to estimate durations. Default: the default estimate is used.
   */
  finishedActions?: readonly TimedSample[];
  /** Concurrent actions of a plan, to estimate durations. Default 64. */
  maxActionsPerPlan?: number;
  /** Migrations to plan instead of a search, for a strategy that `replans`. Default: the strategy searches. */
  replan?: readonly WantedMove[];
  /** Called in this thread. */
  metrics: MetricsReader;
  /** Called when strategy, planner and goal start. */
  onStart?(part: RunPart): void;
  /** Number of starts with separate random numbers. The best start is used. Default 1. */
  starts?: number;
  /**
   * Aborted on a request for the best result so far. A search receives the request at 80 % of the time limit anyway.
   */
  finish?: AbortSignal;
  /** Called with the results of a search, at most twice a second for each start. */
  onProgress?(progress: RunProgress, start: number): void;
}

/** Runs strategies, planners and goals in worker threads, at most `threads` runs at a time. Further runs wait. */
export interface StrategyRunner {
  /**
   * The strategy's proposal, planned and measured.
   * @throws PluginTimeoutError, StrategyStoppedError (when `signal` fires) or PluginFailedError.
   */
  run(request: StrategyRunRequest): Promise<PlannedRun>;
  /** The models that the strategy reads. Throws as `run`. */
  models(request: ModelsRequest): Promise<ModelName[]>;
  /** Kills running strategies. */
  close(): Promise<void>;
}

/** Number of threads, and the limits of each. */
export interface StrategyRunnerOptions {
  /** Maximum concurrent strategies. At least 1. */
  threads: number;
  logger: Logger;
  /**
   * Maximum heap of a run in MiB. Default 2048. A run with an external plugin also ends when the process has grown by
   * twice this size since the start: typed arrays are outside of the heap.
   */
  memoryLimitMb?: number;
  /** From `PluginRegistry.scoringSources`: the scoring engines for strategies. Default none. */
  scoring?: readonly ScoringSource[];
  /** Action types that can be executed. A run that proposes any other action, or one with invalid inputs, fails. */
  actions: readonly Pick<ActionPlugin, 'name' | 'schema'>[];
  /**
   * Time by which `Date` in the threads is ahead, in milliseconds, to detect strategies that read the clock. Default
   * 0.
   */
  clockAheadMs?: number;
}

const defaultMemoryLimitMb = 2048;

/** Fields of every task of the worker. */
type PortTask = { port: MessagePort };

interface ThreadWork<Task extends PortTask> {
  /** Exported function of the worker. */
  name: string;
  task: Omit<Task, 'port'>;
  sources: Partial<Record<RunPart, PluginSource>> & { strategy: PluginSource };
  metrics?: MetricsReader;
  /** Requests the best result so far from the strategy. */
  line?: FinishLine;
  onStart?(part: RunPart): void;
  onProgress?(progress: RunProgress): void;
}

/** Creates a runner. The first run starts the first thread. */
export function createStrategyRunner(options: StrategyRunnerOptions): StrategyRunner {
  const { logger, memoryLimitMb = defaultMemoryLimitMb } = options;
  const threads = createStrategyThreads(options, memoryLimitMb);
  const scoring = (options.scoring ?? []).map((source) => ({ ...source, moduleUrl: compiledUrl(source.moduleUrl) }));
  async function inThread<Result, Task extends PortTask>(
    request: ThreadRequest,
    { name, task, sources, metrics, line, onStart, onProgress }: ThreadWork<Task>,
  ): Promise<Result> {
    const { port1, port2 } = new MessageChannel();
    const growthMb = Object.values(sources).some(isFromOutside) ? memoryLimitMb * 2 : 0;
    const limits = watchLimits(request.timeLimitMs, growthMb);
    let part: RunPart = 'strategy';
    const port = listenToWorker(port1, {
      metrics,
      onProgress,
      logger: (request.logger ?? logger).child({ strategy: sources.strategy.name }),
      onStart: (started) => {
        part = started;
        limits.restart();
        if (started === 'strategy') line?.strategyStarts(request.timeLimitMs);
        else line?.stop();
        onStart?.(started);
      },
    });

    /** Returns why the thread was killed or ended. */
    function endOf(error: unknown): Error {
      const { name: plugin } = sources[part] ?? sources.strategy;
      if (limits.exceeded() === 'time') return new PluginTimeoutError(part, plugin, request.timeLimitMs);
      const grown = `the process took more than ${growthMb} MiB of memory since the run started`;
      const reason = limits.exceeded() === 'memory' ? grown : `its thread ended: ${messageOf(error)}`;
      const { code } = error as NodeJS.ErrnoException;
      const isOutOfMemory = limits.exceeded() === 'memory' || code === 'ERR_WORKER_OUT_OF_MEMORY';
      return new PluginFailedError(part, `${part} ${plugin} failed: ${reason}`, { cause: error, isOutOfMemory });
    }

    const signal = AbortSignal.any([request.signal, limits.signal]);
    let outcome: Outcome<Result>;
    try {
      outcome = await threads.pool().run({ ...task, port: port2 }, { name, transferList: [port2], signal });
    } catch (error) {
      // The last message may report the start of a part, which restarts the timer. The limits stop after it.
      port.close();
      if (!request.signal.aborted) throw endOf(error);
      throw new StrategyStoppedError(sources.strategy.name, { cause: request.signal.reason });
    } finally {
      // The last message may report the start of a part whose time limit would never end.
      port.close();
      limits.stop();
      line?.stop();
    }
    if (outcome.ok) return outcome.result;
    throw failureOf(part, outcome.fault, port.metricsError(outcome.fault.metricsFailure));
  }

  return {
    run({ strategy, planner, goal, ...request }) {
      const sources = { strategy: compiled(strategy), planner: compiled(planner), goal: compiled(goal) };
      const { limits, budget = 0, snapshot, storage, baremetal, parameters, seed, nowMs } = request;
      const { allowance, failedMigrations, past, finishedActions, maxActionsPerPlan = 64, replan } = request;
      const given = { limits, budget, snapshot: packSnapshot(snapshot), storage, baremetal, parameters, seed, nowMs };
      const task = { ...given, allowance, failedMigrations, past, finishedActions, maxActionsPerPlan, replan };
      const metrics = shareMetrics(request.metrics);
      return runStarts(request.starts ?? 1, (start, giveUp) => {
        const line = createFinishLine(request.finish);
        const signal = AbortSignal.any([request.signal, giveUp]);
        return inThread<PlannedRun, StrategyTask>(
          { strategy, ...request, signal },
          {
            name: 'runStrategyTask',
            task: { ...task, ...sources, scoring, start, word: line.word },
            sources,
            metrics,
            line,
            onStart: start === 0 ? request.onStart : undefined,
            onProgress: (progress) => request.onProgress?.(progress, start),
          },
        );
      });
    },
    models(request) {
      const strategy = compiled(request.strategy);
      const task = { strategy, parameters: request.parameters };
      return inThread<ModelName[], ModelsTask>(request, { name: 'readModelsTask', task, sources: { strategy } });
    },
    close: threads.close,
  };
}

function compiled<Source extends PluginSource>(source: Source): Source {
  return { ...source, moduleUrl: compiledUrl(source.moduleUrl) };
}

function isFromOutside({ moduleUrl }: PluginSource): boolean {
  return !moduleUrl.startsWith('#libs/');
}

function failureOf(part: RunPart, fault: RunFault, metricsError: unknown): PluginFailedError {
  if (metricsError !== undefined) return new PluginFailedError(part, fault.message, { cause: metricsError });
  const cause = new Error(fault.message);
  cause.stack = fault.stack ?? cause.stack;
  return new PluginFailedError(part, fault.message, { cause, faultCode: fault.code });
}
