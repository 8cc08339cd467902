import { stopSignal } from '#libs/plugin-kit';

/** Part of its hard time limit after which a strategy is requested the best it has. */
const softPart = 0.8;

/** The line by which a running strategy is requested the best it has, without a message that it would have to read. */
export interface FinishLine {
  /** One element on shared memory, for `StrategyWork`. */
  word: Int32Array;
  /** The strategy starts: it receives the request when most of its time limit is over. */
  strategyStarts(timeLimitMs: number): void;
  /** Stops sending requests. */
  stop(): void;
}

/** `finish`: fires on a request for the best result so far. */
export function createFinishLine(finish: AbortSignal | undefined): FinishLine {
  const word = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  let timer: NodeJS.Timeout | undefined;
  // The first requester is logged.
  const ask = (value: number) => void Atomics.compareExchange(word, 0, stopSignal.goOn, value);
  const onRequest = () => ask(stopSignal.request);
  if (finish?.aborted) onRequest();
  finish?.addEventListener('abort', onRequest, { once: true });
  return {
    word,
    strategyStarts(timeLimitMs) {
      timer = setTimeout(() => ask(stopSignal.clock), timeLimitMs * softPart);
    },
    stop() {
      clearTimeout(timer);
      finish?.removeEventListener('abort', onRequest);
    },
  };
}
