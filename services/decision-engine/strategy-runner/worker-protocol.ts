import type { MessagePort } from 'node:worker_threads';
import type { BaremetalSnapshot, ComputeSnapshot, StorageSnapshot } from '#libs/cluster-model';
import type { JsonObject, MetricName } from '#libs/domain';
import type { MetricsReader, ScoringSource, StrategyResult, StrategySource } from '#libs/plugin-kit';

/** What the worker is given. Columns of the snapshot are shared, the rest is copied. */
export interface StrategyTask {
  source: StrategySource;
  /** Modules that bring scoring engines; imported when the strategy asks for one. */
  scoring: ScoringSource[];
  failedMigrations?: readonly string[];
  snapshot: ComputeSnapshot;
  storage?: StorageSnapshot;
  baremetal?: BaremetalSnapshot;
  parameters: JsonObject;
  seed: number;
  nowMs: number;
  port: MessagePort;
}

export type MetricWindow = Parameters<MetricsReader['hosts']>[1];

/** From the worker over the port, while the strategy runs. */
export type WorkerMessage =
  | { kind: 'started' }
  | { kind: 'log'; level: 'debug' | 'info' | 'warn' | 'error'; fields: object; message: string }
  | { kind: 'metrics'; id: number; of: 'hosts' | 'instances'; metric: MetricName; window: MetricWindow };

/** To the worker over the port: the column for a question, or why there is none. */
export type MetricsAnswer = { id: number; column: Float64Array } | { id: number; failure: string };

/** Why a strategy gave no result; `metricsFailure` is the id of the failed question that the strategy let through. */
export interface StrategyFault {
  message: string;
  stack: string | undefined;
  metricsFailure?: number;
}

/** Wall time of the parts of a run, in milliseconds. */
export interface StrategyTimings {
  /** Importing the strategy's module. */
  load: number;
  /** Waiting for metrics. */
  metrics: number;
  /** Everything else: the strategy's own work. */
  compute: number;
}

export type StrategyOutcome =
  | { ok: true; result: StrategyResult; timings: StrategyTimings }
  | { ok: false; fault: StrategyFault };
