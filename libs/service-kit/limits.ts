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

/** A caller that waits for a slot. */
interface Waiter {
  arrival: number;
  /** Set when its signal was aborted. It stays in its queue until its turn. */
  isGone: boolean;
  enter(): void;
  fail(reason: unknown): void;
}

/** Waiters of a party in order, from `head` on. */
interface Queue {
  waiters: Waiter[];
  head: number;
}

/** A queue that never ends drops so many waiters of the past together. */
const pastWaiters = 1024;

/** @param size at least 1. */
export function createSemaphore(size: number): Semaphore {
  const queues = new Map<string, Queue>();
  /** Number of the last turn of each waiting party. */
  const served = new Map<string, number>();
  const signals = createSharedListeners();
  let [turns, arrivals, busy] = [0, 0, 0];

  function note(party: string): void {
    served.set(party, ++turns);
  }

  function firstOf(queue: Queue): Waiter | undefined {
    while (queue.waiters[queue.head]?.isGone) queue.head += 1;
    if (queue.head >= pastWaiters && 2 * queue.head >= queue.waiters.length) {
      queue.waiters.splice(0, queue.head);
      queue.head = 0;
    }
    return queue.waiters[queue.head];
  }

  /** The first waiter of the party that was served longest ago. */
  function takeNext(): Waiter | undefined {
    let next: { party: string; queue: Queue; waiter: Waiter; turn: number } | undefined;
    for (const [party, queue] of queues) {
      const waiter = firstOf(queue);
      if (waiter === undefined) {
        queues.delete(party);
        continue;
      }
      const turn = served.get(party) ?? 0;
      const isEarlier = next && (turn < next.turn || (turn === next.turn && waiter.arrival < next.waiter.arrival));
      if (next === undefined || isEarlier) next = { party, queue, waiter, turn };
    }
    if (next === undefined) return undefined;
    next.queue.head += 1;
    note(next.party);
    return next.waiter;
  }

  function release(): void {
    const next = takeNext();
    if (next) {
      next.enter();
      return;
    }
    busy -= 1;
    served.clear();
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
      const waiter: Waiter = {
        arrival: ++arrivals,
        isGone: false,
        enter() {
          if (signal) signals.remove(signal, waiter);
          resolve();
        },
        fail(reason) {
          waiter.isGone = true;
          reject(reason);
        },
      };
      const queue = queues.get(party) ?? { waiters: [], head: 0 };
      queues.set(party, queue);
      queue.waiters.push(waiter);
      if (signal) signals.add(signal, waiter);
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

/**
 * One listener for all waiters of a signal. A signal searches all of its listeners when one is added or removed, so
 * thousands of them take seconds.
 */
function createSharedListeners() {
  const bySignal = new Map<AbortSignal, { waiters: Set<Waiter>; onAbort(): void }>();

  function listen(signal: AbortSignal) {
    const waiters = new Set<Waiter>();
    const onAbort = () => {
      bySignal.delete(signal);
      for (const waiter of waiters) waiter.fail(signal.reason);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    const made = { waiters, onAbort };
    bySignal.set(signal, made);
    return made;
  }

  return {
    add(signal: AbortSignal, waiter: Waiter): void {
      (bySignal.get(signal) ?? listen(signal)).waiters.add(waiter);
    },
    remove(signal: AbortSignal, waiter: Waiter): void {
      const known = bySignal.get(signal);
      if (!known?.waiters.delete(waiter) || known.waiters.size > 0) return;
      signal.removeEventListener('abort', known.onAbort);
      bySignal.delete(signal);
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
