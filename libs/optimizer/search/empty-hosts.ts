import { hostsInUseBound } from '../bounds/hosts-in-use.ts';
import { Placement } from '../kernel/placement.ts';
import type { Problem } from '../problem/problem.ts';
import type { Progress } from './anneal.ts';

/** Hosts that lose all their items, and where every item then is. */
export interface EmptyingPlan {
  emptied: number[];
  host: Int32Array;
  /** Sum of `moveCost` of the moved items. */
  price: number;
}

/** How many hosts to empty, and how long to try. */
export interface EmptyingOptions {
  /** Hosts to empty at most. Default: as many as can be. */
  most?: number;
  /** Ends the search between two attempts. Default: it ends after its last attempt. */
  progress?: Progress;
}

/**
 * Number of tried sets of this many hosts before the number is reduced. Each set excludes the hosts that the previous
 * one did not empty.
 */
const setsTried = 4;

/**
 * Empties as many hosts as possible, and among these sets the one with the least price of moves (`moveCost`). All
 * items of the hosts to be empty are packed together, largest first, into the tightest places of the others. When the
 * first set succeeds, no plan that empties as many hosts is cheaper (`emptyingBound`). Other items do not move, and
 * hosts that are already empty stay empty.
 */
export function emptyHosts(problem: Problem, options: EmptyingOptions = {}): EmptyingPlan {
  const search = new Emptying(problem);
  const progress = options.progress ?? (() => 0);
  let best: EmptyingPlan = { emptied: [], host: problem.home.slice(), price: 0 };
  let count = Math.min(options.most ?? search.candidates.length, search.mostEmptied());
  while (count > best.emptied.length && progress(search.evaluations) < 1) {
    const found = search.empty(count, progress);
    if (found.emptied.length > best.emptied.length) best = found;
    // Half of the missing room: the hosts that stay take some of it.
    count -= Math.max(1, (count - found.emptied.length) >> 1);
  }
  return best;
}

/** Attempts at emptying hosts, each from the start on. */
class Emptying {
  /** Hosts that can be emptied, cheapest first. */
  readonly candidates: number[];
  evaluations = 0;
  private readonly problem: Problem;
  private readonly placement: Placement;
  private readonly inUse: number[];
  private readonly prices: Float64Array;

  constructor(problem: Problem) {
    this.problem = problem;
    this.placement = new Placement({ ...problem, terms: null });
    const { home, fixed, moveCost, hosts, items } = problem;
    const prices = new Float64Array(hosts);
    for (let item = 0; item < items; item += 1)
      prices[home[item]!]! += fixed[item] === 1 ? Number.POSITIVE_INFINITY : moveCost[item]!;
    this.prices = prices;
    this.inUse = Array.from({ length: hosts }, (_, host) => host).filter((host) => this.residentsOf(host).length > 0);
    this.candidates = this.inUse
      .filter((host) => prices[host]! < Number.POSITIVE_INFINITY)
      .sort((a, b) => prices[a]! - prices[b]! || a - b);
  }

  private residentsOf(host: number): number[] {
    const { residents } = this.placement;
    return Array.from({ length: residents.countOf(host) }, (_, index) => residents.at(host, index));
  }

  /** No more hosts can be emptied: the others must hold all items. */
  mostEmptied(): number {
    const { columns, limit, base } = this.problem;
    const { rows, stride } = this.placement;
    const demands = Array.from({ length: columns }, (_, k) => {
      const used = this.inUse.map((host) => rows[host * stride + k]! - base[host * columns + k]!);
      // A host above its limit may stay there.
      const capacities = this.inUse.map((host, at) =>
        Math.max(used[at]!, limit[host * columns + k]! - base[host * columns + k]!),
      );
      return { demand: used.reduce((sum, amount) => sum + amount, 0), capacities };
    });
    const needed = Math.max(1, hostsInUseBound(demands));
    return Math.max(0, Math.min(this.candidates.length, this.inUse.length - needed));
  }

  /** Tries sets of `count` hosts. The best of them. */
  empty(count: number, progress: Progress): EmptyingPlan {
    const barred = new Set<number>();
    let best = this.attempt(this.candidates.slice(0, count), barred);
    for (let tries = 1; tries < setsTried && best.emptied.length < count; tries += 1) {
      const set = this.candidates.filter((host) => !barred.has(host)).slice(0, count);
      if (set.length < count || progress(this.evaluations) >= 1) break;
      const next = this.attempt(set, barred);
      if (next.emptied.length > best.emptied.length) best = next;
    }
    return best;
  }

  /** Empties the possible hosts of a set. The others are added to `barred`. */
  private attempt(set: readonly number[], barred: Set<number>): EmptyingPlan {
    const { placement, problem } = this;
    placement.restore(problem.home);
    const closed = new Set(set);
    const takers = this.inUse.filter((host) => !closed.has(host));
    const { order, scarce } = this.itemsOf(set, takers);
    for (const item of order) {
      const to = this.tightest(item, takers, scarce);
      if (to >= 0) placement.move(item, to);
    }
    const emptied: number[] = [];
    for (const host of set) {
      if (this.residentsOf(host).length === 0) emptied.push(host);
      else barred.add(host);
    }
    if (!this.returnTo(barred, order)) return { emptied: [], host: problem.home.slice(), price: 0 };
    const price = emptied.reduce((sum, host) => sum + this.prices[host]!, 0);
    return { emptied, host: placement.host.slice(), price };
  }

  /** Returns the items of hosts that were not emptied to their homes. Returns false when later items block them. */
  private returnTo(barred: ReadonlySet<number>, items: readonly number[]): boolean {
    const { placement } = this;
    for (const item of items) {
      const home = this.problem.home[item]!;
      if (!barred.has(home) || placement.host[item] === home) continue;
      if (!placement.admits(item, home, -1)) return false;
      placement.move(item, home);
    }
    return true;
  }

  /**
   * Items of a set, first those with the largest use of the column with the least room at the receivers, and that
   * column.
   */
  private itemsOf(set: readonly number[], takers: readonly number[]): { order: number[]; scarce: number } {
    const { columns, use } = this.problem;
    const items = set.flatMap((host) => this.residentsOf(host));
    const shares = Array.from({ length: columns }, (_, k) => {
      const demand = items.reduce((sum, item) => sum + use[item * columns + k]!, 0);
      return demand / takers.reduce((sum, host) => sum + Math.max(0, this.room(host, k)), Number.EPSILON);
    });
    const scarce = shares.reduce((most, share, k) => (share > (shares[most] ?? 0) ? k : most), 0);
    const size = (item: number) => shares.reduce((sum, share, k) => sum + share * use[item * columns + k]!, 0);
    const needs = (item: number) => use[item * columns + scarce]!;
    items.sort((a, b) => needs(b) - needs(a) || size(b) - size(a) || a - b);
    return { order: items, scarce };
  }

  private room(host: number, k: number): number {
    const { rows, stride } = this.placement;
    return this.placement.limitAt(host, k) - rows[host * stride + k]!;
  }

  /** The taker with room and the least left in a column; -1: none. */
  private tightest(item: number, takers: readonly number[], scarce: number): number {
    const { placement } = this;
    let best = -1;
    let least = Number.POSITIVE_INFINITY;
    this.evaluations += takers.length;
    for (const host of takers) {
      const left = this.room(host, scarce);
      if (left >= least || placement.costWith(host, item, Number.POSITIVE_INFINITY) === Number.POSITIVE_INFINITY)
        continue;
      if (!placement.admits(item, host, -1)) continue;
      best = host;
      least = left;
    }
    return best;
  }
}
