import type { WhatIf } from '#libs/cluster-model';
import type { RandomSource } from '#libs/domain';
import { Placement, type Problem } from '#libs/optimizer';
import { Descent, type PlacementGuard, type Searcher, type StrategyWork } from '#libs/plugin-kit';
import type { PatternMove } from './place-patterns.ts';
import { levelInView, type PlacementTask, pointsAt, pricedProblem, repairs, valueAt } from './placement-task.ts';

/** A smaller gain is a rounding error. */
const least = 1e-7;
/** Units of work to compare a host with an item, and for a step of the patterns. */
const unitsOf = { host: 0.3, step: 0.15 };
/** Random fraction in the value of a leaving item, when used. */
const largestNoise = 1.5;

/** Instances that leave a host together. Without one of them nothing is gained. */
interface Departure {
  from: number;
  items: number[];
}

/**
 * Frees places when no single move gains anything. The fewest instances that free one more place leave a host
 * together. Each goes to the tightest host that loses no place by it and does not get worse otherwise. Repair and
 * risks come first, by steepest descent.
 */
export class PlacesSearch implements Searcher {
  readonly isSingle = false;
  /** Repair and risk, without a price. Migrations for places may stay. */
  private readonly guards: Descent;
  /** The places, and the price of migrations. */
  private readonly places: Placement;
  private readonly task: PlacementTask;
  /** Whether another aim may be traded for places. Then its reduction decides, and not the remaining room. */
  private readonly trades: boolean;
  private readonly work: StrategyWork;
  private readonly random: RandomSource;

  constructor(
    model: WhatIf,
    task: PlacementTask,
    { work, random, guard }: { work: StrategyWork; random: RandomSource; guard: PlacementGuard },
  ) {
    this.task = task;
    this.trades = task.terms.some(({ pointsLike }) => pointsLike !== undefined);
    this.work = work;
    this.random = random;
    const { problem, terms } = task;
    const guardTerms = terms.filter(({ places }) => places === undefined);
    const free = { ...problem, moveCost: new Float64Array(problem.items) };
    const guarded = {
      problem: pricedProblem({ problem: free, terms: guardTerms }),
      instanceOf: task.instanceOf,
      repairs: (placement: Placement, item: number, to: number) => repairs(task, placement, item, to),
    };
    this.guards = new Descent(model, guarded, { work, guard });
    this.places = new Placement(pricedProblem({ problem, terms: terms.filter(({ places }) => places !== undefined) }));
  }

  get placement(): Placement {
    return this.guards.placement;
  }

  get value(): number {
    return this.guards.value + this.places.objective();
  }

  get points(): number {
    return pointsAt(levelInView(this.task), this.task, (term) => valueAt(term, this.placement.host));
  }

  /** Random departures use other instances than the fewest. */
  run(mostMoves: number, chance: boolean): boolean {
    const goesOn = this.guards.run(mostMoves);
    this.follow();
    if (!goesOn) return false;
    const random = chance ? this.random : null;
    const most = mostMoves > 0 ? mostMoves : Number.POSITIVE_INFINITY;
    const open = this.departures(random);
    for (let next = cheapest(open); next !== null; next = cheapest(open)) {
      const touched = this.leave(next, most);
      open.delete(next.from);
      for (const host of touched) this.offer(open, host, random);
      if (!this.work.spend(unitsOf.host * this.task.problem.hosts * next.items.length)) return false;
    }
    this.takeHome();
    return true;
  }

  /** Reverts moves with a gain below their price. */
  private takeHome(): void {
    const { movedItems, movedCount } = this.guards.placement;
    for (const item of movedItems.slice(0, movedCount)) {
      const before = this.value;
      const from = this.placement.host[item]!;
      const home = this.task.problem.home[item]!;
      if (!this.guards.admits(item, home)) continue;
      this.move(item, home);
      if (this.value > before - least || !this.guards.isKept()) this.move(item, from);
    }
  }

  /** Moves of the patterns with the most places for a flavor, as far as rules and room allow them. */
  jump(mostMoves: number, mayUse: number): boolean {
    const { terms, problem } = this.task;
    const most = mostMoves > 0 ? mostMoves : problem.items;
    const known = terms.flatMap(({ patterns }) => patterns ?? []);
    for (const patterns of known) {
      let seen = 0;
      const progress = (steps: number) => {
        const goesOn = this.work.spend((steps - seen) * unitsOf.step);
        seen = steps;
        return goesOn ? (steps * unitsOf.step * known.length) / mayUse : 1;
      };
      let open = patterns.propose(most, Math.floor(this.random() * 2 ** 31), progress);
      // One move may free room for another.
      for (let left = -1; left !== open.length; ) {
        left = open.length;
        open = open.filter((move) => !this.adopt(move, most));
      }
    }
    return known.length > 0;
  }

  /** Makes a move with the first item that may. */
  private adopt({ items, to }: PatternMove, mostMoves: number): boolean {
    const { placement } = this.guards;
    if (placement.movedCount >= mostMoves) return false;
    const { home } = placement.problem;
    const item = items.find((one) => placement.host[one] === home[one] && this.guards.admits(one, to));
    if (item !== undefined) this.move(item, to);
    return item !== undefined;
  }

  isKept(): boolean {
    return this.guards.isKept();
  }

  admits(item: number, to: number): boolean {
    return this.guards.admits(item, to);
  }

  move(item: number, to: number): void {
    this.guards.move(item, to);
    this.places.move(item, to);
  }

  /** Adopts the moves of the guards. */
  private follow(): void {
    this.guards.placement.host.forEach((to, item) => {
      if (this.places.host[item] !== to) this.places.move(item, to);
    });
  }

  private departures(random: RandomSource | null): Map<number, Departure> {
    const open = new Map<number, Departure>();
    for (let host = 0; host < this.task.problem.hosts; host += 1) this.offer(open, host, random);
    return open;
  }

  private offer(open: Map<number, Departure>, host: number, random: RandomSource | null): void {
    const { problem } = this.places;
    let best: number[] | null = null;
    for (let flavor = 0; flavor < problem.terms!.slotPrices.length; flavor += 1) {
      const items = this.fewest(host, flavor, random);
      if (items !== null && (best === null || items.length < best.length)) best = items;
    }
    if (best === null) open.delete(host);
    else open.set(host, { from: host, items: best });
  }

  /** Missing room for one more place of a flavor, by column. Null when the host cannot gain one. */
  private lack(host: number, flavor: number): number[] | null {
    const { problem, rows, stride } = this.places;
    const { columns, base, limit, terms } = problem;
    const needs = terms!.slotNeeds.subarray(flavor * columns, (flavor + 1) * columns);
    const within = (room: (k: number) => number) => {
      let places = Number.POSITIVE_INFINITY;
      needs.forEach((need, k) => {
        if (need > 0) places = Math.min(places, Math.floor(room(k) / need));
      });
      return Math.max(0, places);
    };
    const top = (k: number) => limit[host * columns + k]!;
    const now = within((k) => top(k) - rows[host * stride + k]!);
    if (now >= within((k) => top(k) - base[host * columns + k]!)) return null;
    return Array.from(needs, (need, k) => (need > 0 ? (now + 1) * need - (top(k) - rows[host * stride + k]!) : 0));
  }

  /** The fewest items whose departure frees one more place of a flavor. Null without any. */
  private fewest(host: number, flavor: number, random: RandomSource | null): number[] | null {
    const { residents, problem } = this.places;
    const lack = this.lack(host, flavor);
    if (lack === null) return null;
    const share = new Map<number, number>();
    for (let index = 0; index < residents.countOf(host); index += 1) {
      const item = residents.at(host, index);
      const worth = helpOf(problem, item, lack) * (random === null ? 1 : 1 + largestNoise * random());
      if (problem.fixed[item] === 0 && worth > 0) share.set(item, worth);
    }
    const falling = [...share.keys()].sort((a, b) => share.get(b)! - share.get(a)! || a - b);
    const chosen: number[] = [];
    const left = lack.slice();
    for (const item of falling) {
      if (isMet(left)) break;
      chosen.push(item);
      take(problem, item, left, 1);
    }
    return isMet(left) ? slimmed(problem, chosen, falling, left) : null;
  }

  /** Applies a departure if every item finds a place and the total gains. Returns the changed hosts. */
  private leave({ from, items }: Departure, mostMoves: number): Set<number> {
    const before = this.value;
    const moved: number[] = [];
    const touched = new Set([from]);
    for (const item of items) {
      const to = this.tightest(item, from);
      if (to < 0) break;
      moved.push(item);
      touched.add(to);
      this.move(item, to);
    }
    const isDone = moved.length === items.length && this.guards.placement.movedCount <= mostMoves;
    if (isDone && this.value < before - least && this.guards.isKept()) return touched;
    for (const item of moved.reverse()) this.move(item, from);
    return new Set();
  }

  /**
   * The host that accepts an item without getting worse, with the least remaining room besides its places. -1: none.
   * When places are traded for another aim, the host where that aim suffers least.
   */
  private tightest(item: number, from: number): number {
    const { guards, places, task } = this;
    const { placement } = guards;
    let best = -1;
    let narrowest = Number.POSITIVE_INFINITY;
    for (let to = 0; to < task.problem.hosts; to += 1) {
      if (to === from || places.costWith(to, item, Number.POSITIVE_INFINITY) > places.costOf(to) + least) continue;
      const worse = placement.costWith(to, item, Number.POSITIVE_INFINITY) - placement.costOf(to);
      if (!this.trades && worse > least) continue;
      const rank = this.trades ? worse : this.spareAt(to, item);
      if (rank >= narrowest || !guards.admits(item, to)) continue;
      best = to;
      narrowest = rank;
    }
    return best;
  }

  /** Room of a host besides its places, in places, after receiving an item. */
  private spareAt(host: number, item: number): number {
    const { problem, rows, stride } = this.places;
    const { columns, limit, use, terms } = problem;
    let spare = 0;
    terms!.slotNeeds.forEach((need, at) => {
      if (need <= 0) return;
      const k = at % columns;
      const places = (limit[host * columns + k]! - rows[host * stride + k]! - use[item * columns + k]!) / need;
      spare += places - Math.max(0, Math.floor(places));
    });
    return spare;
  }
}

/** The open departure with the fewest items. Null without any. */
function cheapest(open: ReadonlyMap<number, Departure>): Departure | null {
  let best: Departure | null = null;
  for (const departure of open.values()) {
    if (best === null || departure.items.length < best.items.length) best = departure;
  }
  return best;
}

/** The fraction of the shortage that an item covers. */
function helpOf({ columns, use }: Problem, item: number, lack: readonly number[]): number {
  let help = 0;
  lack.forEach((amount, k) => {
    if (amount > 0) help += Math.min(1, use[item * columns + k]! / amount);
  });
  return help;
}

function take({ columns, use }: Problem, item: number, left: number[], sign: 1 | -1): void {
  for (let k = 0; k < left.length; k += 1) left[k]! -= sign * use[item * columns + k]!;
}

const isMet = (left: readonly number[]) => left.every((amount) => amount <= 0);

/**
 * The same number of items, each as small as possible, because small items find places more easily. `left`: the
 * shortage after the chosen ones. It is changed.
 */
function slimmed(problem: Problem, chosen: readonly number[], falling: readonly number[], left: number[]): number[] {
  const taken = new Set(chosen);
  return chosen.map((item) => {
    take(problem, item, left, -1);
    const smallest = falling.findLast((other) => {
      if (taken.has(other) && other !== item) return false;
      take(problem, other, left, 1);
      const does = isMet(left);
      take(problem, other, left, -1);
      return does;
    });
    const own = smallest ?? item;
    take(problem, own, left, 1);
    taken.delete(item);
    taken.add(own);
    return own;
  });
}
