import { fileURLToPath } from 'node:url';
import { MessageChannel } from 'node:worker_threads';
import { Piscina } from 'piscina';
import type { BaremetalSnapshot, ComputeSnapshot, StorageSnapshot } from '#libs/cluster-model';
import { type JsonObject, type Logger, messageOf } from '#libs/domain';
import type { MetricsReader, ScoringSource, StrategyResult, StrategySource } from '#libs/plugin-kit';
import { compiledUrl } from './compiled-url.ts';
import { StrategyFailedError, StrategyStoppedError, StrategyTimeoutError } from './errors.ts';
import { listenToWorker } from './parent-port.ts';
import type { StrategyFault, StrategyOutcome, StrategyTask, StrategyTimings } from './worker-protocol.ts';

/** One run of a strategy; see `StrategyRun` of the plugin kit for what the strategy sees of it. */
export interface StrategyRunRequest {
  /** From `PluginRegistry.strategySource`. */
  strategy: StrategySource;
  snapshot: ComputeSnapshot;
  storage?: StorageSnapshot;
  baremetal?: BaremetalSnapshot;
  /** Validated and with defaults. */
  parameters: JsonObject;
  seed: number;
  nowMs: number;
  /** Counted from the moment a thread takes the run, not while it waits for one. */
  timeLimitMs: number;
  signal: AbortSignal;
  /** Uuids of instances whose migration failed in an earlier plan of the same audit; default none. */
  failedMigrations?: readonly string[];
  /** Asked in this thread. */
  metrics: MetricsReader;
  /** For the strategy's own lines; default the runner's. */
  logger?: Logger;
}

/** Runs strategies in worker threads, at most `threads` at a time; further runs wait. */
export interface StrategyRunner {
  /** Throws StrategyTimeoutError, StrategyStoppedError (when `signal` fires) or StrategyFailedError. */
  run(request: StrategyRunRequest): Promise<StrategyResult & { timings: StrategyTimings }>;
  /** Kills what runs. */
  close(): Promise<void>;
}

/** How many threads there are and what each may use. */
export interface StrategyRunnerOptions {
  /** At most so many strategies at a time; at least 1. */
  threads: number;
  logger: Logger;
  /** Heap of a strategy in MiB; beyond it the run fails. Default 2048. */
  memoryLimitMb?: number;
  /** From `PluginRegistry.scoringSources`: what strategies may score with. Default none. */
  scoring?: readonly ScoringSource[];
}

/**
 * One thread is there from the start; more are started when needed and end after a minute without work. A thread is killed
 * when its strategy overruns. Threads see no environment variables, so no secrets.
 */
export function createStrategyRunner(options: StrategyRunnerOptions): StrategyRunner {
  const { logger } = options;
  const scoring = (options.scoring ?? []).map((source) => ({ ...source, moduleUrl: compiledUrl(source.moduleUrl) }));
  const pool = new Piscina({
    filename: fileURLToPath(compiledUrl(new URL('./strategy-worker.ts', import.meta.url).href)),
    name: 'runStrategyTask',
    // Not 0: when the only thread is killed, piscina takes up the waiting runs only in a thread that it must replace.
    minThreads: 1,
    maxThreads: options.threads,
    idleTimeout: 60_000,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: options.memoryLimitMb ?? 2048 },
  });
  pool.on('error', (error) => logger.warn({ err: error }, 'an idle strategy thread ended with an error'));

  async function run(request: StrategyRunRequest): Promise<StrategyResult & { timings: StrategyTimings }> {
    const { name } = request.strategy;
    const { port1, port2 } = new MessageChannel();
    const timeout = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const port = listenToWorker(port1, {
      metrics: request.metrics,
      logger: (request.logger ?? logger).child({ strategy: name }),
      onStarted: () => {
        timer = setTimeout(() => timeout.abort(), request.timeLimitMs);
      },
    });
    const task: StrategyTask = {
      source: { ...request.strategy, moduleUrl: compiledUrl(request.strategy.moduleUrl) },
      scoring,
      failedMigrations: request.failedMigrations,
      snapshot: request.snapshot,
      storage: request.storage,
      baremetal: request.baremetal,
      parameters: request.parameters,
      seed: request.seed,
      nowMs: request.nowMs,
      port: port2,
    };
    try {
      const signal = AbortSignal.any([request.signal, timeout.signal]);
      const outcome: StrategyOutcome = await pool.run(task, { transferList: [port2], signal });
      if (!outcome.ok) throw failureOf(name, outcome.fault, port.metricsError(outcome.fault.metricsFailure));
      return { ...outcome.result, timings: outcome.timings };
    } catch (error) {
      if (timeout.signal.aborted) throw new StrategyTimeoutError(name, request.timeLimitMs);
      if (request.signal.aborted) throw new StrategyStoppedError(name, { cause: request.signal.reason });
      if (error instanceof StrategyFailedError) throw error;
      throw new StrategyFailedError(name, `its thread ended: ${messageOf(error)}`, { cause: error });
    } finally {
      clearTimeout(timer);
      port.close();
    }
  }

  return { run, close: () => pool.destroy() };
}

function failureOf(name: string, fault: StrategyFault, metricsError: unknown): StrategyFailedError {
  if (metricsError !== undefined) return new StrategyFailedError(name, fault.message, { cause: metricsError });
  const cause = new Error(fault.message);
  cause.stack = fault.stack ?? cause.stack;
  return new StrategyFailedError(name, fault.message, { cause });
}
