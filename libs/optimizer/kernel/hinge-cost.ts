import type { Problem } from '../problem/problem.ts';

/**
 * The objective of a placement of a problem that has only hinges: no terms, no rules of groups, and no price of moves.
 * The same number as that of `Placement`, which would also prepare moves.
 */
export function hingeCost({ hosts, items, columns, base, use, prices }: Problem, host: ArrayLike<number>): number {
  const sums = Float64Array.from(base);
  for (let item = 0; item < items; item += 1)
    for (let k = 0, at = host[item]! * columns, from = item * columns; k < columns; k += 1)
      sums[at + k]! += use[from + k]!;
  let cost = 0;
  for (let at = 0; at < hosts * columns; at += columns) {
    let own = 0;
    for (let k = 0; k < columns; k += 1) own += prices[k]! * (sums[at + k]! + Math.abs(sums[at + k]!));
    cost += own / 2;
  }
  return cost;
}
