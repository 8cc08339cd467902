import type { FragmentProblem } from '../problem/fragments.ts';

/** Rest of a budget, and the result of single moves within it. */
export interface Completion {
  gain: number;
  moves: number;
}

/**
 * Spends the rest of a budget on single moves that gain a place each. An instance leaves a node that then has one more
 * place, and arrives at a node that loses none, with the smallest remainder. Changes `net` (nodes × sizes, leaving
 * minus arriving).
 */
export function completePlan(problem: FragmentProblem, net: Int32Array, left: number): Completion {
  const { sizes, contents, free, counts } = problem;
  const count = sizes.length;
  const room = free.map((units, node) => sizes.reduce((sum, size, k) => sum + size * net[node * count + k]!, units));
  const done = { gain: 0, moves: 0 };
  // The largest first: they find the fewest places.
  for (let size = count - 1; size >= 0; size -= 1)
    for (let from = 0; from < room.length; from += 1) {
      const at = from * count + size;
      const gains = counts[from] === 1 && spare(problem, room[from]!) + sizes[size]! >= problem.slot;
      if (!gains || contents[at]! - net[at]! <= 0 || done.moves >= left) continue;
      const to = tightest(problem, room, from, sizes[size]!);
      if (to < 0) continue;
      net[at]! += 1;
      net[to * count + size]! -= 1;
      room[from]! += sizes[size]!;
      room[to]! -= sizes[size]!;
      done.moves += 1;
      done.gain += 1;
    }
  return done;
}

/** Units above the last whole place. */
function spare({ slot }: FragmentProblem, units: number): number {
  return units % slot;
}

/** The node that takes this number of units without losing a place, with the smallest remainder. -1: none. */
function tightest(problem: FragmentProblem, room: Int32Array, except: number, units: number): number {
  let best = -1;
  let least = Number.POSITIVE_INFINITY;
  for (let node = 0; node < room.length; node += 1) {
    const over = spare(problem, room[node]!) - units;
    if (node === except || over < 0 || over >= least) continue;
    least = over;
    best = node;
  }
  return best;
}
