import type { Clock } from '#libs/domain';
import type { Cloud } from '#libs/openstack';
import type { LeaseKeeper } from '#libs/service-kit';
import type { ActionPlanView } from '#libs/store';
import type { HostAggregate } from './limits/read-aggregates.ts';
import type { RunWrites } from './run-writes.ts';
import type { RunnerDeps } from './runner-deps.ts';
import type { RunnerOptions } from './runner-options.ts';

/** One applier's hold on one plan, from claim to final state, hand-over or loss. */
export interface PlanRun {
  readonly deps: RunnerDeps;
  readonly options: RunnerOptions;
  /** For the requests of its actions: the standing credentials, or the plan's own. */
  readonly cloud: Cloud;
  /** As claimed. Its state may be older than the row's. */
  readonly plan: ActionPlanView;
  /** `hostname` before the claim: for a plan that was taken over, the applier that died. */
  readonly formerHost: string | null;
  /** Start of the plan's first run, in whose time earlier requests may have been lost. Null in the first run. */
  readonly firstStarted: Date | null;
  readonly fence: number;
  /**
   * The database's time, carried on by the steady clock of the process. For times that outlive the process, and for
   * limits within it.
   */
  readonly clock: Clock;
  readonly keeper: LeaseKeeper;
  readonly writes: RunWrites;
  /** Fires when everything must stop where it is: the lease is lost, or the process ends. */
  readonly halt: AbortSignal;
  /** Fires when no further action may start because the process stops. */
  readonly draining: AbortSignal;
  readonly watch: PlanWatch;
  /** Of the hosts that actions act on, for the limit per aggregate. Empty without such a limit. */
  readonly aggregates: readonly HostAggregate[];
}

/** How many actions of the plan may run, or be reverted, at once. */
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
