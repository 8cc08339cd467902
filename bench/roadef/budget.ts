/**
 * Limit of a search: the time from start to end, milliseconds since 1970. Seconds of processor time of the whole
 * process, which had used `beganSeconds` before. Or evaluations of each thread, so that a search can be repeated.
 */
export type Budget =
  | { kind: 'clock'; beginMs: number; endMs: number }
  | { kind: 'processor'; beganSeconds: number; seconds: number }
  | { kind: 'work'; evaluations: number };

/** Milliseconds since 1970, finer than `Date.now`. */
export function nowMs(): number {
  return performance.timeOrigin + performance.now();
}

/** Processor time of all threads of the process so far. */
export function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** The part of a budget that is used by a thread that has done so many evaluations. Above 1 when it is overdrawn. */
export function usedPart(budget: Budget, evaluations: number): number {
  if (budget.kind === 'work') return evaluations / budget.evaluations;
  if (budget.kind === 'processor') return (processorSeconds() - budget.beganSeconds) / budget.seconds;
  return (nowMs() - budget.beginMs) / (budget.endMs - budget.beginMs);
}
