import type { RandomSource } from '#libs/domain';

/** Longest pause that a `Retry-After` header may ask for; longer ones are cut to this. */
const longestPauseMs = 10_000;

/**
 * Pause before try number `attempt` + 1 (attempts count from 1): `baseMs` doubled per attempt, half of it random ("equal
 * jitter"), and never less than what `Retry-After` (seconds or an HTTP date) asks for. Never above 10 s.
 */
export function retryPauseMs(
  attempt: number,
  options: { baseMs: number; random: RandomSource; retryAfter?: string | undefined; nowMs: number },
): number {
  const full = options.baseMs * 2 ** (attempt - 1);
  const backOff = full / 2 + (full / 2) * options.random();
  return Math.min(longestPauseMs, Math.max(backOff, retryAfterMs(options.retryAfter, options.nowMs)));
}

function retryAfterMs(header: string | undefined, nowMs: number): number {
  if (header === undefined) return 0;
  if (/^\d+$/.test(header.trim())) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? 0 : Math.max(0, date - nowMs);
}
