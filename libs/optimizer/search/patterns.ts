import type { SlotsBound } from '../bounds/slots.ts';
import { type FragmentProblem, type NodeType, nodeTypes, placesIn } from '../problem/fragments.ts';

/** Amounts that may leave and arrive at a node: `net` is leaving minus arriving, by size. */
export interface Pattern {
  readonly net: Int32Array;
  /** Places gained. */
  readonly gain: number;
  /** Moves that its arrivals count. */
  readonly moves: number;
  /** Places gained less the prices of moves and of leaving items. In a plan the latter add to 0. */
  readonly worth: number;
}

const mostLeaving = 4;
const mostArriving = 5;
/** Patterns this much below the best of a node at the final prices are omitted, and those beyond this number. */
const worthSpan = 0.9;
const mostPatterns = 120;

/** Counts of up to `most` instances by size, for which `fits` holds at every step. */
function selections(sizes: number, most: number, fits: (counts: Int32Array, size: number) => boolean): Int32Array[] {
  const found: Int32Array[] = [];
  const counts = new Int32Array(sizes);
  const extend = (from: number, left: number): void => {
    found.push(counts.slice());
    if (left === 0) return;
    for (let size = from; size < sizes; size += 1) {
      if (!fits(counts, size)) continue;
      counts[size]! += 1;
      extend(size, left - 1);
      counts[size]! -= 1;
    }
  };
  extend(0, most);
  return found;
}

function unitsOf(sizes: readonly number[], counts: Int32Array): number {
  return sizes.reduce((sum, size, index) => sum + size * counts[index]!, 0);
}

/** The patterns of a node that are worth most at the prices of a bound; "nothing" is the first. */
function patternsOf(problem: FragmentProblem, { free, contents, counts }: NodeType, bound: SlotsBound): Pattern[] {
  const { sizes, slot } = problem;
  const leaving = selections(sizes.length, mostLeaving, (counts, size) => counts[size]! < contents[size]!);
  const rated: Pattern[] = [];
  for (const out of leaving) {
    const room = free + unitsOf(sizes, out);
    const arrivals = selections(
      sizes.length,
      mostArriving,
      (counts, size) => out[size] === 0 && unitsOf(sizes, counts) + sizes[size]! <= room,
    );
    for (const into of arrivals) {
      const net = out.map((count, size) => count - into[size]!);
      const moves = into.reduce((sum, count) => sum + count, 0);
      const gain = placesIn(slot, room - unitsOf(sizes, into), counts) - placesIn(slot, free, counts);
      const paid = net.reduce((sum, count, size) => sum + bound.prices[size]! * count, 0);
      rated.push({ net, gain, moves, worth: gain - bound.movePrice * moves - paid });
    }
  }
  rated.sort((a, b) => b.worth - a.worth);
  const least = (rated[0]?.worth ?? 0) - worthSpan;
  const good = rated.filter(({ worth }) => worth >= least).slice(0, mostPatterns);
  return [{ net: new Int32Array(sizes.length), gain: 0, moves: 0, worth: 0 }, ...good];
}

/** Candidate patterns of every node. */
export function candidatePatterns(problem: FragmentProblem, bound: SlotsBound): Pattern[][] {
  const byNode: Pattern[][] = new Array(problem.free.length);
  for (const type of nodeTypes(problem)) {
    const patterns = patternsOf(problem, type, bound);
    for (const node of type.nodes) byNode[node] = patterns;
  }
  return byNode;
}
