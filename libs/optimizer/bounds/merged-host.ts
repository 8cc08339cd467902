import type { Problem } from '../problem/problem.ts';

/**
 * Least cost of any placement by the sums over all hosts: `Σ prices[k] · max(0, Σ X[h, k])`.
 *
 * Proof. `max(0, ·)` is subadditive, so `Σh max(0, X[h, k]) ≥ max(0, Σh X[h, k])`. The sum over all hosts does not
 * depend on the placement, since every item is on one host. Adding over k: the minimum of a sum is at least the sum of
 * the minima. Costs of moves are not negative.
 */
export function mergedHostBound({ hosts, items, columns, prices, base, use }: Problem): number {
  let bound = 0;
  for (let k = 0; k < columns; k += 1) {
    let sum = 0;
    for (let host = 0; host < hosts; host += 1) sum += base[host * columns + k]!;
    for (let item = 0; item < items; item += 1) sum += use[item * columns + k]!;
    bound += prices[k]! * Math.max(0, sum);
  }
  return bound;
}
