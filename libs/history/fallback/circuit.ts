import { type Clock, doublingPause, messageOf } from '#libs/domain';
import { HistoryRefusedError, HistoryUnavailableError } from '../history-port.ts';

/** Circuit breaker: prevents requests from waiting for the time limit of an unavailable store. */
export interface Circuit {
  /**
   * Does the work. During a pause after a failure it throws HistoryUnavailableError immediately. After the pause one
   * call is tried, and all others fail immediately until it succeeds. Refused queries are not failures, and concurrent
   * failures count once.
   */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Ends the pause, because a probe succeeded. The next call is tried. */
  endPause(): void;
  /** Why calls currently fail immediately. Null when they are possible. */
  reason(): string | null;
}

/** First pause after a failure, doubled per failure up to the longest. Milliseconds. */
const pauses = { firstMs: 5000, longestMs: 300_000 };

/** @param source name of the store, for errors. */
export function createCircuit(options: { source: string; clock: Clock }): Circuit {
  const { source, clock } = options;
  let failures = 0;
  let closedUntilMs = 0;
  let lastFault = '';
  let isTrying = false;

  function failed(error: HistoryUnavailableError, failuresBefore: number): void {
    if (failures !== failuresBefore) return;
    closedUntilMs = clock.now() + doublingPause(failures, pauses);
    failures += 1;
    lastFault = messageOf(error);
  }

  function reason(): string | null {
    if (failures === 0) return null;
    const leftMs = closedUntilMs - clock.now();
    if (leftMs > 0) return `not queried for another ${Math.ceil(leftMs / 1000)} s after: ${lastFault}`;
    return isTrying ? `not queried during a trial after: ${lastFault}` : null;
  }

  return {
    reason,
    endPause() {
      closedUntilMs = clock.now();
    },
    async run(work) {
      const refusal = reason();
      if (refusal !== null) throw new HistoryUnavailableError(source, refusal);
      const failuresBefore = failures;
      const trial = failures > 0;
      if (trial) isTrying = true;
      try {
        const result = await work();
        failures = 0;
        return result;
      } catch (error) {
        if (error instanceof HistoryRefusedError) failures = 0;
        else if (error instanceof HistoryUnavailableError) failed(error, failuresBefore);
        throw error;
      } finally {
        if (trial) isTrying = false;
      }
    },
  };
}
