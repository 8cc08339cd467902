/**
 * Limits concurrent holders to `size`. Others wait in order. Parties, such as users, take turns: the party that was
 * served longest ago is next.
 */
export interface Semaphore {
  /**
   * Resolves with a function that releases the slot. Rejects when `signal` is aborted first.
   * @param party default: a common party for all callers without one
   */
  acquire(signal?: AbortSignal, party?: string): Promise<() => void>;
  /** Runs `work` when a slot is free. Rejects with the errors of `work`, or when `signal` is aborted first. */
  run<Result>(work: () => Promise<Result>, signal?: AbortSignal, party?: string): Promise<Result>;
  /** Current number of holders. */
  readonly busy: number;
}

/** @param size at least 1. */
export function createSemaphore(size: number): Semaphore {
  const waiting: { party: string; enter(): void }[] = [];
  /** Number of the last turn of each waiting party. */
  const served = new Map<string, number>();
  let turns = 0;
  let busy = 0;

  function note(party: string): void {
    served.set(party, ++turns);
  }

  function release(): void {
    let next = waiting[0];
    for (const one of waiting) if (next && (served.get(one.party) ?? 0) < (served.get(next.party) ?? 0)) next = one;
    if (!next) {
      busy -= 1;
      served.clear();
      return;
    }
    waiting.splice(waiting.indexOf(next), 1);
    note(next.party);
    next.enter();
  }

  function once(): () => void {
    let released = false;
    return () => {
      if (released) return;
      released = true;
      release();
    };
  }

  async function acquire(signal?: AbortSignal, party = ''): Promise<() => void> {
    signal?.throwIfAborted();
    if (busy < size) {
      busy += 1;
      note(party);
      return once();
    }
    await new Promise<void>((resolve, reject) => {
      const abort = () => {
        waiting.splice(waiting.indexOf(entry), 1);
        reject(signal?.reason);
      };
      const entry = {
        party,
        enter() {
          signal?.removeEventListener('abort', abort);
          resolve();
        },
      };
      waiting.push(entry);
      signal?.addEventListener('abort', abort, { once: true });
    });
    return once();
  }

  return {
    get busy() {
      return busy;
    },
    acquire,
    async run(work, signal, party) {
      const release = await acquire(signal, party);
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
}

/** Resolves with the result of `work`, or with the result of `late` after `ms`. The work itself continues. */
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
 * Resolves with the result of `work`. Rejects with the reason of `signal` when it is aborted first. The work itself
 * continues.
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

/**
 * Resolves with the result of `work`. After `signal` is aborted, `work` has `graceMs` to end.
 * @param onLate called when the grace time ends before the work does
 * @throws the reason of the signal after the grace time. The work itself continues.
 */
export async function withGrace<Result>(
  work: Promise<Result>,
  { signal, graceMs, onLate }: { signal: AbortSignal; graceMs: number; onLate?: () => void },
): Promise<Result> {
  const ending = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const onAbort = () => {
    timer = setTimeout(() => {
      onLate?.();
      ending.abort(signal.reason);
    }, graceMs);
  };
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await untilAborted(work, ending.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

/** Fractions of a time limit of `startAwakeLimit`. */
const ticksOfLimit = 10;

/**
 * Calls `onEnd` after `ms` of running time of this process. A pause of the event loop counts for at most a fifth of
 * `ms`, whether by a long computation or a machine without free CPU time. A slow process must not seem to be a silent
 * server.
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
