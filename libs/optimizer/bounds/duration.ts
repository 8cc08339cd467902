/** Work of a plan: seconds of migrations that a host or network takes part in, and how many it does at once. */
export interface Lane {
  seconds: number;
  /** At least 1. */
  parallel: number;
}

/**
 * Least duration of a plan in seconds: that of the busiest host or network.
 *
 * Proof. A lane that does at most p migrations at once and has s seconds of them to do is busy for at least s / p seconds; the plan
 * ends when its last lane does. Waiting only adds.
 */
export function durationBound(lanes: Iterable<Lane>): number {
  let longest = 0;
  for (const { seconds, parallel } of lanes) longest = Math.max(longest, seconds / parallel);
  return longest;
}
