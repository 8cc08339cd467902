import type { ComputeSnapshot, RuleText } from '#libs/cluster-model';
import type {
  AlertScope,
  ApprovalRule,
  AuditReport,
  AutomationRules,
  Clock,
  IdSource,
  Logger,
  OppositeAuditsMode,
  WantedMove,
} from '#libs/domain';
import type { TimedSample } from '#libs/durations';
import type { HistoryReader } from '#libs/history';
import type { HostWindow, ModelName, PastActions, PlanLimits, PluginRegistry } from '#libs/plugin-kit';
import type { AuditView } from '#libs/store';
import type { ModelKeeper } from '../model/model-keeper.ts';
import type { OtherModels } from '../model/other-models.ts';
import type { StrategyRunner } from '../strategy-runner/strategy-runner.ts';
import type { FailedMigration, RefusedMove } from './failed-migrations.ts';
import type { MoveLedger } from './move-ledger.ts';
import type { OppositeAudits } from './opposite-audits.ts';
import type { PlacementQueries } from './placement-queries.ts';
import type { SearchLine } from './search-board.ts';
import type { SiteDefaults } from './site-defaults.ts';

/** Collaborators of a computation. */
export interface ComputePlanDeps {
  registry: PluginRegistry;
  model: ModelKeeper;
  /** Block storage and bare metal. Without it audits that need them are refused. */
  otherModels?: OtherModels;
  /** Checks moves of instances with devices. Without it these instances stay. */
  placement?: PlacementQueries;
  history: HistoryReader;
  runner: StrategyRunner;
  /** Successful actions, oldest first, to estimate durations. Default: the default guess is used. */
  finishedActions?(): Promise<readonly TimedSample[]>;
  clock: Clock;
  newUuid: IdSource;
  logger: Logger;
  options: SiteDefaults & {
    modelMaxAgeMs: number;
    strategyTimeLimitMs: number;
    /** `parallelMigrations` 0: by the number of hosts. */
    limits: PlanLimits;
    /** Parallel actions of a plan, to estimate durations. Default 64. */
    maxActionsPerPlan?: number;
    /** Time by which strategies extrapolate the trend of a metric. Default 0: measured values. */
    predictSeconds?: number;
    /** Treatment of audits with opposite aims on the same hosts. Default `allow`. */
    oppositeAudits?: OppositeAuditsMode;
    /** Rules that require an approval before the start of a plan. Default none. */
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
   * Instances and volumes with a recently failed migration. They are not moved unless the strategy acts by order.
   * Default none.
   */
  failedMigrations?: readonly FailedMigration[];
  /** Excluded destinations of an instance, because Nova recently refused them. Default none. */
  refusedMoves?: readonly RefusedMove[];
  /** Reads the changes of earlier plans, for a strategy that uses them. Default: no changes. */
  readPast?(goalName: string): Promise<PastActions>;
  /** Moves of all audits that limit the next ones, unless the strategy acts by order. Default null: no limit. */
  ledger?: MoveLedger | null;
  /** Audits with the opposite aim. Default none. */
  opposites?: OppositeAudits;
  /** Migrations to plan instead of a search. Only for a strategy that `replans`. */
  replan?: readonly WantedMove[];
  /** Enforced rules of the operator. Default none. */
  rules?: readonly RuleText[];
  /** Milliseconds since the last action changed the cloud. The model must be newer. Default: no such action. */
  sinceChangeMs?: number;
  /**
   * Milliseconds since the last action moved a volume. The reports of pools should be newer. Default: no such action.
   */
  sinceVolumeMoveMs?: number;
  /** Longest wait for such reports, in milliseconds. Default 0: the report of the audit states that they are older. */
  poolPatienceMs?: number;
  /** Connection to a running search. Default: no progress and no stop requests. */
  search?: Pick<SearchLine, 'finish' | 'onProgress'>;
  /** Called with the scope of the audit, before other inputs are read. An error ends the run. */
  onModel?(whole: ComputeSnapshot, models: readonly ModelName[]): Promise<void>;
  /** Called before the strategy starts, with a function that returns the report of a run that ends early. */
  onBegin?(reportSoFar: () => AuditReport): void;
  /** End of the windows of all metrics, in milliseconds since 1970. Default: the time of each query. */
  atMs?: number;
  /** Longest window of host metrics. Default: the windows that the strategy requests. */
  hostWindow?: HostWindow;
};
