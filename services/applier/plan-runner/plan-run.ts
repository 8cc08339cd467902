import type { Clock } from '#libs/domain';
import type { Cloud } from '#libs/openstack';
import type { LeaseKeeper } from '#libs/service-kit';
import type { ActionPlanView } from '#libs/store';
import type { HostAggregate } from './limits/read-aggregates.ts';
import type { RunWrites } from './run-writes.ts';
import type { RunnerDeps } from './runner-deps.ts';
import type { RunnerOptions } from './runner-options.ts';

/** One applier's run of one plan, from the claim to the final state, hand-over or loss. */
export interface PlanRun {
  readonly deps: RunnerDeps;
  readonly options: RunnerOptions;
  /** For the requests of its actions: the standing credentials, or the plan's own. */
  readonly cloud: Cloud;
  /** The plan as claimed. Its state may be older than that of the row. */
  readonly plan: ActionPlanView;
  /** `hostname` before the claim. For a take-over, this is the dead applier. */
  readonly formerHost: string | null;
  /** Start of the plan's first run. Requests since then may have been lost. Null in the first run. */
  readonly firstStarted: Date | null;
  readonly fence: number;
  /**
   * The database's time, extrapolated by the monotonic clock of the process. For times that outlive the process, and
   * for limits within it.
   */
  readonly clock: Clock;
  readonly keeper: LeaseKeeper;
  readonly writes: RunWrites;
  /** Fires when all work must stop immediately: the lease is lost, or the process ends. */
  readonly halt: AbortSignal;
  /** Fires when no further action may start because the process stops. */
  readonly draining: AbortSignal;
  readonly watch: PlanWatch;
  /** Aggregates of the hosts of the actions, for the limit per aggregate. Empty without such a limit. */
  readonly aggregates: readonly HostAggregate[];
}

/** Limit of the plan's parallel actions or reverts. */
export function actionsAtOnce({ options, plan }: Pick<PlanRun, 'options' | 'plan'>): number {
  return Math.min(options.maxActionsPerPlan, plan.maxWorkers ?? Number.POSITIVE_INFINITY);
}

/** Requests of users for a running plan. */
export interface PlanWatch {
  /** The row as last read. */
  readonly plan: ActionPlanView;
  readonly cancelRequested: boolean;
  /** Whether to abort running actions as well. */
  readonly abortRequested: boolean;
  /** Reads the row now. */
  check(): Promise<void>;
  /** Calls `wake` after each read. */
  onRead(wake: () => void): () => void;
}
