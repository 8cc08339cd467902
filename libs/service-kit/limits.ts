/** At most `size` holders at once. Others wait in order. */
export interface Semaphore {
  /** Resolves with the function that frees the place again. Rejects when `signal` fires first. */
  acquire(signal?: AbortSignal): Promise<() => void>;
  /** Does `work` with a place, once there is one. Rejects as `work` does, or when `signal` fires before. */
  run<Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result>;
  /** Holders now. */
  readonly busy: number;
}

/** @param size at least 1. */
export function createSemaphore(size: number): Semaphore {
  const waiting: (() => void)[] = [];
  let busy = 0;

  function release(): void {
    const next = waiting.shift();
    if (next) next();
    else busy -= 1;
  }

  function once(): () => void {
    let released = false;
    return () => {
      if (released) return;
      released = true;
      release();
    };
  }

  async function acquire(signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    if (busy < size) {
      busy += 1;
      return once();
    }
    await new Promise<void>((resolve, reject) => {
      const abort = () => {
        waiting.splice(waiting.indexOf(enter), 1);
        reject(signal?.reason);
      };
      const enter = () => {
        signal?.removeEventListener('abort', abort);
        resolve();
      };
      waiting.push(enter);
      signal?.addEventListener('abort', abort, { once: true });
    });
    return once();
  }

  return {
    get busy() {
      return busy;
    },
    acquire,
    async run(work, signal) {
      const release = await acquire(signal);
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
}

/**
 * Resolves as `work` does, or with the result of `late` when that takes longer than `ms`. The work itself continues.
 */
export async function withTimeLimit<Result>(work: Promise<Result>, ms: number, late: () => Result): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<Result>((resolve, reject) => {
    timer = setTimeout(() => {
      try {
        resolve(late());
      } catch (error) {
        reject(error);
      }
    }, ms);
  });
  return Promise.race([work, limit]).finally(() => clearTimeout(timer));
}

/**
 * Resolves as `work` does. Rejects with the reason of `signal` when that fires first. The work itself continues.
 */
export async function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  let onAbort: () => void = () => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', onAbort));
}

/** Parts of a time limit of `startAwakeLimit`. */
const ticksOfLimit = 10;

/**
 * Calls `onEnd` once this process has had `ms` of running time. A pause of the event loop, by a long computation or by
 * a machine that gives the process no processor, counts as a fifth of `ms` at most: a slow process is no silent server.
 * @returns a function that ends the limit
 */
export function startAwakeLimit(ms: number, onEnd: () => void): () => void {
  const tickMs = ms / ticksOfLimit;
  let left = ms;
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    left -= Math.min(now - last, 2 * tickMs);
    last = now;
    if (left > 0) return;
    clearInterval(timer);
    onEnd();
  }, tickMs);
  return () => clearInterval(timer);
}
