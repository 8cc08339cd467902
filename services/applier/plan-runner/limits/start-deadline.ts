import type { Gate } from '#libs/dependencies';
import type { Clock } from '#libs/domain';

/** Longest timer (24.8 days), and so the longest time budget. */
const longestTimerMs = 2 ** 31 - 1;

interface DeadlineOptions {
  /** In milliseconds of `clock`. */
  deadlineMs: number;
  clock: Clock;
  gate: Pick<Gate, 'isOpen' | 'onChange'>;
  onEnd(): void;
}

/**
 * Calls `onEnd` at the deadline. Time with a closed gate postpones the deadline, so an action does not fail because a
 * dependency was unavailable.
 * @returns stops the timer
 */
export function startDeadline({ deadlineMs, clock, gate, onEnd }: DeadlineOptions): () => void {
  let endsAtMs = deadlineMs;
  let closedAtMs: number | null = gate.isOpen ? null : clock.now();
  let timer: NodeJS.Timeout | undefined;

  function setTimer(): void {
    clearTimeout(timer);
    if (closedAtMs !== null) return;
    timer = setTimeout(onEnd, Math.min(Math.max(0, endsAtMs - clock.now()), longestTimerMs));
  }

  const off = gate.onChange((isOpen) => {
    if (isOpen && closedAtMs !== null) {
      endsAtMs += clock.now() - closedAtMs;
      closedAtMs = null;
    } else if (!isOpen) {
      closedAtMs ??= clock.now();
    }
    setTimer();
  });
  setTimer();
  return () => {
    clearTimeout(timer);
    off();
  };
}
