import type { BaremetalSnapshot, StorageWhatIf, WhatIf } from '#libs/cluster-model';
import type {
  ActionReason,
  AuditReport,
  Clock,
  CurvePoint,
  JsonObject,
  Logger,
  MetricAggregate,
  MetricName,
  RandomSource,
  WantedMove,
} from '#libs/domain';
import type { ScoringReader } from './scoring.ts';
import type { ImprovedPlacement } from './search/improve-placement.ts';
import type { PlacementCosts } from './search/placement-problem.ts';
import type { StrategyWork } from './work.ts';

/** Parts of the model of a cloud. */
export type ModelName = 'compute' | 'storage' | 'baremetal';

/** All of them. */
export const modelNames: ModelName[] = ['compute', 'storage', 'baremetal'];

/** Description of a strategy. Stored by the sync, shown by the API, checked by the loader. */
export interface StrategyManifest {
  kind: 'strategy';
  /** Unique, snake_case, at most 63 characters. */
  name: string;
  displayName: string;
  /** Name of the goal it serves. */
  goal: string;
  /** One paragraph for operators. */
  description: string;
  /** JSON Schema (draft 4) of the parameters, type object. `default`s are filled in. */
  parameters: JsonObject;
  /** Metrics without which it cannot work. */
  metrics: MetricName[];
  /** Model parts it reads. `compute` is always there, the others only for a strategy that names them. */
  models: ModelName[];
  /** Planner by name. `resource` unless there is a reason. */
  planner: string;
  /** Whether it must not run on a model that is known to be incomplete (consolidation). */
  needsCompleteModel: boolean;
  /**
   * Whether it does an operator's order, such as emptying a host. Then the cool-down of instances, failed migrations
   * and the budget of migrations do not limit it. Default false.
   */
  byOrder?: boolean;
  /**
   * Whether its plans start without a confirmation after changes of their hosts, because the operator chose the
   * actions. Default false.
   */
  neverStale?: boolean;
  /**
   * Rules of its reasons (`ActionReason.rule`) for migrations that relieve an overloaded host or repair a broken rule.
   * The budgets of moves of hosts and cloud never hold these back. Default none.
   */
  urgentRules?: readonly string[];
  /** Whether it receives earlier plans (`past`). Default false. */
  readsPast?: boolean;
  /** Whether it can plan given migrations instead of searching (`replan`). Default false. */
  replans?: boolean;
  /**
   * Number of runs with separate random numbers, in parallel threads. The run with the best `rank` becomes the plan.
   * For random searches. 1 to 8, default 1.
   */
  starts?: number;
}

/** Actions of earlier plans, as far as they are kept. */
export interface PastActions {
  /** Host that an instance left last, by its uuid: of migrations in plans of the same goal, rollbacks included. */
  departures: Readonly<Record<string, string>>;
  /** Hosts whose compute service earlier plans of the same audit have disabled. */
  disabled: readonly string[];
  /**
   * Hosts whose compute service a plan of any audit has enabled in the last hour, and none has disabled since: they
   * are to be used, or stand by.
   */
  woken: readonly string[];
  /** Actions of the same audit that failed. */
  failures: number;
  /** Migrations of the last plan of the same audit that were neither made nor failed. */
  open: readonly WantedMove[];
}

/** Nothing was done before. */
export const noPast: PastActions = { departures: {}, disabled: [], woken: [], failures: 0, open: [] };

/** The samples that count, and how they become one number. */
export interface MetricsWindow {
  periodSeconds: number;
  granularitySeconds?: number;
  aggregate: MetricAggregate;
  /** How long ago the window ended. Default 0, it ends now. */
  endsSecondsAgo?: number;
}

/** Batched metrics, aligned with the rows of the snapshot; NaN where there is no finite value. One query per call. */
export interface MetricsReader {
  hosts(metric: MetricName, window: MetricsWindow): Promise<Float64Array>;
  instances(metric: MetricName, window: MetricsWindow): Promise<Float64Array>;
}

/** An action before planning. `inputParameters` follows the schema of the action type, `resource_id` included. */
export interface ProposedAction {
  actionType: string;
  inputParameters: JsonObject & { resource_id?: string };
  reason: ActionReason;
  /**
   * Host that the action is to leave empty, such as the one whose service it disables. It is of use only then. When a
   * migration off that host finds no room, the planner `resource` leaves out this action and all migrations off the
   * host. Default: none.
   */
  freesHost?: string;
  /**
   * Gain of a migration, in any unit that is the same for all actions of the plan. The planner `resource` starts the
   * actions with the most gain for their duration first, so that a plan that stops half-way has most of its gain.
   * Default: it checks durations only.
   */
  gain?: number;
}

/** All that a strategy may check. */
export interface StrategyContext<Parameters = JsonObject> {
  /** A private view. Moving instances in it has no effect outside. */
  model: WhatIf;
  /** Block storage as a private view. There when the run requested the model `storage`. */
  storage?: StorageWhatIf;
  /** Machines below the cloud. There when the run requested the model `baremetal`. */
  baremetal?: BaremetalSnapshot;
  metrics: MetricsReader;
  /** Scoring engines of the process. None where it has none. */
  scoring: ScoringReader;
  /**
   * Uuids of instances and volumes whose migration failed recently, in any plan. Unless the strategy acts by order
   * (`byOrder`), the models refuse to move them (`migration-failed`).
   */
  failedMigrations: readonly string[];
  /** Nothing unless the manifest says `readsPast`. */
  past: PastActions;
  /** Median seconds of a migration of this number of MiB on this cloud, estimated like durations of plans. */
  migrationSeconds(way: 'live' | 'cold', mib: number): number;
  /**
   * Only for a strategy that `replans`: chosen migrations. It proposes those that are still possible and useful, in a
   * possible order, and searches for no others. Default: null, no restriction.
   */
  replan: readonly WantedMove[] | null;
  /** Validated, with all defaults filled in. */
  parameters: Parameters;
  clock: Clock;
  /** Seeded by the engine with the audit, so that the same input gives the same plan. */
  random: RandomSource;
  /** The budget of a search. Strategies that do not search leave it alone. */
  work: StrategyWork;
  /**
   * Searches for the placement with the least cost that this number of migrations (0: any number) can reach, with the
   * rules of the model and within `work`: steepest descent, then random moves are reverted and found again. It reports
   * its progress, ends with the best so far, and leaves the model unchanged.
   */
  improvePlacement(costs: PlacementCosts, mostMoves: number): ImprovedPlacement;
  signal: AbortSignal;
  log: Logger;
}

/** The part of the report that only the strategy knows. The engine adds metrics, model age and timings. */
export type StrategyReport = Pick<
  AuditReport,
  | 'hosts'
  | 'instances'
  | 'pools'
  | 'volumes'
  | 'blocked'
  | 'emptyBecause'
  | 'notes'
  | 'objective'
  | 'gap'
  | 'curve'
  | 'search'
>;

/** A plan of another size than that which a strategy proposes. */
export interface StrategyVariant extends CurvePoint {
  /** In an order that is possible. */
  actions: ProposedAction[];
}

/** Proposal of a strategy, and its explanation. */
export interface StrategyResult {
  actions: ProposedAction[];
  /** Values of the goal's indicators by name. */
  indicators: Record<string, number>;
  /**
   * Units of indicators whose definition leaves the unit open, by name: `fraction` for a part of 1, which is shown in
   * percent. Default: none.
   */
  units?: Record<string, string>;
  report: StrategyReport;
  /**
   * The best plans of several sizes, at most eight, the smallest first. `actions` are those of the chosen one. The
   * engine plans each of them, shows the curve, and keeps them so that another one can be planned later (`replans`).
   * Default: none.
   */
  variants?: StrategyVariant[];
  /**
   * How good the result is, for the choice among several starts: numbers compared in order, the least is best. Default:
   * all are equal.
   */
  rank?: number[];
  /**
   * Why a search ended without an outside request. Default `converged`. The engine knows when its work was done or an
   * end was requested.
   */
  endedBy?: 'bound' | 'converged';
  /**
   * Names of hosts that must receive no instance, such as hosts without measurements. Planners park no instance there
   * while it waits for room. Default: none.
   */
  leftAlone?: readonly string[];
}

/**
 * A strategy: pure, deterministic, without access to cloud, store or bus. It runs in a worker thread that is killed
 * when its time limit is over.
 */
export interface StrategyPlugin<Parameters = JsonObject> {
  manifest: StrategyManifest;
  /** Model parts that a run with these parameters reads. Without it those of the manifest. */
  modelsFor?(parameters: Parameters): ModelName[];
  run(context: StrategyContext<Parameters>): Promise<StrategyResult>;
}
