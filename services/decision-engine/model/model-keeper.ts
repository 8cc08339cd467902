import { setMaxListeners } from 'node:events';
import type { ComputeSnapshot } from '#libs/cluster-model';
import type { Clock, Logger } from '#libs/domain';
import type { ModelName } from '#libs/plugin-kit';
import type { Metrics } from '#libs/service-kit';

/** What every picture of a part of the cloud has. */
export interface Picture {
  takenAtMs: number;
  complete: boolean;
  gaps: string[];
}

export interface ModelKeeperDeps<Snapshot extends Picture = ComputeSnapshot> {
  /** Which part of the cloud it is, for logs and metrics; default `compute`. */
  name?: ModelName;
  collect(signal: AbortSignal): Promise<Snapshot>;
  /** Numbers for the log line of a collection. */
  sizes?(snapshot: Snapshot): Record<string, number>;
  clock: Clock;
  logger: Logger;
  metrics: Metrics;
}

/** Keeps the newest picture of a part of the cloud. */
export interface ModelKeeper<Snapshot extends Picture = ComputeSnapshot> {
  /**
   * A picture no older than `maxAgeMs`; collects one when needed. Callers that come while one is being collected share
   * it. Rejects when the cloud can not be read.
   */
  fresh(maxAgeMs: number): Promise<Snapshot>;
  /** The last picture, or null before the first. */
  latest(): Snapshot | null;
  /** Aborts a running collection. */
  stop(): void;
}

export function createModelKeeper<Snapshot extends Picture = ComputeSnapshot>(
  deps: ModelKeeperDeps<Snapshot>,
): ModelKeeper<Snapshot> {
  const { name = 'compute', collect, clock, logger, metrics } = deps;
  const ending = new AbortController();
  // Every request of a collection listens to it.
  setMaxListeners(0, ending.signal);
  const duration = metrics.histogram('vigil_model_collection_seconds', 'Time to collect a model', ['model']);
  const failures = metrics.counter('vigil_model_collection_failures_total', 'Collections of a model that failed', [
    'model',
  ]);
  let latest: Snapshot | null = null;
  let running: Promise<Snapshot> | null = null;

  async function refresh(): Promise<Snapshot> {
    const begin = performance.now();
    try {
      const snapshot = await collect(ending.signal);
      const seconds = (performance.now() - begin) / 1000;
      duration.observe({ model: name }, seconds);
      latest = snapshot;
      logger.info(
        {
          ...deps.sizes?.(snapshot),
          complete: snapshot.complete,
          gaps: snapshot.gaps.length,
          seconds,
        },
        `${name} model collected`,
      );
      return snapshot;
    } catch (error) {
      failures.inc({ model: name });
      throw error;
    } finally {
      running = null;
    }
  }

  return {
    fresh(maxAgeMs) {
      if (latest && clock.now() - latest.takenAtMs <= maxAgeMs) return Promise.resolve(latest);
      running ??= refresh();
      return running;
    },
    latest: () => latest,
    stop: () => ending.abort(new Error('the process stops')),
  };
}
