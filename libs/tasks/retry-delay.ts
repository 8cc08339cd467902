import type { RandomSource } from '#libs/domain';

const baseMs = 5_000;
const capMs = 600_000;

/** Pause after failed attempt number `attempt` (from 1): 5 s doubling to 10 min, with 20 % of jitter either way. */
export function retryDelayMs(attempt: number, random: RandomSource): number {
  const doubled = baseMs * 2 ** Math.min(attempt - 1, 20);
  return Math.round(Math.min(doubled * (0.8 + 0.4 * random()), capMs));
}
