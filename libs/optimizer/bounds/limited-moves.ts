import type { Problem } from '../problem/problem.ts';

/**
 * Least cost that `moves` moves can reach. For a column without negative uses let S be the sum of the `moves` largest
 * uses of movable items. The least `Σ max(0, L[h])` under "hosts fall by at most S together, rise by at most S
 * together, and the sum stays" is `Σ max(0, X[h]) − min(S, Σ max(0, X[h]), Σ max(0, −X[h]))`. A column with
 * negative uses counts as with unlimited moves.
 *
 * Proof. Each move lowers one host by its item's use and raises another by it, so every plan meets the relaxed
 * conditions. Lowering a host above 0 by d gains at most d. The gain is at most S, and at most the sum above 0. It is
 * also at most the slack of hosts below 0, because these hosts must absorb the moved sum without new costs. Over
 * columns: the minimum of a sum is at least the sum of the minima. Moves, places and hosts in use cost at least 0.
 */
export function limitedMovesBound(problem: Problem, moves: number): number {
  const { items, hosts, columns, prices, base, use, home, fixed } = problem;
  const sums = Float64Array.from(base);
  for (let item = 0; item < items; item += 1)
    for (let k = 0; k < columns; k += 1) sums[home[item]! * columns + k]! += use[item * columns + k]!;
  const movable = Array.from(fixed.keys()).filter((item) => fixed[item] === 0);
  let bound = 0;
  let most = 0;
  for (let k = 0; k < columns; k += 1) {
    // Hinges of one quantity are adjacent columns with the same uses.
    const isKnown = k > 0 && movable.every((item) => use[item * columns + k] === use[item * columns + k - 1]);
    if (!isKnown)
      most = largestSum(
        Float64Array.from(movable, (item) => use[item * columns + k]!),
        moves,
      );
    let above = 0;
    let slack = 0;
    for (let host = 0; host < hosts; host += 1) {
      above += Math.max(0, sums[host * columns + k]!);
      slack += Math.max(0, -sums[host * columns + k]!);
    }
    bound += prices[k]! * (above - Math.min(most, above, slack));
  }
  return bound;
}

/** Sum of the `count` largest values. Infinite when a value is negative. Reorders the values. */
function largestSum(uses: Float64Array, count: number): number {
  uses.sort();
  if (uses.length > 0 && uses[0]! < 0) return Number.POSITIVE_INFINITY;
  let sum = 0;
  for (let at = uses.length - 1; at >= Math.max(0, uses.length - count); at -= 1) sum += uses[at]!;
  return sum;
}
