import type { Problem } from '../problem/problem.ts';

/**
 * Least cost of any placement, given the immovable items. For each column whose uses by movable items are not negative,
 * with x⁰[h] the sum of a host with its immovable items only and M the movable uses of all hosts:
 * `Σh max(0, X[h]) ≥ Σh max(0, x⁰[h]) + max(0, M − Σh max(0, −x⁰[h]))`. Other columns have the bound of
 * the merged host.
 *
 * Proof. Let y[h] ≥ 0 be the movable load that a placement puts on h, Σ y = M.
 * `max(0, x⁰ + y) ≥ max(0, x⁰) + max(0, y − max(0, −x⁰))`: for x⁰ ≥ 0 both sides are x⁰ + y. For x⁰
 * < 0 they are `max(0, y + x⁰)`. Summed over all hosts, the last term is subadditive:
 * `Σh max(0, y[h] − s[h]) ≥ max(0, M − Σh s[h])` with the slack `s = max(0, −x⁰)`. Adding over columns: the
 * minimum of a sum is at least the sum of the minima. Costs of moves, places and hosts in use are not negative.
 */
export function immovablePartBound(problem: Problem, immovable: Uint8Array = problem.fixed): number {
  const { hosts, columns, prices } = problem;
  const { fixedSums, movable, negative } = splitSums(problem, immovable);
  let bound = 0;
  for (let k = 0; k < columns; k += 1) {
    let above = 0;
    let slack = 0;
    let sum = movable[k]!;
    for (let host = 0; host < hosts; host += 1) {
      const x = fixedSums[host * columns + k]!;
      above += Math.max(0, x);
      slack += Math.max(0, -x);
      sum += x;
    }
    const least = negative[k] === 1 ? Math.max(0, sum) : above + Math.max(0, movable[k]! - slack);
    bound += prices[k]! * least;
  }
  return bound;
}

/** Sums of hosts with immovable items only, movable uses, and columns with a negative movable use. */
function splitSums({ items, columns, base, use, home }: Problem, immovable: Uint8Array) {
  const fixedSums = Float64Array.from(base);
  const movable = new Float64Array(columns);
  const negative = new Uint8Array(columns);
  for (let item = 0; item < items; item += 1)
    for (let k = 0; k < columns; k += 1) {
      const amount = use[item * columns + k]!;
      if (immovable[item] === 1) fixedSums[home[item]! * columns + k]! += amount;
      else {
        movable[k]! += amount;
        if (amount < 0) negative[k] = 1;
      }
    }
  return { fixedSums, movable, negative };
}
