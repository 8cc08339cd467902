import { stopSignal } from '#libs/plugin-kit';

/** Fraction of the time limit after which the strategy receives a request for its best result. */
const softPart = 0.8;

/** Requests the best result of a running strategy over shared memory, without a message that it would have to read. */
export interface FinishLine {
  /** One element in shared memory, for `StrategyWork`. */
  word: Int32Array;
  /** Starts the timer: the strategy receives the request when most of its time limit has passed. */
  strategyStarts(timeLimitMs: number): void;
  /** Stops sending requests. */
  stop(): void;
}

/** `finish`: aborted on a request for the best result so far. */
export function createFinishLine(finish: AbortSignal | undefined): FinishLine {
  const word = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  let timer: NodeJS.Timeout | undefined;
  // The first request is logged.
  const request = (value: number) => void Atomics.compareExchange(word, 0, stopSignal.goOn, value);
  const onRequest = () => request(stopSignal.request);
  if (finish?.aborted) onRequest();
  finish?.addEventListener('abort', onRequest, { once: true });
  return {
    word,
    strategyStarts(timeLimitMs) {
      timer = setTimeout(() => request(stopSignal.clock), timeLimitMs * softPart);
    },
    stop() {
      clearTimeout(timer);
      finish?.removeEventListener('abort', onRequest);
    },
  };
}
