import type { Problem } from '../problem/problem.ts';

/** Tolerance for rounding errors. */
const tolerance = 1e-9;

/**
 * Least cost of missing places (`terms.slotPrices`) that `moves` moves can reach; 0: any number of moves. Uses must not
 * be negative. The tightest of three limits on the places of a flavor counts:
 *
 * - Each host has at most the places that fit in addition to the items that never move.
 * - All hosts together have at most the whole part of `Σ hosts max(0, free) / need`, for every column.
 * - `moves` moves gain no more than the best use of as many departures: a host that j items leave has at most
 *   `min over columns of floor((free + sum of its j largest uses) / need)` places.
 *
 * Proof. First limit: arrivals only lower the places of a host, and fixed items stay. Second limit: a sum of whole
 * parts is at most the whole part of the sum, and moves neither create nor remove room. A host above its limits
 * accepts no items, so the sum of the free room above 0 does not increase. The departures of a plan are at most
 * `moves`. Without arrivals each host has at most the places of the third limit, which depends on its own departures
 * only. The concave hulls of these gains are filled best by taking their steepest parts first. Other costs are not
 * below 0.
 */
export function placesBound(problem: Problem, moves: number): number {
  const { terms } = problem;
  if (terms === null) return 0;
  let bound = 0;
  for (let flavor = 0; flavor < terms.slotPrices.length; flavor += 1)
    bound += terms.slotPrices[flavor]! * missingPlaces(new Flavor(problem, flavor), moves);
  return bound;
}

function missingPlaces(flavor: Flavor, moves: number): number {
  let [most, now, attainable] = [0, 0, 0];
  const slopes: Slope[] = [];
  for (let host = 0; host < flavor.problem.hosts; host += 1) {
    most += flavor.placesWithin(flavor.emptyRoom(host));
    attainable += flavor.placesWithin(flavor.roomBesideFixed(host));
    now += flavor.placesWithin(flavor.freeRoom(host));
    if (moves > 0) slopes.push(...hullOf(flavor.gainsOf(host, moves)));
  }
  const reached = moves > 0 ? now + gainOf(slopes, moves) : Number.POSITIVE_INFINITY;
  return Math.max(0, most - Math.floor(Math.min(attainable, flavor.mergedPlaces(), reached) + tolerance));
}

/** One flavor on the hosts of a problem. */
class Flavor {
  readonly problem: Problem;
  private readonly columns: number[];
  private readonly needs: Float64Array;
  /** Current sums of each host, and sums of its fixed items. */
  private readonly sums: Float64Array;
  private readonly fixedSums: Float64Array;
  private readonly movable: number[][];

  constructor(problem: Problem, flavor: number) {
    const { columns, terms, base, home, fixed, hosts, items, use } = problem;
    this.problem = problem;
    this.needs = terms!.slotNeeds.subarray(flavor * columns, (flavor + 1) * columns);
    this.columns = Array.from(this.needs.keys()).filter((k) => this.needs[k]! > 0);
    this.sums = Float64Array.from(base);
    this.fixedSums = Float64Array.from(base);
    this.movable = Array.from({ length: hosts }, () => []);
    for (let item = 0; item < items; item += 1) {
      const host = home[item]!;
      if (fixed[item] === 0) this.movable[host]!.push(item);
      for (const k of this.columns) {
        const amount = use[item * columns + k]!;
        this.sums[host * columns + k]! += amount;
        if (fixed[item] === 1) this.fixedSums[host * columns + k]! += amount;
      }
    }
  }

  private room(host: number, sums: Float64Array): number[] {
    const at = host * this.problem.columns;
    return this.columns.map((k) => this.problem.limit[at + k]! - sums[at + k]!);
  }

  emptyRoom = (host: number) => this.room(host, this.problem.base);
  roomBesideFixed = (host: number) => this.room(host, this.fixedSums);
  freeRoom = (host: number) => this.room(host, this.sums);

  placesWithin(room: readonly number[]): number {
    if (room.length === 0) return 0;
    const counts = room.map((free, index) => free / this.needs[this.columns[index]!]!);
    return Math.max(0, Math.floor(Math.min(...counts) + tolerance));
  }

  /** Places in the free room of all hosts together. */
  mergedPlaces(): number {
    const sums = this.columns.map(() => 0);
    for (let host = 0; host < this.problem.hosts; host += 1)
      this.freeRoom(host).forEach((free, index) => {
        sums[index]! += Math.max(0, free);
      });
    return this.placesWithin(sums);
  }

  /** The most places that a host can gain when 0, 1, 2, … items leave. The list ends at the maximum gain. */
  gainsOf(host: number, moves: number): number[] {
    const { columns, use } = this.problem;
    const room = this.freeRoom(host);
    const now = this.placesWithin(room);
    const most = this.placesWithin(this.roomBesideFixed(host)) - now;
    const items = this.movable[host]!;
    const uses = this.columns.map((k) => items.map((item) => use[item * columns + k]!).sort((a, b) => b - a));
    const gains = [0];
    for (let left = 1; left <= Math.min(moves, items.length) && gains.at(-1)! < most; left += 1) {
      uses.forEach((falling, index) => {
        room[index]! += falling[left - 1]!;
      });
      gains.push(Math.min(most, this.placesWithin(room) - now));
    }
    return gains;
  }
}

/** A straight part of a concave curve. */
interface Slope {
  moves: number;
  gain: number;
}

/** Least concave curve above the gains. */
function hullOf(gains: readonly number[]): Slope[] {
  const slopes: Slope[] = [];
  for (let at = 0; at < gains.length - 1; ) {
    let next = at + 1;
    const steepness = (to: number) => (gains[to]! - gains[at]!) / (to - at);
    for (let to = at + 2; to < gains.length; to += 1) if (steepness(to) >= steepness(next)) next = to;
    if (gains[next]! <= gains[at]!) break;
    slopes.push({ moves: next - at, gain: gains[next]! - gains[at]! });
    at = next;
  }
  return slopes;
}

function gainOf(slopes: Slope[], moves: number): number {
  slopes.sort((a, b) => b.gain / b.moves - a.gain / a.moves);
  let gain = 0;
  let left = moves;
  for (const slope of slopes) {
    const part = Math.min(1, left / slope.moves);
    gain += part * slope.gain;
    left -= part * slope.moves;
    if (left <= 0) break;
  }
  return gain;
}
