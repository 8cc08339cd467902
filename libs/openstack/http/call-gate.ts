import { createSemaphore, type Semaphore } from '#libs/service-kit';

/**
 * Limits the parallel calls per key to `limit`. Other calls wait in order. Because they wait here and not in the
 * connection pool, the wait does not count toward the time limit of a call.
 */
export interface CallGate {
  /** Runs `work` when a place is free. Rejects with the signal's reason when the signal fires before that. */
  run<T>(key: string, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T>;
}

/** A gate for `limit` calls per key. */
export function createCallGate(limit: number): CallGate {
  const lanes = new Map<string, Semaphore>();
  return {
    async run(key, signal, work) {
      const lane = lanes.get(key) ?? createSemaphore(limit);
      lanes.set(key, lane);
      return lane.run(work, signal);
    },
  };
}
