/** Events in simulated time. */
export interface Timeline {
  /** Calls `run` after `seconds`. Returns a function that cancels it. */
  after(seconds: number, run: () => void): () => void;
  /** Simulated seconds until the next event; Infinity without one. */
  secondsToNext(): number;
  /** Advances the time without running events. Must not exceed `secondsToNext()`. */
  pass(seconds: number): void;
  /** Runs the due events. */
  runDue(): void;
}

/** Creates an empty timeline. Of two entries with the same time, the older request runs first. */
export function createTimeline(): Timeline {
  let now = 0;
  let order = 0;
  const due: { at: number; order: number; run: () => void }[] = [];

  return {
    after(seconds, run) {
      const entry = { at: now + Math.max(0, seconds), order: order++, run };
      due.push(entry);
      due.sort((a, b) => a.at - b.at || a.order - b.order);
      return () => {
        const index = due.indexOf(entry);
        if (index >= 0) due.splice(index, 1);
      };
    },
    secondsToNext: () => (due[0] === undefined ? Number.POSITIVE_INFINITY : Math.max(0, due[0].at - now)),
    pass(seconds) {
      now += seconds;
    },
    runDue() {
      while (due[0] !== undefined && due[0].at <= now + 1e-9) due.shift()?.run();
    },
  };
}
