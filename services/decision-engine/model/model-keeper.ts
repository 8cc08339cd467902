import { setMaxListeners } from 'node:events';
import type { ComputeSnapshot } from '#libs/cluster-model';
import type { Clock, Logger } from '#libs/domain';
import type { Metrics } from '#libs/service-kit';

export interface ModelKeeperDeps {
  collect(signal: AbortSignal): Promise<ComputeSnapshot>;
  clock: Clock;
  logger: Logger;
  metrics: Metrics;
}

/** Keeps the newest picture of the cloud. */
export interface ModelKeeper {
  /**
   * A picture no older than `maxAgeMs`; collects one when needed. Callers that come while one is being collected share
   * it. Rejects when the cloud can not be read.
   */
  fresh(maxAgeMs: number): Promise<ComputeSnapshot>;
  /** The last picture, or null before the first. */
  latest(): ComputeSnapshot | null;
  /** Aborts a running collection. */
  stop(): void;
}

export function createModelKeeper({ collect, clock, logger, metrics }: ModelKeeperDeps): ModelKeeper {
  const ending = new AbortController();
  // Every request of a collection listens to it.
  setMaxListeners(0, ending.signal);
  const duration = metrics.histogram('vigil_model_collection_seconds', 'Time to collect the compute model');
  const failures = metrics.counter(
    'vigil_model_collection_failures_total',
    'Collections of the compute model that failed',
  );
  let latest: ComputeSnapshot | null = null;
  let running: Promise<ComputeSnapshot> | null = null;

  async function refresh(): Promise<ComputeSnapshot> {
    const begin = performance.now();
    try {
      const snapshot = await collect(ending.signal);
      const seconds = (performance.now() - begin) / 1000;
      duration.observe(seconds);
      latest = snapshot;
      logger.info(
        {
          hosts: snapshot.hostInfo.length,
          instances: snapshot.instanceInfo.length,
          complete: snapshot.complete,
          gaps: snapshot.gaps.length,
          seconds,
        },
        'compute model collected',
      );
      return snapshot;
    } catch (error) {
      failures.inc();
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
