import { Exchange } from '../kernel/exchange.ts';
import type { Placement } from '../kernel/placement.ts';
import type { Random } from '../kernel/random.ts';
import type { Problem } from '../problem/problem.ts';

/** Hosts below this part of the mean excess are not worth a visit of their own. */
const coldPart = 0.02;
/** A host may hold few items that take part: so often one is drawn. */
const draws = 6;

/**
 * What the moves share: the placement that they change, chance, the temperature, and from where items and hosts are drawn.
 * A move is kept when the cost rises by at most `threshold`, which is drawn before the move is looked at.
 */
export class Neighbourhood {
  readonly problem: Problem;
  readonly placement: Placement;
  readonly random: Random;
  readonly exchange: Exchange;
  /** Costs that were computed: moves that were looked at. */
  evaluations = 0;
  temperature = 0;
  /** Movable items, largest first, and how many of them take part now. Without any there is nothing to propose. */
  readonly order: Int32Array;
  eligible: number;
  /** Place of each item in `order`. */
  private readonly rank: Int32Array;
  private readonly sizes: Float64Array;
  private readonly hot: Int32Array;
  private hotCount = 0;
  private readonly nearStart: Int32Array;
  private readonly near: Int32Array;

  constructor(placement: Placement, random: Random) {
    const { problem } = placement;
    this.problem = problem;
    this.placement = placement;
    this.random = random;
    this.exchange = new Exchange(placement);
    const sizes = itemSizes(problem);
    this.order = Int32Array.from(movableItems(problem)).sort((a, b) => sizes[b]! - sizes[a]!);
    this.sizes = Float64Array.from(this.order, (item) => sizes[item]!);
    this.eligible = this.order.length;
    this.rank = new Int32Array(problem.items).fill(problem.items);
    this.order.forEach((item, at) => {
      this.rank[item] = at;
    });
    this.hot = new Int32Array(problem.hosts);
    const near = nearestHosts(problem);
    this.nearStart = near.start;
    this.near = near.hosts;
  }

  /** Draws by how much the cost may rise in the next move. */
  threshold(): number {
    return this.temperature * this.random.exponential();
  }

  /** Lets items of at least `size` take part, and one at least; all where hosts cost for more than sums, which tell no sizes. */
  admitFrom(size: number): void {
    if (this.problem.terms !== null) return;
    let low = 1;
    let high = this.order.length;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.sizes[middle - 1]! >= size) low = middle;
      else high = middle - 1;
    }
    this.eligible = low;
  }

  /** Lists the hosts again where something can be gained. */
  listHot(): void {
    const { hosts } = this.problem;
    let sum = 0;
    for (let host = 0; host < hosts; host += 1) sum += this.placement.excessOf(host);
    const limit = (sum / hosts) * coldPart;
    this.hotCount = 0;
    for (let host = 0; host < hosts; host += 1) {
      if (this.placement.excessOf(host) <= limit) continue;
      this.hot[this.hotCount] = host;
      this.hotCount += 1;
    }
  }

  anyItem(): number {
    return this.order[this.random.below(this.eligible)]!;
  }

  anyHost(): number {
    return this.random.below(this.problem.hosts);
  }

  /** A host where something can be gained; any when there is none. */
  hotHost(): number {
    return this.hotCount === 0 ? this.anyHost() : this.hot[this.random.below(this.hotCount)]!;
  }

  /** A host to which a move from the item's home costs least. */
  nearHost(item: number): number {
    const cls = this.problem.classOf[this.problem.home[item]!]!;
    const start = this.nearStart[cls]!;
    return this.near[start + this.random.below(this.nearStart[cls + 1]! - start)]!;
  }

  /** Whether an item is large enough to take part now. */
  takesPart(item: number): boolean {
    return this.rank[item]! < this.eligible;
  }

  /** An item on `host` that takes part; -1: none was found. */
  residentOf(host: number): number {
    const { residents } = this.placement;
    const count = residents.countOf(host);
    for (let tries = Math.min(count, draws); tries > 0; tries -= 1) {
      const item = residents.at(host, this.random.below(count));
      if (this.takesPart(item)) return item;
    }
    return -1;
  }

  /** An item away from home; -1: there is none. */
  awayItem(): number {
    const { awayCount, awayItems } = this.placement;
    return awayCount === 0 ? -1 : awayItems[this.random.below(awayCount)]!;
  }
}

/** Size of each item in units of cost. */
function itemSizes({ items, columns, prices, use }: Problem): Float64Array {
  const sizes = new Float64Array(items);
  for (let item = 0; item < items; item += 1)
    for (let k = 0; k < columns; k += 1) sizes[item]! += prices[k]! * Math.max(0, use[item * columns + k]!);
  return sizes;
}

function movableItems({ items, fixed }: Problem): number[] {
  const movable: number[] = [];
  for (let item = 0; item < items; item += 1) if (fixed[item] === 0) movable.push(item);
  return movable;
}

/** Hosts at the least distance from each class; the lists of all classes one after the other. */
function nearestHosts({ hosts, classes, classOf, distance }: Problem): { start: Int32Array; hosts: Int32Array } {
  const start = new Int32Array(classes + 1);
  const flat: number[] = [];
  const members: number[][] = Array.from({ length: classes }, () => []);
  for (let host = 0; host < hosts; host += 1) members[classOf[host]!]!.push(host);
  for (let from = 0; from < classes; from += 1) {
    const row = distance.subarray(from * classes, (from + 1) * classes);
    const least = row.reduce((low, far, to) => (members[to]!.length > 0 && far < low ? far : low), Infinity);
    members.forEach((list, to) => {
      if (row[to] === least) flat.push(...list);
    });
    start[from + 1] = flat.length;
  }
  return { start, hosts: Int32Array.from(flat) };
}
