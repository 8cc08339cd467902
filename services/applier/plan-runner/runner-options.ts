import type { ActionOptions, MigrationNetwork } from '#libs/plugin-kit';
import type { OccupancyLimits } from './limits/occupancy.ts';

/** How plans are run. All times in milliseconds. */
export interface RunnerOptions {
  /** Registry id of this process, holder of its leases. */
  instance: string;
  /** Value of `hostname` of the plans it runs. */
  host: string;
  /** Plans at once; Watcher's `[watcher_applier] workers`. */
  workers: number;
  /** Actions of one plan at once; Watcher's `max_workers`. */
  maxActionsPerPlan: number;
  /**
   * Actions at once per `source` and `destination` host, `resource`, `network` and `aggregate`, and of `all` that act
   * on the cloud. They hold across all processes.
   */
  limits: OccupancyLimits;
  /** Which hosts share a network. */
  networks: readonly MigrationNetwork[];
  /**
   * A plan stops when this share (0 to 1) of the actions that were tried failed, and at least `failureMinimum` were.
   */
  failureShare: number;
  failureMinimum: number;
  /** Longest wait for the measurement before the first action of a plan; 0: nothing is measured before. */
  beforeLimitMs: number;
  /** From the end of a plan to the start of the window that is measured after it. */
  outcomeDelayMs: number;
  leaseTtlMs: number;
  /** Lease time that must be left before an outside change. It is renewed first when there is less. */
  guardMarginMs: number;
  /** Longest time until a cancel request is noticed without a hint. */
  watchIntervalMs: number;
  /** No action starts after this time since the plan's first action started. */
  planTimeoutMs: number;
  /** Least time of a resumed wait, so that an operation that ended before it is not reported as late. */
  resumedBudgetMs: number;
  /** Longest time for which the cloud may hide the state of an action. After it the plan is SUSPENDED. */
  blindLimitMs: number;
  /** Take-overs after which a plan is abandoned as FAILED. */
  maxTakeovers: number;
  /** Treatment of a plan whose applier died: it is continued, or cancelled as Watcher does. */
  onCrash: 'resume' | 'cancel';
  /** Time for running actions to end when the process stops. After it they are left for another applier. */
  drainMs: number;
  /** Time for a plugin to end after its signal has fired. After it, the run stops waiting for the plugin. */
  settleMs: number;
  /** Watcher's `action_execution_rule` by strategy name; ALWAYS for those not named. */
  executionRules: Readonly<Record<string, 'ALWAYS' | 'ANY'>>;
  /** How many times faster than ours the cloud's time passes. Waits are shortened by it. 1 for real clouds. */
  timeScale: number;
  action: ActionOptions;
}

/** Watcher's values where it has them. */
export const runnerDefaults: Omit<RunnerOptions, 'instance' | 'host'> = {
  workers: 1,
  maxActionsPerPlan: 64,
  limits: { source: 2, destination: 2, resource: 1, network: 8, all: 64 },
  networks: [],
  failureShare: 0.5,
  failureMinimum: 10,
  beforeLimitMs: 60_000,
  outcomeDelayMs: 300_000,
  leaseTtlMs: 30_000,
  guardMarginMs: 10_000,
  watchIntervalMs: 3000,
  planTimeoutMs: 24 * 3_600_000,
  resumedBudgetMs: 30_000,
  blindLimitMs: 24 * 3_600_000,
  maxTakeovers: 5,
  onCrash: 'resume',
  drainMs: 8000,
  settleMs: 120_000,
  executionRules: {},
  timeScale: 1,
  action: { pollIntervalMs: 5000, migrationTimeoutMs: 900_000 },
};
