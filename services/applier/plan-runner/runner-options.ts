import type { ActionOptions, MigrationNetwork } from '#libs/plugin-kit';
import type { OccupancyLimits } from './limits/occupancy.ts';

/** Options of plan runs. All times in milliseconds. */
export interface RunnerOptions {
  /** Registry id of this process, holder of its leases. */
  instance: string;
  /** Value of `hostname` of the plans it runs. */
  host: string;
  /** Parallel plans. Watcher's `[watcher_applier] workers`. */
  workers: number;
  /** Parallel actions of one plan. Watcher's `max_workers`. */
  maxActionsPerPlan: number;
  /**
   * Parallel actions per `source` and `destination` host, `resource`, `network` and `aggregate`, and of `all` actions
   * on the cloud. The limits apply across all processes.
   */
  limits: OccupancyLimits;
  /** Networks by host. */
  networks: readonly MigrationNetwork[];
  /**
   * A plan stops when this share (0 to 1) of the tried actions failed, with at least `failureMinimum` tried actions.
   */
  failureShare: number;
  failureMinimum: number;
  /** Longest wait for the measurement before the first action of a plan. 0: no measurement before. */
  beforeLimitMs: number;
  /** Time between the end of a plan and the start of the window of the second measurement. */
  outcomeDelayMs: number;
  leaseTtlMs: number;
  /** Least remaining lease time before an external change. A shorter lease is renewed first. */
  guardMarginMs: number;
  /** Longest time until a run notices a cancel request without a hint. */
  watchIntervalMs: number;
  /** No action starts later than this time after the start of the plan's first action. */
  planTimeoutMs: number;
  /** Least time of a resumed wait, so an operation that has already ended is not reported as late. */
  resumedBudgetMs: number;
  /** Longest time without a known state of an action in the cloud. After it the plan is SUSPENDED. */
  blindLimitMs: number;
  /** Take-overs after which a plan is abandoned as FAILED. */
  maxTakeovers: number;
  /** Treatment of plans of a dead applier: continue, or cancel as Watcher does. */
  onCrash: 'resume' | 'cancel';
  /** Time for running actions when the process stops. After it, another applier continues them. */
  drainMs: number;
  /** Time for a plugin to end after its signal has fired. After it, the run stops waiting for the plugin. */
  settleMs: number;
  /** Watcher's `action_execution_rule` by strategy name; ALWAYS for those not named. */
  executionRules: Readonly<Record<string, 'ALWAYS' | 'ANY'>>;
  /** Speed of the cloud's time relative to real time. Waits are divided by it. 1 for real clouds. */
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
