/**
 * Limit of a search: the time from start to end in milliseconds since 1970, or seconds of the process's processor time
 * after `beganSeconds`, or evaluations of each thread, so that a search can be repeated.
 */
export type Budget =
  | { kind: 'clock'; beginMs: number; endMs: number }
  | { kind: 'processor'; beganSeconds: number; seconds: number }
  | { kind: 'work'; evaluations: number };

/** Milliseconds since 1970, finer than `Date.now`. */
export function nowMs(): number {
  return performance.timeOrigin + performance.now();
}

/** Processor time of all threads of the process so far, in seconds. */
export function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** Returns the used share of a budget for a thread with this number of evaluations. Above 1 when it is overdrawn. */
export function usedPart(budget: Budget, evaluations: number): number {
  if (budget.kind === 'work') return evaluations / budget.evaluations;
  if (budget.kind === 'processor') return (processorSeconds() - budget.beganSeconds) / budget.seconds;
  return (nowMs() - budget.beginMs) / (budget.endMs - budget.beginMs);
}
