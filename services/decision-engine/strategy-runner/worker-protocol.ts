import type { MessagePort } from 'node:worker_threads';
import type { BaremetalSnapshot, StorageSnapshot } from '#libs/cluster-model';
import type { AuditVariants, GlobalEfficacy, JsonObject, MetricName, WantedMove } from '#libs/domain';
import type { TimedSample } from '#libs/durations';
import type {
  MetricsReader,
  ModelName,
  PastActions,
  PlanLimits,
  PluginSource,
  ScoringSource,
  SearchProgress,
} from '#libs/plugin-kit';
import type { MoveAllowance } from './move-allowance.ts';
import type { PackedSnapshot } from './packed-snapshot.ts';
import type { PlannedResult } from './plan-actions.ts';

/** Data that a thread gets when it starts. */
export interface ThreadData {
  /** Action types that can be executed, each with the schema of its inputs. */
  actionSchemas: [actionType: string, schema: JsonObject][];
  /** Time by which `Date` in the thread is ahead, in milliseconds. Default 0. */
  clockAheadMs?: number;
}

/** Task of the worker. Columns of the snapshot and attributes of its instances are shared. Other fields are copied. */
export interface StrategyTask {
  strategy: PluginSource<'strategy'>;
  /** Plans the proposal of the strategy. */
  planner: PluginSource<'planner'>;
  /** Checks and measures the plan. */
  goal: PluginSource<'goal'>;
  limits: PlanLimits;
  /** Maximum migrations in the plan. 0: no limit. */
  budget: number;
  /** Budgets of moves over all audits. Default: none. */
  allowance?: MoveAllowance;
  /** Modules with scoring engines. Imported when the strategy requests one. */
  scoring: ScoringSource[];
  failedMigrations?: readonly string[];
  past?: PastActions;
  /**
   * Finished actions of this cloud, the oldest first, to estimate durations. Default: the default estimate is used.
   */
  finishedActions?: readonly TimedSample[];
  /** Concurrent actions of a plan, to estimate durations. */
  maxActionsPerPlan: number;
  /** See `StrategyContext`. */
  replan?: readonly WantedMove[];
  snapshot: PackedSnapshot;
  storage?: StorageSnapshot;
  baremetal?: BaremetalSnapshot;
  parameters: JsonObject;
  seed: number;
  /** Number of this start, from 0. */
  start: number;
  /** Shared memory by which the parent requests the best result so far. */
  word: Int32Array;
  nowMs: number;
  port: MessagePort;
}

/** Parameters by which a strategy chooses the models that it reads. */
export interface ModelsTask {
  strategy: PluginSource<'strategy'>;
  parameters: JsonObject;
  port: MessagePort;
}

export type MetricWindow = Parameters<MetricsReader['hosts']>[1];

/** The plugin whose code runs. */
export type RunPart = PluginSource['kind'];

/** Results of a search, and its spent and total units of work. */
export interface RunProgress {
  best: SearchProgress;
  work: number;
  budget: number;
}

/** Messages from the worker over the port during the run. */
export type WorkerMessage =
  | { kind: 'begins'; part: RunPart }
  | { kind: 'progress'; progress: RunProgress }
  | { kind: 'log'; level: 'debug' | 'info' | 'warn' | 'error'; fields: object; message: string }
  | { kind: 'metrics'; id: number; of: 'hosts' | 'instances'; metric: MetricName; window: MetricWindow };

/** Message to the worker over the port: the column for a request, or the reason of the failure. */
export type MetricsResponse = { id: number; column: Float64Array } | { id: number; failure: string };

/**
 * Reason of a run without a result. `metricsFailure` is the id of the failed request that the strategy did not catch.
 */
export interface RunFault {
  /** A whole sentence that names the plugin. */
  message: string;
  stack: string | undefined;
  /** Code of the error. Undefined without one. */
  code?: string;
  metricsFailure?: number;
}

/** Wall time of the parts of a run, in milliseconds. */
export interface StrategyTimings {
  /** Importing the strategy's module. */
  load: number;
  /** Waiting for metrics. */
  metrics: number;
  /** Computing in the strategy. */
  compute: number;
  /** Planner and efficacy, including the import of their modules. */
  plan: number;
}

/** Proposal of a strategy, planned and measured. The uuids of the actions are valid within this result only. */
export interface PlannedRun extends PlannedResult {
  /** Rank of the strategy, see `StrategyResult.rank`. */
  rank: number[] | undefined;
  globalEfficacy: GlobalEfficacy[];
  /** Plans of other sizes. Empty for a strategy without variants. */
  variants: AuditVariants['variants'];
  timings: StrategyTimings;
}

export type Outcome<Result> = { ok: true; result: Result } | { ok: false; fault: RunFault };

export type StrategyOutcome = Outcome<PlannedRun>;
export type ModelsOutcome = Outcome<ModelName[]>;
