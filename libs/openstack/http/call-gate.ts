/**
 * Lets at most `limit` calls per key run at one time; the others wait their turn in order. Waiting here instead of in the
 * connection pool keeps it out of the time limit of a call.
 */
export interface CallGate {
  /** Runs `work` when there is room. Rejects with the signal's reason when it fires before that. */
  run<T>(key: string, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T>;
}

interface Lane {
  running: number;
  waiting: Set<() => void>;
}

/** A gate for `limit` calls per key. */
export function createCallGate(limit: number): CallGate {
  const lanes = new Map<string, Lane>();

  function laneOf(key: string): Lane {
    const lane = lanes.get(key) ?? { running: 0, waiting: new Set() };
    lanes.set(key, lane);
    return lane;
  }

  function enter(lane: Lane, signal: AbortSignal | undefined): Promise<void> {
    if (lane.running < limit) {
      lane.running += 1;
      return Promise.resolve();
    }
    if (signal?.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        lane.waiting.delete(admit);
        reject(signal?.reason);
      };
      const admit = () => {
        signal?.removeEventListener('abort', giveUp);
        resolve();
      };
      lane.waiting.add(admit);
      signal?.addEventListener('abort', giveUp, { once: true });
    });
  }

  /** The room of a call that ends goes straight to the first that waits. */
  function leave(lane: Lane): void {
    const [next] = lane.waiting;
    if (next === undefined) {
      lane.running -= 1;
      return;
    }
    lane.waiting.delete(next);
    next();
  }

  return {
    async run(key, signal, work) {
      const lane = laneOf(key);
      await enter(lane, signal);
      try {
        return await work();
      } finally {
        leave(lane);
      }
    },
  };
}
