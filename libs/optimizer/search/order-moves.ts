import type { FragmentProblem } from '../problem/fragments.ts';

/** One move: an instance of a size (by position in `sizes`) moves between nodes. */
export interface FragmentMove {
  size: number;
  from: number;
  to: number;
}

/** Moves in a feasible order, and the number of moves without room at any time (they wait for each other). */
export interface MoveOrder {
  moves: FragmentMove[];
  stuck: number;
  /** Free units of each node after these moves. */
  free: Int32Array;
}

/**
 * Turns leaving and arriving counts (`net`, nodes × sizes, sums 0) into moves in an order in which each has room. Any
 * move that fits is made, and first from nodes where others wait for room.
 */
export function orderMoves(problem: FragmentProblem, net: Int32Array): MoveOrder {
  const state = new OpenMoves(problem, net);
  const moves: FragmentMove[] = [];
  for (let made = true; made; ) {
    made = false;
    // Large ones first: small ones still fit when little room is left.
    for (let size = problem.sizes.length - 1; size >= 0; size -= 1)
      for (let move = state.next(size); move !== null; move = state.next(size)) {
        moves.push(move);
        made = true;
      }
  }
  return { moves, stuck: state.left(), free: state.free };
}

class OpenMoves {
  readonly free: Int32Array;
  private readonly problem: FragmentProblem;
  private readonly open: Int32Array;

  constructor(problem: FragmentProblem, net: Int32Array) {
    this.problem = problem;
    this.free = problem.free.slice();
    this.open = net.slice();
  }

  /** Makes a move of a size if one fits. */
  next(size: number): FragmentMove | null {
    const { sizes } = this.problem;
    const to = this.best(
      (node) => this.openAt(node, size) < 0 && this.free[node]! >= sizes[size]!,
      (node) => this.free[node]!,
    );
    const from = this.best(
      (node) => this.openAt(node, size) > 0,
      (node) => this.waiting(node),
    );
    if (to < 0 || from < 0) return null;
    this.open[from * sizes.length + size]! -= 1;
    this.open[to * sizes.length + size]! += 1;
    this.free[from]! += sizes[size]!;
    this.free[to]! -= sizes[size]!;
    return { size, from, to };
  }

  /** Arrivals that were not made. */
  left(): number {
    return this.open.reduce((sum, count) => sum + Math.max(0, -count), 0);
  }

  private openAt(node: number, size: number): number {
    return this.open[node * this.problem.sizes.length + size]!;
  }

  /** Units that arrivals at a node lack. */
  private waiting(node: number): number {
    const { sizes } = this.problem;
    const wanted = sizes.reduce((sum, units, size) => sum + units * Math.max(0, -this.openAt(node, size)), 0);
    return wanted - this.free[node]!;
  }

  private best(admitted: (node: number) => boolean, worth: (node: number) => number): number {
    let chosen = -1;
    let most = Number.NEGATIVE_INFINITY;
    for (let node = 0; node < this.free.length; node += 1) {
      if (!admitted(node) || worth(node) <= most) continue;
      most = worth(node);
      chosen = node;
    }
    return chosen;
  }
}
