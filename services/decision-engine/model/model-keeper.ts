import { setMaxListeners } from 'node:events';
import type { ComputeSnapshot } from '#libs/cluster-model';
import type { Clock, Logger } from '#libs/domain';
import type { ModelName } from '#libs/plugin-kit';
import type { Metrics } from '#libs/service-kit';

/** Fields of every model. */
export interface Picture {
  takenAtMs: number;
  complete: boolean;
  gaps: string[];
}

export interface ModelKeeperDeps<Snapshot extends Picture = ComputeSnapshot> {
  /** Name of the model for logs and metrics. Default `compute`. */
  name?: ModelName;
  collect(signal: AbortSignal): Promise<Snapshot>;
  /** Numbers for the log line of a collection. */
  sizes?(snapshot: Snapshot): Record<string, number>;
  /** Age in milliseconds up to which a followed model counts as current. Default 0. */
  followedMaxAgeMs?: number;
  /** Whether notifications report all future changes of the model. Default true. */
  isAtRest?(snapshot: Snapshot): boolean;
  clock: Clock;
  logger: Logger;
  metrics: Metrics;
}

/** Applies a change to a model. Null when the model must be collected again. */
export type ModelChange<Snapshot> = (snapshot: Snapshot) => Snapshot | null;

/** Keeps the newest model of a part of the cloud. */
export interface ModelKeeper<Snapshot extends Picture = ComputeSnapshot> {
  /**
   * Returns a model no older than `maxAgeMs`. Collects one when needed. Concurrent callers share a collection. Rejects
   * when the cloud cannot be read.
   */
  fresh(maxAgeMs: number): Promise<Snapshot>;
  /** The last model. Null before the first one and when it must be collected again. */
  latest(): Snapshot | null;
  /** The last model for views, also when it must be collected again. Null before the first one. */
  shown(): Snapshot | null;
  /** Applies a change to the last model, and to the result of a running collection. Does nothing without a model. */
  change(change: ModelChange<Snapshot>): void;
  /** Whether notifications report all future changes of the model. False during an operation that sends none. */
  isAtRest(snapshot: Snapshot): boolean;
  /** Sets whether every change of the cloud arrives through `change` from now on. */
  setFollowed(followed: boolean): void;
  /** Aborts a running collection. */
  stop(): void;
}

/** Creates a keeper without a model. The first `fresh` collects one. */
export function createModelKeeper<Snapshot extends Picture = ComputeSnapshot>(
  deps: ModelKeeperDeps<Snapshot>,
): ModelKeeper<Snapshot> {
  const { name = 'compute', collect, clock, logger, metrics } = deps;
  const ending = new AbortController();
  // Every request of a collection adds a listener.
  setMaxListeners(0, ending.signal);
  const duration = metrics.histogram('vigil_model_collection_seconds', 'Time to collect a model', ['model']);
  const failures = metrics.counter('vigil_model_collection_failures_total', 'Collections of a model that failed', [
    'model',
  ]);
  const collectedAt = metrics.gauge(
    'vigil_model_collected_timestamp_seconds',
    'When the model was collected, seconds since 1970',
    ['model'],
  );
  const complete = metrics.gauge('vigil_model_complete', '1 when every part of the cloud could be read', ['model']);
  let latest: Snapshot | null = null;
  let shown: Snapshot | null = null;
  let followed = false;
  /** Changes during a collection. The collected model may contain them already. */
  let waiting: ModelChange<Snapshot>[] = [];
  let running: Promise<Snapshot> | null = null;

  function apply(change: ModelChange<Snapshot>): void {
    latest = latest && change(latest);
    shown = latest ?? shown;
  }

  async function refresh(): Promise<Snapshot> {
    const begin = performance.now();
    try {
      const snapshot = await collect(ending.signal);
      const seconds = (performance.now() - begin) / 1000;
      duration.observe({ model: name }, seconds);
      collectedAt.set({ model: name }, snapshot.takenAtMs / 1000);
      complete.set({ model: name }, snapshot.complete ? 1 : 0);
      latest = snapshot;
      shown = snapshot;
      for (const change of waiting) apply(change);
      logger.info(
        {
          ...deps.sizes?.(snapshot),
          complete: snapshot.complete,
          gaps: snapshot.gaps.length,
          seconds,
        },
        `${name} model collected`,
      );
      return latest ?? snapshot;
    } catch (error) {
      failures.inc({ model: name });
      throw error;
    } finally {
      waiting = [];
      running = null;
    }
  }

  const isAtRest = (snapshot: Snapshot) => deps.isAtRest?.(snapshot) ?? true;

  return {
    fresh(maxAgeMs) {
      const mayBeOlder = followed && maxAgeMs > 0 && latest !== null && isAtRest(latest);
      const limit = mayBeOlder ? Math.max(maxAgeMs, deps.followedMaxAgeMs ?? 0) : maxAgeMs;
      if (latest && clock.now() - latest.takenAtMs <= limit) return Promise.resolve(latest);
      running ??= refresh();
      return running;
    },
    latest: () => latest,
    shown: () => shown,
    isAtRest,
    change(change) {
      if (running) waiting.push(change);
      apply(change);
    },
    setFollowed(isFollowed) {
      followed = isFollowed;
    },
    stop: () => ending.abort(new Error('the process stops')),
  };
}
