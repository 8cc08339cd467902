import { Random } from '#libs/optimizer';
import type { Steps } from '../steps.ts';
import { createPacking, type Packing, reachesOf, sizesOf } from './packing.ts';
import { type PackingProblem, width } from './packing-problem.ts';

/** Orders with random weights that are tried after the fixed ones. */
const randomTries = 24;

/**
 * The best packing that greedy searches find: all items, or as many as one of them has placed. The spread ones are
 * tried first, as Nova spreads by default.
 */
export function* construct(problem: PackingProblem): Steps<Packing> {
  const sizes = sizesOf(problem);
  const reaches = reachesOf(problem);
  const rows = [...problem.items.keys()];
  const bySize = (a: number, b: number) => (sizes[b] as number) - (sizes[a] as number) || a - b;
  const byReach = (a: number, b: number) => (reaches[a] as number) - (reaches[b] as number) || bySize(a, b);
  const random = new Random(1);
  let best = createPacking(problem);
  let mostPlaced = -1;
  for (let attempt = 0; attempt < 4 + randomTries; attempt++) {
    const weights = rows.map((row) => (sizes[row] as number) * (0.5 + random.below(1000) / 1000));
    const orders = [byReach, bySize];
    const order =
      attempt < 4
        ? rows.toSorted(orders[attempt % 2])
        : rows.toSorted((a, b) => (weights[b] as number) - (weights[a] as number));
    const packing = createPacking(problem);
    const placed = yield* fill(problem, packing, { order, isTight: attempt % 4 >= 2 });
    if (placed > mostPlaced) [best, mostPlaced] = [packing, placed];
    if (mostPlaced === rows.length) break;
    yield;
  }
  return best;
}

function* fill(
  problem: PackingProblem,
  packing: Packing,
  { order, isTight }: { order: readonly number[]; isTight: boolean },
): Steps<number> {
  let placed = 0;
  let work = 0;
  for (const item of order) {
    const host = choose(problem, packing, item, isTight);
    if (host >= 0) packing.put(item, host);
    if (host >= 0 || shift(problem, packing, item)) placed++;
    work += problem.hosts.length;
    if (work > 100_000) {
      work = 0;
      yield;
    }
  }
  return placed;
}

/** The host with the least room left after it (`isTight`), or with the most. −1 when none takes it. */
function choose(problem: PackingProblem, packing: Packing, item: number, isTight: boolean): number {
  const { hosts, needs } = problem;
  let found = -1;
  let best = Number.POSITIVE_INFINITY;
  for (let host = 0; host < hosts.length; host++) {
    if (!packing.fits(item, host)) continue;
    let left = 0;
    for (let column = 0; column < width; column++) {
      const need = needs[item * width + column] as number;
      if (need > 0) left += (packing.free[host * width + column] as number) / need;
    }
    const cost = isTight ? left : -left;
    if (cost < best) [found, best] = [host, cost];
  }
  return found;
}

/** Makes room for an item by bringing one other item elsewhere. */
function shift(problem: PackingProblem, packing: Packing, item: number): boolean {
  const { hosts, reach } = problem;
  if (hosts.length > 200) return false;
  for (let host = 0; host < hosts.length; host++) {
    if (reach[item]?.[host] !== 1) continue;
    for (const other of [...packing.on(host)]) {
      packing.take(other);
      if (packing.fits(item, host)) {
        packing.put(item, host);
        const place = choose(problem, packing, other, true);
        if (place >= 0) {
          packing.put(other, place);
          return true;
        }
        packing.take(item);
      }
      packing.put(other, host);
    }
  }
  return false;
}
