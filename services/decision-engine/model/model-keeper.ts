import { setMaxListeners } from 'node:events';
import type { ComputeSnapshot } from '#libs/cluster-model';
import type { Clock, Logger } from '#libs/domain';
import type { ModelName } from '#libs/plugin-kit';
import type { Metrics } from '#libs/service-kit';

/** Parts that every picture of a part of the cloud has. */
export interface Picture {
  takenAtMs: number;
  complete: boolean;
  gaps: string[];
}

export interface ModelKeeperDeps<Snapshot extends Picture = ComputeSnapshot> {
  /** Which part of the cloud it is, for logs and metrics. Default `compute`. */
  name?: ModelName;
  collect(signal: AbortSignal): Promise<Snapshot>;
  /** Numbers for the log line of a collection. */
  sizes?(snapshot: Snapshot): Record<string, number>;
  /** Age in milliseconds up to which a picture that is followed is as good as new. Default 0. */
  followedMaxAgeMs?: number;
  /** Whether notifications report all coming changes of the picture. Default: they do. */
  isAtRest?(snapshot: Snapshot): boolean;
  clock: Clock;
  logger: Logger;
  metrics: Metrics;
}

/** Makes the next picture out of one. Null when it has to be collected again. */
export type PictureChange<Snapshot> = (snapshot: Snapshot) => Snapshot | null;

/** Keeps the newest picture of a part of the cloud. */
export interface ModelKeeper<Snapshot extends Picture = ComputeSnapshot> {
  /**
   * A picture no older than `maxAgeMs`. Collects one when needed. Callers that come while one is being collected share
   * it. Rejects when the cloud cannot be read.
   */
  fresh(maxAgeMs: number): Promise<Snapshot>;
  /** The last picture, or null before the first and when it has to be collected again. */
  latest(): Snapshot | null;
  /**
   * Changes the last picture, and the one that is being collected when it is there. Without a picture nothing is done.
   */
  change(change: PictureChange<Snapshot>): void;
  /** Whether notifications report all coming changes of the picture. False during an operation that sends none. */
  isAtRest(snapshot: Snapshot): boolean;
  /** Says whether everything that changes in the cloud arrives through `change` from now on. */
  setFollowed(followed: boolean): void;
  /** Aborts a running collection. */
  stop(): void;
}

/** Has no picture yet. The first `fresh` collects one. */
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
  const collectedAt = metrics.gauge(
    'vigil_model_collected_timestamp_seconds',
    'When the model was collected, seconds since 1970',
    ['model'],
  );
  const complete = metrics.gauge('vigil_model_complete', '1 when every part of the cloud could be read', ['model']);
  let latest: Snapshot | null = null;
  let followed = false;
  /** Events that came while a picture is being collected: whether they are in it already is not known. */
  let waiting: PictureChange<Snapshot>[] = [];
  let running: Promise<Snapshot> | null = null;

  async function refresh(): Promise<Snapshot> {
    const begin = performance.now();
    try {
      const snapshot = await collect(ending.signal);
      const seconds = (performance.now() - begin) / 1000;
      duration.observe({ model: name }, seconds);
      collectedAt.set({ model: name }, snapshot.takenAtMs / 1000);
      complete.set({ model: name }, snapshot.complete ? 1 : 0);
      latest = snapshot;
      for (const change of waiting) latest = latest && change(latest);
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
    isAtRest,
    change(change) {
      if (running) waiting.push(change);
      latest = latest && change(latest);
    },
    setFollowed(isFollowed) {
      followed = isFollowed;
    },
    stop: () => ending.abort(new Error('the process stops')),
  };
}
