import type { Problem } from '../problem/problem.ts';
import { GroupCounts } from './group-counts.ts';
import { HostTermCosts } from './host-terms.ts';
import { Residents } from './residents.ts';
import { SoftRoom } from './soft-room.ts';

/** A line of the cache has 64 bytes. */
const numbersPerLine = 8;

/**
 * A placement under change: where every item is, what that costs, and what a move would change. Whoever moves items asks
 * `costWith` and its neighbours first (room and cost), then `admits` (rules), then calls `move`.
 *
 * `cost` includes what only steers the search (`steer`); `objective` does not.
 */
export class Placement {
  readonly problem: Problem;
  readonly host: Int32Array;
  /**
   * A row a host: its sums (`columns`), their limits (`columns`), its cost, its excess (the cost above what every placement of the
   * same items must pay here), its guide and what it pays for overflow. Rows begin at `host * stride` and fill whole lines of the processor's cache.
   */
  readonly rows: Float64Array;
  readonly stride: number;
  readonly residents: Residents;
  readonly groups: GroupCounts;
  /** Items away from home; the first `awayCount` are valid. */
  readonly awayItems: Int32Array;
  awayCount = 0;
  cost = 0;
  /** Price of being away by item, the price of blocked room included. */
  private readonly awayPrice: Float64Array;
  private readonly awayPosition: Int32Array;
  /** Room of transient columns in units of cost, by item, and its sum over items that are away. */
  private readonly blocked: Float64Array;
  private blockedSum = 0;
  private blockedPrice = 0;
  /** Prices of columns whose sum over all hosts is above 0, else 0. */
  private readonly duePrices: Float64Array;
  private readonly terms: HostTermCosts | null;
  /** Limits as prices; moves that are looked at with it never lack room. */
  readonly softRoom: SoftRoom;
  /** Sum of the guides of all hosts. */
  private guided = 0;
  /** What all hosts above their limits pay, and how many they are. */
  private overflow = 0;
  private overflowing = 0;
  /** Sums of a host after a change. */
  private readonly changed: Float64Array;

  constructor(problem: Problem, host: ArrayLike<number> = problem.home) {
    const { hosts, items, columns } = problem;
    this.problem = problem;
    this.host = Int32Array.from(host);
    this.stride = Math.ceil((2 * columns + 4) / numbersPerLine) * numbersPerLine;
    this.rows = new Float64Array(hosts * this.stride);
    this.softRoom = new SoftRoom(problem, this.rows, this.stride);
    this.residents = new Residents(hosts, items);
    this.awayItems = new Int32Array(items);
    this.awayPosition = new Int32Array(items);
    this.awayPrice = Float64Array.from(problem.moveCost);
    this.blocked = blockedRoom(problem);
    this.duePrices = new Float64Array(columns);
    this.terms = problem.terms === null ? null : new HostTermCosts(problem, problem.terms);
    this.changed = new Float64Array(columns);
    this.groups = new GroupCounts(problem, this.host);
    this.recompute();
  }

  /** Takes over another placement of all items. */
  restore(host: ArrayLike<number>): void {
    this.host.set(host);
    this.groups.reset();
    this.recompute();
  }

  /**
   * Sets what steers the search and is no part of the objective: what an item pays for the room that it blocks at home while it is
   * away, how strongly guides to places and empty hosts count (0 to about 0.5), and at which price hosts may rise above their limits
   * (see `SoftRoom`); 0: nothing, and limits are walls.
   */
  steer(blockedPrice: number, guidance: number, roomPrice = 0): void {
    const hasGuidance = this.terms === null || guidance === this.terms.guidance;
    if (blockedPrice === this.blockedPrice && hasGuidance && roomPrice === this.softRoom.price) return;
    const { moveCost } = this.problem;
    this.blockedPrice = blockedPrice;
    for (let item = 0; item < moveCost.length; item += 1)
      this.awayPrice[item] = moveCost[item]! + blockedPrice * this.blocked[item]!;
    if (this.terms !== null) this.terms.guidance = guidance;
    this.softRoom.setPrice(roomPrice);
    this.recompute();
  }

  /** The objective: `cost` without the price of blocked room, guides and overflow. */
  objective(): number {
    const blocked = this.blockedPrice === 0 ? 0 : this.blockedPrice * this.blockedSum;
    return this.cost - blocked - this.guided - this.overflow;
  }

  /** Whether no host rose above its limits, which happens only while room has a price. */
  get keepsLimits(): boolean {
    return this.overflowing === 0;
  }

  /** Whether no host is above its limits, which some may be from the start. */
  isWithinLimits(): boolean {
    const { hosts, columns } = this.problem;
    for (let host = 0; host < hosts; host += 1)
      for (let at = host * this.stride; at < host * this.stride + columns; at += 1)
        if (this.rows[at]! > this.rows[at + columns]!) return false;
    return true;
  }

  /** Computes all sums anew from `host`. */
  recompute(): void {
    const { problem } = this;
    this.setEmptyRows();
    this.residents.fill(this.host);
    this.awayCount = 0;
    this.blockedSum = 0;
    this.guided = 0;
    this.overflow = 0;
    this.overflowing = 0;
    this.cost = this.groups.awayCost();
    for (let item = 0; item < problem.items; item += 1) this.settle(item);
    this.setDuePrices();
    for (let host = 0; host < problem.hosts; host += 1) {
      this.refresh(host);
      this.cost += this.costOf(host);
    }
  }

  private setEmptyRows(): void {
    const { hosts, columns, base, limit } = this.problem;
    for (let host = 0; host < hosts; host += 1) {
      const from = host * columns;
      this.rows.set(base.subarray(from, from + columns), host * this.stride);
      this.rows.set(limit.subarray(from, from + columns), host * this.stride + columns);
      this.rows.fill(0, host * this.stride + 2 * columns, (host + 1) * this.stride);
    }
  }

  /** Cost of a host, moves excepted. */
  costOf(host: number): number {
    return this.rows[host * this.stride + 2 * this.problem.columns]!;
  }

  /** What could at best be gained at a host. */
  excessOf(host: number): number {
    return this.rows[host * this.stride + 2 * this.problem.columns + 1]!;
  }

  private settle(item: number): void {
    const { columns, transientColumns, use } = this.problem;
    const host = this.host[item]!;
    const home = this.problem.home[item]!;
    for (let k = 0; k < columns; k += 1) this.rows[host * this.stride + k]! += use[item * columns + k]!;
    if (host === home) return;
    const limits = home * this.stride + columns;
    for (let k = 0; k < transientColumns; k += 1) this.rows[limits + k]! -= use[item * columns + k]!;
    this.listAway(item);
    this.cost += this.priceAway(item, host);
  }

  private setDuePrices(): void {
    const { hosts, columns, prices } = this.problem;
    for (let k = 0; k < columns; k += 1) {
      let sum = 0;
      for (let host = 0; host < hosts; host += 1) sum += this.rows[host * this.stride + k]!;
      this.duePrices[k] = sum > 0 ? prices[k]! : 0;
    }
  }

  private refresh(host: number): void {
    const { columns, prices } = this.problem;
    const { rows, duePrices } = this;
    const row = host * this.stride;
    let cost = 0;
    let due = 0;
    for (let k = 0; k < columns; k += 1) {
      const x = rows[row + k]!;
      cost += prices[k]! * (x + Math.abs(x));
      due += duePrices[k]! * x;
    }
    cost = cost / 2 + this.termsOf(host, -1, -1);
    if (this.softRoom.price > 0) cost += this.refreshOverflow(host);
    rows[row + 2 * columns] = cost;
    rows[row + 2 * columns + 1] = cost - due;
    if (this.terms === null) return;
    const guide = this.terms.guideAt(host, this.changed);
    this.guided += guide - rows[row + 2 * columns + 2]!;
    rows[row + 2 * columns + 2] = guide;
  }

  private refreshOverflow(host: number): number {
    const at = host * this.stride + 2 * this.problem.columns + 3;
    const before = this.rows[at]!;
    const after = this.softRoom.overflowOf(host);
    this.rows[at] = after;
    this.overflow += after - before;
    this.overflowing += (after > 0 ? 1 : 0) - (before > 0 ? 1 : 0);
    return after;
  }

  private listAway(item: number): void {
    this.awayPosition[item] = this.awayCount;
    this.awayItems[this.awayCount] = item;
    this.awayCount += 1;
    this.blockedSum += this.blocked[item]!;
  }

  private unlistAway(item: number): void {
    this.awayCount -= 1;
    const last = this.awayItems[this.awayCount]!;
    const at = this.awayPosition[item]!;
    this.awayItems[at] = last;
    this.awayPosition[last] = at;
    this.blockedSum -= this.blocked[item]!;
  }

  /** Price of an item for being on `host`: 0 at home. */
  priceAway(item: number, host: number): number {
    const { home, classOf, classes, distance } = this.problem;
    const own = home[item]!;
    if (own === host) return 0;
    return this.awayPrice[item]! + distance[classOf[own]! * classes + classOf[host]!]!;
  }

  /** Costs of a host that are no hinges, when `leaving` is gone and `arriving` there (-1: nobody). */
  termsOf(host: number, leaving: number, arriving: number): number {
    if (this.terms === null) return 0;
    const { columns, use } = this.problem;
    const row = host * this.stride;
    for (let k = 0; k < columns; k += 1) {
      let x = this.rows[row + k]!;
      if (leaving >= 0) x -= use[leaving * columns + k]!;
      if (arriving >= 0) x += use[arriving * columns + k]!;
      this.changed[k] = x;
    }
    const items = this.residents.countOf(host) - (leaving >= 0 ? 1 : 0) + (arriving >= 0 ? 1 : 0);
    return this.terms.costAt(host, this.changed, items);
  }

  /** Cost of `host` without `item`, which is on it. */
  costWithout(host: number, item: number): number {
    if (this.softRoom.price > 0)
      return this.softRoom.costAfter(host, item, -1, Number.POSITIVE_INFINITY) + this.termsOf(host, item, -1);
    const { columns, prices, use } = this.problem;
    const { rows } = this;
    const row = host * this.stride;
    const from = item * columns;
    let cost = 0;
    for (let k = 0; k < columns; k += 1) {
      const x = rows[row + k]! - use[from + k]!;
      cost += prices[k]! * (x + Math.abs(x));
    }
    return cost / 2 + this.termsOf(host, item, -1);
  }

  /** Cost of `host` with `item` in addition; infinite when it does not fit or costs more than `ceiling`. */
  costWith(host: number, item: number, ceiling: number): number {
    if (this.softRoom.price > 0) return this.softRoom.costAfter(host, -1, item, ceiling) + this.termsOf(host, -1, item);
    const { columns, prices, use, home, transientColumns } = this.problem;
    const { rows } = this;
    const row = host * this.stride;
    const from = item * columns;
    const top = 2 * ceiling;
    let cost = 0;
    let k = 0;
    if (home[item] === host) {
      // Its room was kept.
      for (; k < transientColumns; k += 1) {
        const x = rows[row + k]! + use[from + k]!;
        cost += prices[k]! * (x + Math.abs(x));
      }
    }
    for (; k < columns; k += 1) {
      const x = rows[row + k]! + use[from + k]!;
      if (x > rows[row + columns + k]!) return Number.POSITIVE_INFINITY;
      cost += prices[k]! * (x + Math.abs(x));
      if (cost > top) return Number.POSITIVE_INFINITY;
    }
    return cost / 2 + this.termsOf(host, -1, item);
  }

  /** Cost of `host` with `arriving` in the place of `leaving`; infinite as in `costWith`. */
  costExchanged(host: number, leaving: number, arriving: number, ceiling: number): number {
    if (this.softRoom.price > 0)
      return this.softRoom.costAfter(host, leaving, arriving, ceiling) + this.termsOf(host, leaving, arriving);
    const { columns, prices, use, transientColumns } = this.problem;
    const { rows } = this;
    if (transientColumns > 0 && !this.transientFits(host, leaving, arriving)) return Number.POSITIVE_INFINITY;
    const row = host * this.stride;
    const from = leaving * columns;
    const to = arriving * columns;
    const top = 2 * ceiling;
    let cost = 0;
    for (let k = 0; k < transientColumns; k += 1) {
      const x = rows[row + k]! - use[from + k]! + use[to + k]!;
      cost += prices[k]! * (x + Math.abs(x));
    }
    for (let k = transientColumns; k < columns; k += 1) {
      const old = rows[row + k]!;
      const x = old - use[from + k]! + use[to + k]!;
      if (x > rows[row + columns + k]! && x > old) return Number.POSITIVE_INFINITY;
      cost += prices[k]! * (x + Math.abs(x));
      if (cost > top) return Number.POSITIVE_INFINITY;
    }
    return cost / 2 + this.termsOf(host, leaving, arriving);
  }

  /** Room of transient columns: who comes home needs none, who leaves home frees none. */
  private transientFits(host: number, leaving: number, arriving: number): boolean {
    const { columns, use, home, transientColumns } = this.problem;
    if (home[arriving] === host) return true;
    const { rows } = this;
    const row = host * this.stride;
    const freed = home[leaving] === host ? 0 : 1;
    for (let k = 0; k < transientColumns; k += 1) {
      const added = use[arriving * columns + k]! - freed * use[leaving * columns + k]!;
      if (added > 0 && rows[row + k]! + added > rows[row + columns + k]!) return false;
    }
    return true;
  }

  /** Whether the rules let `item` go to `host`, where `leaver` (-1: nobody) is leaving. Room is not looked at. */
  admits(item: number, host: number, leaver: number): boolean {
    return this.problem.fixed[item] === 0 && this.groups.admits(item, this.host[item]!, host, leaver);
  }

  /** `admits` for two moves together, `first` before `second`; `leaver` leaves the host of `second` at the same time. */
  admitsPair(first: number, firstTo: number, second: number, secondTo: number, leaver: number): boolean {
    if (!this.admits(first, firstTo, second)) return false;
    const { groups, host } = this;
    groups.move(first, host[first]!, firstTo);
    const admitted = this.admits(second, secondTo, leaver);
    groups.move(first, firstTo, host[first]!);
    return admitted;
  }

  /** Moves an item; answers by how much `cost` changed. Nothing is checked. */
  move(item: number, to: number): number {
    const from = this.host[item]!;
    const before = this.costOf(from) + this.costOf(to) + this.priceAway(item, from);
    this.shiftRows(item, from, to);
    this.residents.remove(from, item);
    this.residents.add(to, item);
    this.refresh(from);
    this.refresh(to);
    this.host[item] = to;
    const home = this.problem.home[item]!;
    if (from === home) this.listAway(item);
    else if (to === home) this.unlistAway(item);
    const after = this.costOf(from) + this.costOf(to) + this.priceAway(item, to);
    const change = after - before + this.groups.move(item, from, to);
    this.cost += change;
    return change;
  }

  private shiftRows(item: number, from: number, to: number): void {
    const { columns, transientColumns, use, home } = this.problem;
    const { rows, stride } = this;
    for (let k = 0; k < columns; k += 1) {
      const amount = use[item * columns + k]!;
      rows[from * stride + k]! -= amount;
      rows[to * stride + k]! += amount;
    }
    if (from === home[item]) {
      const limits = from * stride + columns;
      for (let k = 0; k < transientColumns; k += 1) rows[limits + k]! -= use[item * columns + k]!;
    } else if (to === home[item]) {
      const limits = to * stride + columns;
      for (let k = 0; k < transientColumns; k += 1) rows[limits + k]! += use[item * columns + k]!;
    }
  }
}

function blockedRoom({ items, columns, transientColumns, prices, use }: Problem): Float64Array {
  const room = new Float64Array(items);
  for (let item = 0; item < items; item += 1)
    for (let k = 0; k < transientColumns; k += 1) room[item]! += prices[k]! * use[item * columns + k]!;
  return room;
}
