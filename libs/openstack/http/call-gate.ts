import { createSemaphore, type Semaphore } from '#libs/service-kit';

/**
 * Lets at most `limit` calls per key run at one time. The others wait their turn in order. Waiting here instead of in
 * the connection pool keeps it out of the time limit of a call.
 */
export interface CallGate {
  /** Runs `work` when there is room. Rejects with the signal's reason when it fires before that. */
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
