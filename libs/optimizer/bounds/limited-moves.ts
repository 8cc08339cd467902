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
  return createLimitedMovesBound(problem)(moves);
}

/** The bound by the number of moves. The problem must stay unchanged. See `limitedMovesBound`. */
export function createLimitedMovesBound(problem: Problem): (moves: number) => number {
  const { hosts, columns, prices } = problem;
  const sums = sumsAtHome(problem);
  const largest = largestSums(problem);
  const parts = Array.from({ length: columns }, (_, k) => {
    let above = 0;
    let slack = 0;
    for (let host = 0; host < hosts; host += 1) {
      above += Math.max(0, sums[host * columns + k]!);
      slack += Math.max(0, -sums[host * columns + k]!);
    }
    return { above, slack };
  });
  return (moves) => {
    let bound = 0;
    for (const [k, { above, slack }] of parts.entries()) {
      const sumsOf = largest[k]!;
      const most = sumsOf === null ? Number.POSITIVE_INFINITY : sumsOf[Math.min(moves, sumsOf.length - 1)]!;
      bound += prices[k]! * (above - Math.min(most, above, slack));
    }
    return bound;
  };
}

function sumsAtHome({ items, columns, base, use, home }: Problem): Float64Array {
  const sums = Float64Array.from(base);
  for (let item = 0; item < items; item += 1)
    for (let k = 0; k < columns; k += 1) sums[home[item]! * columns + k]! += use[item * columns + k]!;
  return sums;
}

/** For each column, the sum of the n largest uses of movable items, by n. Null when a use is negative. */
function largestSums({ columns, use, fixed }: Problem): (Float64Array | null)[] {
  const movable = Array.from(fixed.keys()).filter((item) => fixed[item] === 0);
  const found: (Float64Array | null)[] = [];
  for (let k = 0; k < columns; k += 1) {
    // Hinges of one quantity are adjacent columns with the same uses.
    const isKnown = k > 0 && movable.every((item) => use[item * columns + k] === use[item * columns + k - 1]);
    found.push(isKnown ? found[k - 1]! : sumsOfLargest(Float64Array.from(movable, (item) => use[item * columns + k]!)));
  }
  return found;
}

/** Reorders the values. */
function sumsOfLargest(uses: Float64Array): Float64Array | null {
  uses.sort();
  if (uses.length > 0 && uses[0]! < 0) return null;
  const sums = new Float64Array(uses.length + 1);
  for (let count = 1; count <= uses.length; count += 1) sums[count] = sums[count - 1]! + uses[uses.length - count]!;
  return sums;
}
