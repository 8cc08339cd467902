import { limitedColumnsOf, type Problem } from '../problem/problem.ts';
import type { Reach } from '../problem/reach.ts';
import { GroupCounts } from './group-counts.ts';
import {
  areWithinLimits,
  exchangeUse,
  fillRows,
  fitsTransient,
  holdRoom,
  priceHost,
  setDuePrices,
} from './host-rows.ts';
import { HostTermCosts } from './host-terms.ts';
import { MovedItems } from './moved-items.ts';
import { Residents } from './residents.ts';
import { SoftRoom } from './soft-room.ts';

/** A line of the cache has 64 bytes. */
const numbersPerLine = 8;

/**
 * A mutable placement: the host of every item, its cost, and the effect of a move. The caller of a move first calls
 * `costWith` and its neighbours (room and cost), then `admits` (rules), then `move`.
 *
 * `cost` includes the terms that only steer the search (`steer`). `objective` does not.
 */
export class Placement {
  readonly problem: Problem;
  readonly host: Int32Array;
  /**
   * One row per host: its sums (`columns`), the limits of the first columns (`limitedColumns`) and its cost. Most
   * checks need nothing else. Rows start at `host * stride` and fill whole lines of the processor's cache.
   */
  readonly rows: Float64Array;
  readonly stride: number;
  /** First column without a limit on any host. */
  readonly limitedColumns: number;
  /** Columns before this one count as room only. */
  readonly firstPriced: number;
  /** Place of the cost in a row. */
  readonly costAt: number;
  /**
   * By host: its cost above the least cost for any placement of the same items, its guide, and its price for overflow.
   */
  readonly excess: Float64Array;
  /** Cost of a host in addition to its sums. Only if `costsMore`. */
  readonly extras: Float64Array;
  private readonly guides: Float64Array;
  private readonly overflows: Float64Array;
  readonly residents: Residents;
  readonly groups: GroupCounts;
  /** 1: items may move to the host. See `share`. */
  open: Uint8Array;
  /** 1: the item never moves. */
  readonly stuck: Uint8Array;
  /** See `Reach`. Null: not known. */
  private readonly reachable: Uint8Array | null;
  private readonly away: MovedItems;
  cost = 0;
  /** Price of an item off its home, including the price of blocked room. */
  private readonly awayPrice: Float64Array;
  private blockedPrice = 0;
  private pull = 0;
  /** Prices of columns whose sum over all hosts is above 0, else 0. */
  readonly duePrices: Float64Array;
  readonly terms: HostTermCosts | null;
  /** Limits as prices. With them, no checked move lacks room. */
  readonly softRoom: SoftRoom;
  /** Sum of the guides of all hosts. */
  private guided = 0;
  /** Sum of the prices of all hosts above their limits, and the number of these hosts. */
  private overflow = 0;
  private overflowing = 0;
  /** Sums of a host after a change. */
  private readonly changed: Float64Array;

  constructor(problem: Problem, host: ArrayLike<number> = problem.home, reach: Reach | null = null) {
    const { hosts, items, columns } = problem;
    this.problem = problem;
    this.host = Int32Array.from(host);
    this.stuck = reach?.stuck ?? problem.fixed;
    this.reachable = reach?.hosts ?? null;
    this.limitedColumns = limitedColumnsOf(problem);
    const firstPriced = problem.prices.findIndex((price) => price > 0);
    this.firstPriced = firstPriced < 0 ? columns : firstPriced;
    this.costAt = columns + this.limitedColumns;
    this.stride = Math.ceil((this.costAt + 1) / numbersPerLine) * numbersPerLine;
    this.rows = new Float64Array(hosts * this.stride);
    this.excess = new Float64Array(hosts);
    this.extras = new Float64Array(hosts);
    this.guides = new Float64Array(hosts);
    this.overflows = new Float64Array(hosts);
    this.softRoom = new SoftRoom(problem, this);
    this.residents = new Residents(hosts, items);
    this.away = new MovedItems(problem);
    this.awayPrice = Float64Array.from(problem.moveCost);
    this.duePrices = new Float64Array(columns);
    this.terms = problem.terms === null ? null : new HostTermCosts(problem, problem.terms);
    this.changed = new Float64Array(columns);
    this.groups = new GroupCounts(problem, this.host);
    this.open = new Uint8Array(hosts).fill(1);
    this.recompute();
  }

  /** Copies another placement of all items. */
  restore(host: ArrayLike<number>): void {
    this.host.set(host);
    this.groups.reset();
    this.recompute();
  }

  /**
   * Copies another placement and lets items move only to the hosts of `open` (1), while `sharers - 1` others move items
   * within the other hosts. See `GroupCounts.confine`. With one sharer and all hosts open nothing is confined.
   */
  share(host: ArrayLike<number>, open: Uint8Array, sharers: number): void {
    this.host.set(host);
    this.open = open;
    this.groups.confine(open, sharers);
    this.recompute();
  }

  /**
   * Sets the terms that steer the search and are not part of the objective: the price of the room that an item off its
   * home blocks there, the weight of guides to places and empty hosts (0 to about 0.5), the price of hosts above their
   * limits (see `SoftRoom`), and the price of every item off its home. 0: no price, and limits are hard.
   */
  steer(blockedPrice: number, guidance: number, roomPrice = 0, pull = 0): void {
    const hasGuidance = this.terms === null || guidance === this.terms.guidance;
    const hasPrices = blockedPrice === this.blockedPrice && pull === this.pull;
    if (hasPrices && hasGuidance && roomPrice === this.softRoom.price) return;
    const { moveCost } = this.problem;
    this.blockedPrice = blockedPrice;
    this.pull = pull;
    for (let item = 0; item < moveCost.length; item += 1)
      this.awayPrice[item] = moveCost[item]! + pull + blockedPrice * this.away.blockedBy(item);
    if (this.terms !== null) this.terms.guidance = guidance;
    this.softRoom.setPrice(roomPrice);
    this.recompute();
  }

  /** Increases the price of hosts that stay above their limits, and lowers it for others. See `SoftRoom`. */
  press(): void {
    if (this.softRoom.price === 0) return;
    this.softRoom.press(this.overflows);
    this.recompute();
  }

  /** Items off their homes. The first `movedCount` are valid. */
  get movedItems(): Int32Array {
    return this.away.list;
  }

  get movedCount(): number {
    return this.away.count;
  }

  /** The objective: `cost` without the price of blocked room, the pull home, guides and overflow. */
  objective(): number {
    const blocked = this.blockedPrice === 0 ? 0 : this.blockedPrice * this.away.blockedSum;
    return this.cost - blocked - this.pull * this.away.count - this.guided - this.overflow;
  }

  /** Whether no host exceeded its limits, which is possible only while room has a price. */
  get keepsLimits(): boolean {
    return this.overflowing === 0;
  }

  /** Whether no host is above its limits. Some hosts may exceed them from the start. */
  isWithinLimits(): boolean {
    return areWithinLimits(this);
  }

  /** Recomputes all sums from `host`. */
  recompute(): void {
    const { problem } = this;
    fillRows(this, this.host);
    this.guides.fill(0);
    this.overflows.fill(0);
    this.residents.fill(this.host);
    this.away.clear();
    this.guided = 0;
    this.overflow = 0;
    this.overflowing = 0;
    this.cost = this.groups.awayCost();
    for (let item = 0; item < problem.items; item += 1) {
      if (this.host[item] === problem.home[item]) continue;
      this.away.add(item);
      this.cost += this.priceAway(item, this.host[item]!);
    }
    setDuePrices(this);
    for (let host = 0; host < problem.hosts; host += 1) {
      priceHost(this, host);
      if (this.costsMore) this.addMore(host, -1);
      this.cost += this.costOf(host);
    }
  }

  /** Cost of a host without moves. */
  costOf(host: number): number {
    return this.rows[host * this.stride + this.costAt]!;
  }

  /** Greatest possible gain at a host. */
  excessOf(host: number): number {
    return this.excess[host]!;
  }

  /** Greatest current sum of a column on any host. */
  limitAt(host: number, column: number): number {
    if (column >= this.limitedColumns) return Number.POSITIVE_INFINITY;
    return this.rows[host * this.stride + this.problem.columns + column]!;
  }

  /** Whether hosts have costs in addition to their sums. */
  get costsMore(): boolean {
    return this.terms !== null || this.softRoom.price > 0;
  }

  /** Adds the additional costs of two hosts (-1: only one). */
  private addMore(host: number, other: number): void {
    let more = this.termsOf(host, -1, -1);
    if (this.softRoom.price > 0) more += this.refreshOverflow(host);
    this.rows[host * this.stride + this.costAt]! += more;
    this.extras[host] = more;
    this.excess[host]! += more;
    if (this.terms !== null) {
      const guide = this.terms.guideAt(host, this.changed);
      this.guided += guide - this.guides[host]!;
      this.guides[host] = guide;
    }
    if (other >= 0) this.addMore(other, -1);
  }

  private refreshOverflow(host: number): number {
    const before = this.overflows[host]!;
    const after = this.softRoom.overflowOf(host);
    this.overflows[host] = after;
    this.overflow += after - before;
    this.overflowing += (after > 0 ? 1 : 0) - (before > 0 ? 1 : 0);
    return after;
  }

  /** Price of an item for being on `host`: 0 at home. */
  priceAway(item: number, host: number): number {
    const { home, classOf, classes, distance } = this.problem;
    const own = home[item]!;
    if (own === host) return 0;
    return this.awayPrice[item]! + distance[classOf[own]! * classes + classOf[host]!]!;
  }

  /** Costs of a host that are not hinges, without `leaving` and with `arriving` (-1: none). */
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

  /** Cost of `host` with `item` in addition. Infinite when it does not fit or costs more than `ceiling`. */
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
      // The home kept its room.
      for (; k < transientColumns; k += 1) {
        const x = rows[row + k]! + use[from + k]!;
        cost += prices[k]! * (x + Math.abs(x));
      }
    }
    for (; k < this.limitedColumns; k += 1) {
      const x = rows[row + k]! + use[from + k]!;
      if (x > rows[row + columns + k]!) return Number.POSITIVE_INFINITY;
      cost += prices[k]! * (x + Math.abs(x));
      if (cost > top) return Number.POSITIVE_INFINITY;
    }
    for (; k < columns; k += 1) {
      const x = rows[row + k]! + use[from + k]!;
      cost += prices[k]! * (x + Math.abs(x));
      if (cost > top) return Number.POSITIVE_INFINITY;
    }
    return cost / 2 + this.termsOf(host, -1, item);
  }

  /** Cost of `host` with `arriving` instead of `leaving`. Infinite as in `costWith`. */
  costExchanged(host: number, leaving: number, arriving: number, ceiling: number): number {
    if (this.softRoom.price > 0)
      return this.softRoom.costAfter(host, leaving, arriving, ceiling) + this.termsOf(host, leaving, arriving);
    const { columns, prices, use, transientColumns } = this.problem;
    const { rows } = this;
    if (transientColumns > 0 && !fitsTransient(this, host, leaving, arriving)) return Number.POSITIVE_INFINITY;
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
      if (x > old && k < this.limitedColumns && x > rows[row + columns + k]!) return Number.POSITIVE_INFINITY;
      cost += prices[k]! * (x + Math.abs(x));
      if (cost > top) return Number.POSITIVE_INFINITY;
    }
    return cost / 2 + this.termsOf(host, leaving, arriving);
  }

  /** Whether an item can ever have room on a host, if this is known. */
  canReach(item: number, host: number): boolean {
    return this.reachable === null || this.reachable[item * this.problem.hosts + host] === 1;
  }

  /** Whether the rules allow `item` to move to `host` while `leaver` (-1: none) leaves it. Does not check room. */
  admits(item: number, host: number, leaver: number): boolean {
    if (this.stuck[item] === 1 || this.open[host] === 0 || !this.canReach(item, host)) return false;
    return this.groups.admits(item, this.host[item]!, host, leaver);
  }

  /** Moves an item without checks. Returns the change of `cost`. */
  move(item: number, to: number): number {
    const from = this.host[item]!;
    const before = this.costOf(from) + this.costOf(to) + this.priceAway(item, from);
    exchangeUse(this, item, -1, from, to);
    const groups = this.rehouse(item, from, to);
    if (this.costsMore) this.addMore(from, to);
    const change = this.costOf(from) + this.costOf(to) + this.priceAway(item, to) - before + groups;
    this.cost += change;
    return change;
  }

  /** Exchanges the hosts of two items in one pass over both rows, without checks. Returns the change of `cost`. */
  swap(one: number, other: number): number {
    const a = this.host[one]!;
    const b = this.host[other]!;
    const before = this.costOf(a) + this.costOf(b) + this.priceAway(one, a) + this.priceAway(other, b);
    exchangeUse(this, one, other, a, b);
    const groups = this.rehouse(one, a, b) + this.rehouse(other, b, a);
    if (this.costsMore) this.addMore(a, b);
    const after = this.costOf(a) + this.costOf(b) + this.priceAway(one, b) + this.priceAway(other, a);
    const change = after - before + groups;
    this.cost += change;
    return change;
  }

  /** Records the new host of an item. Returns the change of the cost of groups. */
  private rehouse(item: number, from: number, to: number): number {
    this.residents.remove(from, item);
    this.residents.add(to, item);
    this.host[item] = to;
    const home = this.problem.home[item]!;
    if (from === home) {
      this.away.add(item);
      holdRoom(this, item, home, 1);
    } else if (to === home) {
      this.away.remove(item);
      holdRoom(this, item, home, -1);
    }
    return this.groups.move(item, from, to);
  }
}
