import { VigilApiError } from './errors.ts';

/** How long to continue without a response, or with a temporary refusal (429, 503 and other passing faults). */
export interface Patience {
  /** Milliseconds without any success after which the failure is thrown. Default 600 000, Infinity forever. */
  maxDownMs?: number;
  /** Ends the waiting: the reason of the signal is thrown. */
  signal?: AbortSignal;
  /** Receives each failure, and the pause in milliseconds before the next try. */
  onDown?: (reason: Error, pauseMs: number) => void;
}

/** One wait with its failures. A success starts anew. */
export interface Attempts {
  succeeded(): void;
  /**
   * Pauses after a failure: first 0.25 s, doubling to 10 s, different for each client, and never less than
   * `Retry-After` requests.
   * @throws the failure when another try does not change it, or cannot come within `maxDownMs`
   */
  failed(error: unknown): Promise<void>;
  /** Pauses as after a failure, for a stream that has ended without one. */
  pause(): Promise<void>;
}

const firstPauseMs = 250;
const maxPauseMs = 10_000;
/**
 * An API process that is started again, a database that changes its primary and a broker that recovers need minutes.
 */
const defaultMaxDownMs = 600_000;

/** Client errors that pass: too slow, the place in a stream is too old, too many requests. */
const passing = new Set([408, 410, 429]);

/** Whether another try may change a failure. Status 0 is a refusal by the client itself. */
function isPassing(error: unknown): error is VigilApiError {
  if (!(error instanceof VigilApiError)) return false;
  return error.kind === 'unreachable' || error.kind === 'timeout' || error.status >= 500 || passing.has(error.status);
}

/** Counts failures and says when to try again. */
export function createAttempts({ maxDownMs = defaultMaxDownMs, signal, onDown }: Patience = {}): Attempts {
  let failures = 0;
  let downSince: number | null = null;

  function nextPause(): number {
    const longest = Math.min(maxPauseMs, firstPauseMs * 2 ** Math.min(failures, 10));
    failures += 1;
    return longest * (0.5 + Math.random() / 2);
  }

  return {
    succeeded() {
      failures = 0;
      downSince = null;
    },
    async failed(error) {
      signal?.throwIfAborted();
      if (!isPassing(error)) throw error;
      const now = performance.now();
      downSince ??= now;
      const leftMs = maxDownMs - (now - downSince);
      const requestedMs = error.retryAfterMs ?? 0;
      if (leftMs <= 0 || requestedMs > leftMs) throw error;
      const pauseMs = Math.min(leftMs, Math.max(requestedMs, nextPause()));
      onDown?.(error, pauseMs);
      await sleep(pauseMs, signal);
    },
    pause: () => sleep(nextPause(), signal),
  };
}

/**
 * Repeats a call until it succeeds. Only for calls that may be made twice: reads, and those with an `Idempotency-Key`.
 * @throws the error of the last try, or the reason of the signal
 */
export async function untilAnswered<Result>(call: () => Promise<Result>, patience: Patience = {}): Promise<Result> {
  const attempts = createAttempts(patience);
  for (;;) {
    patience.signal?.throwIfAborted();
    try {
      return await call();
    } catch (error) {
      await attempts.failed(error);
    }
  }
}

/** Resolves after the time, or as soon as the signal is aborted. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done);
    if (signal?.aborted) done();
    function done() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    }
  });
}
