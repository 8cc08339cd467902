import { Departure } from '../kernel/departure.ts';
import { Exchange } from '../kernel/exchange.ts';
import type { Placement } from '../kernel/placement.ts';
import type { Random } from '../kernel/random.ts';
import type { Problem } from '../problem/problem.ts';

/** Hosts below this fraction of the mean excess are not visited separately. */
const coldPart = 0.02;
/** Number of drawn hot hosts, of which the hottest is chosen. */
const hotCandidates = 4;
/** Number of draws of a participating item on a host, which may hold few of them. */
const draws = 6;
/**
 * A search of many hosts checks a subset at a time that fits into the cache of the processor: the hosts of about this
 * number of items, with a least and greatest number of hosts.
 */
const focus = { items: 2000, least: 50, most: 256 };

/**
 * Shared state of the moves: the placement, random numbers, the temperature, and the candidates for items and hosts. A
 * move is kept when the cost increases by at most `threshold`, which is drawn before the check of the move.
 */
export class Neighbourhood {
  readonly problem: Problem;
  readonly placement: Placement;
  readonly random: Random;
  readonly exchange: Exchange;
  readonly departure: Departure;
  /** Number of computed costs, which is the number of checked moves. */
  evaluations = 0;
  temperature = 0;
  /**
   * Movable items on the checked hosts, largest first, and the number that currently participates. Without such items
   * no move is proposed.
   */
  order: Int32Array;
  eligible: number;
  private readonly movable: Int32Array;
  /** Open hosts, the currently checked hosts, and the number of open hosts checked since the last shuffle. */
  private openHosts: Int32Array;
  private hosts: Int32Array;
  private looked = 0;
  private readonly hostsInFocus: number;
  /** Position of each item in `movable`, and position of the last participating item. */
  readonly places: Int32Array;
  lastPlace = -1;
  private readonly foundPlaces: Int32Array;
  private readonly sizes: Float64Array;
  private readonly hot: Int32Array;
  private hotCount = 0;
  private readonly nearStart: Int32Array;
  private readonly near: Int32Array;
  /** Items by home, and the start of each host's items. */
  private readonly homeStart: Int32Array;
  private readonly atHome: Int32Array;

  constructor(placement: Placement, random: Random) {
    const { problem } = placement;
    this.problem = problem;
    this.placement = placement;
    this.random = random;
    this.exchange = new Exchange(placement);
    this.departure = new Departure(placement);
    const sizes = itemSizes(problem);
    this.sizes = sizes;
    this.movable = Int32Array.from(movableItems(placement)).sort((a, b) => sizes[b]! - sizes[a]!);
    this.places = new Int32Array(problem.items).fill(problem.items);
    this.movable.forEach((item, at) => {
      this.places[item] = at;
    });
    this.foundPlaces = new Int32Array(this.movable.length);
    const hostsOfFocus = Math.round((focus.items * problem.hosts) / Math.max(1, problem.items));
    this.hostsInFocus = Math.min(focus.most, Math.max(focus.least, hostsOfFocus));
    this.openHosts = new Int32Array(0);
    this.hosts = this.openHosts;
    this.order = this.movable;
    this.eligible = 0;
    this.listOpen();
    this.hot = new Int32Array(problem.hosts);
    const near = nearestHosts(problem);
    this.nearStart = near.start;
    this.near = near.hosts;
    const homes = itemsByHome(problem);
    this.homeStart = homes.start;
    this.atHome = homes.items;
  }

  /** Checks all open hosts. Call it when the sharing of the placement changes. */
  listOpen(): void {
    const { open, host } = this.placement;
    this.openHosts = Int32Array.from(open.keys()).filter((index) => open[index] === 1);
    this.looked = this.openHosts.length;
    this.focusOn(
      this.openHosts,
      this.movable.filter((item) => open[host[item]!] === 1),
    );
  }

  /** Switches to other hosts if only some of them are checked. */
  refocus(): void {
    const { openHosts, hostsInFocus } = this;
    if (openHosts.length < 2 * hostsInFocus) return;
    if (this.looked + hostsInFocus > openHosts.length) this.looked = 0;
    const begin = this.looked;
    this.looked += hostsInFocus;
    for (let at = begin; at < this.looked; at += 1) {
      const other = at + this.random.below(openHosts.length - at);
      const host = openHosts[at]!;
      openHosts[at] = openHosts[other]!;
      openHosts[other] = host;
    }
    const hosts = openHosts.slice(begin, this.looked);
    this.focusOn(hosts, this.movableOn(hosts));
  }

  /** Movable items on some hosts, largest first. */
  private movableOn(hosts: Int32Array): Int32Array {
    const { residents } = this.placement;
    const found = this.foundPlaces;
    let count = 0;
    for (let index = 0; index < hosts.length; index += 1) {
      const host = hosts[index]!;
      for (let at = residents.countOf(host) - 1; at >= 0; at -= 1) {
        const place = this.places[residents.at(host, at)]!;
        if (place >= this.movable.length) continue;
        found[count] = place;
        count += 1;
      }
    }
    const order = found.slice(0, count).sort();
    for (let at = 0; at < count; at += 1) order[at] = this.movable[order[at]!]!;
    return order;
  }

  private focusOn(hosts: Int32Array, order: Int32Array): void {
    this.hosts = hosts;
    this.order = order;
    this.hotCount = 0;
    this.admit(order.length);
  }

  private admit(eligible: number): void {
    this.eligible = eligible;
    this.lastPlace = eligible === 0 ? -1 : this.places[this.order[eligible - 1]!]!;
  }

  /** Draws the allowed increase of the cost for the next move. */
  threshold(): number {
    return this.temperature * this.random.exponential();
  }

  /**
   * Lets items of at least `size` participate, and at least one item. If hosts have costs in addition to their sums,
   * all items participate, because such costs have no sizes.
   */
  admitFrom(size: number): void {
    if (this.problem.terms !== null) return;
    let low = 1;
    let high = this.order.length;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.sizes[this.order[middle - 1]!]! >= size) low = middle;
      else high = middle - 1;
    }
    this.admit(Math.min(low, this.order.length));
  }

  /** Updates the list of hosts with a possible gain. */
  listHot(): void {
    const { hosts, placement, hot } = this;
    let sum = 0;
    for (let at = 0; at < hosts.length; at += 1) sum += placement.excessOf(hosts[at]!);
    const limit = (sum / hosts.length) * coldPart;
    this.hotCount = 0;
    for (let at = 0; at < hosts.length; at += 1) {
      const host = hosts[at]!;
      if (placement.excessOf(host) <= limit) continue;
      hot[this.hotCount] = host;
      this.hotCount += 1;
    }
  }

  anyItem(): number {
    return this.order[this.random.below(this.eligible)]!;
  }

  anyHost(): number {
    return this.hosts[this.random.below(this.hosts.length)]!;
  }

  /** A host with a possible gain, or any host without one. */
  hotHost(): number {
    return this.hotCount === 0 ? this.anyHost() : this.hot[this.random.below(this.hotCount)]!;
  }

  /** One of the hosts with the greatest possible gain. */
  hottestHost(): number {
    let hottest = this.hotHost();
    for (let left = hotCandidates - 1; left > 0; left -= 1) {
      const host = this.hotHost();
      if (this.placement.excessOf(host) > this.placement.excessOf(hottest)) hottest = host;
    }
    return hottest;
  }

  /** An item off its home `host` that can return and may block room at home. -1: none was found. */
  leaverOf(host: number): number {
    const { open, host: hosts } = this.placement;
    const start = this.homeStart[host]!;
    const count = this.homeStart[host + 1]! - start;
    for (let tries = Math.min(count, 2 * draws); tries > 0; tries -= 1) {
      const item = this.atHome[start + this.random.below(count)]!;
      const present = hosts[item]!;
      if (present !== host && open[present] === 1 && this.takesPart(item)) return item;
    }
    return -1;
  }

  /** A host with the cheapest move from the item's home. */
  nearHost(item: number): number {
    const cls = this.problem.classOf[this.problem.home[item]!]!;
    const start = this.nearStart[cls]!;
    return this.near[start + this.random.below(this.nearStart[cls + 1]! - start)]!;
  }

  /** Whether an item is large enough to participate now. */
  takesPart(item: number): boolean {
    return this.places[item]! <= this.lastPlace;
  }

  /** A participating item on `host`. -1: none was found. */
  residentOf(host: number): number {
    const { residents } = this.placement;
    const count = residents.countOf(host);
    for (let tries = Math.min(count, draws); tries > 0; tries -= 1) {
      const item = residents.at(host, this.random.below(count));
      if (this.takesPart(item)) return item;
    }
    return -1;
  }

  /** An item off its home that can return. -1: none was found. */
  movedItem(): number {
    const { movedCount, open, host } = this.placement;
    const { home } = this.problem;
    if (movedCount === 0) return -1;
    for (let tries = draws; tries > 0; tries -= 1) {
      const item = this.hasMoved();
      if (host[item] !== home[item] && open[host[item]!] === 1 && open[home[item]!] === 1) return item;
    }
    return -1;
  }

  /** Any item off its home. If only some hosts are checked, any of their items. */
  private hasMoved(): number {
    const { movedCount, movedItems } = this.placement;
    const isFocused = this.hosts.length < this.openHosts.length && this.order.length > 0;
    return isFocused ? this.order[this.random.below(this.order.length)]! : movedItems[this.random.below(movedCount)]!;
  }
}

/** Size of each item in units of cost. */
function itemSizes({ items, columns, prices, use }: Problem): Float64Array {
  const sizes = new Float64Array(items);
  for (let item = 0; item < items; item += 1)
    for (let k = 0; k < columns; k += 1) sizes[item]! += prices[k]! * Math.max(0, use[item * columns + k]!);
  return sizes;
}

function movableItems({ problem, stuck }: Placement): number[] {
  const movable: number[] = [];
  for (let item = 0; item < problem.items; item += 1) if (stuck[item] === 0) movable.push(item);
  return movable;
}

function itemsByHome({ hosts, items, home }: Problem): { start: Int32Array; items: Int32Array } {
  const start = new Int32Array(hosts + 1);
  for (const host of home) start[host + 1]! += 1;
  for (let host = 0; host < hosts; host += 1) start[host + 1]! += start[host]!;
  const next = start.slice();
  const list = new Int32Array(items);
  home.forEach((host, item) => {
    list[next[host]!] = item;
    next[host]! += 1;
  });
  return { start, items: list };
}

/** Hosts at the least distance from each class, as concatenated lists. */
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
