import { type Clock, doublingPause, messageOf } from '#libs/domain';
import { HistoryRefusedError, HistoryUnavailableError } from '../history-port.ts';

/** Keeps a store that is down from costing its time limit at every request. */
export interface Circuit {
  /**
   * Does the work, unless the last call failed a short while ago: then it throws HistoryUnavailableError at once. After
   * that time one call passes as a trial. The others still fail at once until it has succeeded. Responses that refuse
   * the query are not failures, and concurrent calls fail once.
   */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** The store was found up: the pause ends, and the next call passes as a trial. */
  endPause(): void;
  /** Why calls currently fail immediately. Null when they do not. */
  reason(): string | null;
}

/** First pause after a failure, doubled at each further one up to the longest. Milliseconds. */
const pauses = { firstMs: 5000, longestMs: 300_000 };

/** @param source name of the store, for errors. */
export function createCircuit(options: { source: string; clock: Clock }): Circuit {
  const { source, clock } = options;
  let failures = 0;
  let closedUntilMs = 0;
  let lastFault = '';
  let looking = false;

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
    return looking ? `not queried while it is tried again after: ${lastFault}` : null;
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
      if (trial) looking = true;
      try {
        const result = await work();
        failures = 0;
        return result;
      } catch (error) {
        if (error instanceof HistoryRefusedError) failures = 0;
        else if (error instanceof HistoryUnavailableError) failed(error, failuresBefore);
        throw error;
      } finally {
        if (trial) looking = false;
      }
    },
  };
}
