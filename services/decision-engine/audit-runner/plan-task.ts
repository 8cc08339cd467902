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
  /** Judges moves of instances with devices. Without it they stay. */
  placement?: PlacementQueries;
  history: HistoryReader;
  runner: StrategyRunner;
  /** Actions that succeeded, the oldest first, to estimate durations. Default: the default guess counts. */
  finishedActions?(): Promise<readonly TimedSample[]>;
  clock: Clock;
  newUuid: IdSource;
  logger: Logger;
  options: SiteDefaults & {
    modelMaxAgeMs: number;
    strategyTimeLimitMs: number;
    /** `parallelMigrations` 0: by the number of hosts. */
    limits: PlanLimits;
    /** Actions of a plan at once, to estimate durations. Default 64. */
    maxActionsPerPlan?: number;
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
  /** Migrations to plan instead of searching for others. Only for a strategy that `replans`. */
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
