/** The deadline of a workload. Without a limit at first. */
export interface SettleDeadline {
  /** Limits the workload to `ms` from now. */
  limit(ms: number): void;
  /** Shortens the limit to `ms` from now. */
  shorten(ms: number): void;
  /** Ends the disturbances: from now on, the workload has `settleMs` after the end of each plan. */
  calm(settleMs: number): void;
  /** Counts the end of a plan as progress. No effect before `calm`. */
  planEnded(): void;
  isOver(): boolean;
}

/**
 * Creates a deadline that does not count the time of the disturbances, which depends on the load of the machine. After
 * them, only a period without an end of any plan exceeds it.
 *
 * @param now current time in milliseconds
 */
export function createSettleDeadline(now: () => number = () => performance.now()): SettleDeadline {
  let at = Number.POSITIVE_INFINITY;
  let settleMs: number | undefined;
  return {
    limit(ms) {
      at = now() + ms;
    },
    shorten(ms) {
      at = Math.min(at, now() + ms);
    },
    calm(ms) {
      settleMs = ms;
      at = now() + ms;
    },
    planEnded() {
      if (settleMs !== undefined) at = now() + settleMs;
    },
    isOver: () => now() > at,
  };
}
