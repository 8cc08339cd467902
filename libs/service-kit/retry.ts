import { setTimeout as pause } from 'node:timers/promises';
import { doublingPause } from '#libs/domain';

/** Conditions and pauses of retries. */
export interface RetryOptions {
  /** First and longest pause in milliseconds. Each pause is twice the previous one. */
  pauses: { firstMs: number; longestMs: number };
  /** Maximum attempts, including the first. Default: no limit. */
  tries?: number;
  /** Ends the attempts. A running attempt continues. */
  signal?: AbortSignal;
  /** Whether another attempt may succeed. An error thrown here ends the attempts. Default: always. */
  isPassing?(error: unknown): boolean;
  /** Receives each failure before its pause, with the number of the attempt, from 0. */
  onFailure?(error: unknown, tries: number): void;
  /** Default: a pause that `signal` ends. */
  sleep?(ms: number): Promise<void>;
}

/**
 * Retries `work` until it succeeds, with pauses that double.
 * @param work receives the number of the attempt, from 0
 * @throws the permanent or last failure, or the reason of the signal
 */
export async function retry<Result>(work: (tries: number) => Promise<Result>, options: RetryOptions): Promise<Result> {
  const { pauses, signal, isPassing = () => true, onFailure } = options;
  const sleep = options.sleep ?? ((ms) => pause(ms, undefined, { signal }).catch(() => undefined));
  const last = (options.tries ?? Number.POSITIVE_INFINITY) - 1;
  for (let tries = 0; ; tries += 1) {
    signal?.throwIfAborted();
    try {
      return await work(tries);
    } catch (error) {
      if (tries >= last || !isPassing(error)) throw error;
      onFailure?.(error, tries);
    }
    await sleep(doublingPause(tries, pauses));
  }
}

const recordPauses = { firstMs: 200, longestMs: 5000 };

/**
 * Retries `work` until it succeeds or `signal` is aborted. Never rejects. For a small record that must be written
 * after an outage, such as its cause.
 * @param options.pauses default: 200 ms, doubling to 5 s
 */
export async function keepTrying(
  work: () => Promise<unknown>,
  options: Pick<RetryOptions, 'onFailure'> & { signal: AbortSignal; pauses?: RetryOptions['pauses'] },
): Promise<void> {
  await retry(work, { pauses: recordPauses, ...options }).catch(() => undefined);
}
