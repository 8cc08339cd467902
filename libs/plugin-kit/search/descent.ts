import type { WhatIf } from '#libs/cluster-model';
import { Placement, type Problem } from '#libs/optimizer';
import type { StrategyWork } from '../work.ts';
import { Greatest } from './greatest.ts';
import { MarginalCosts } from './marginal-costs.ts';
import type { Searcher } from './search-placements.ts';

/** Task of a descent: a problem whose items are instances. */
export interface DescentTask {
  problem: Problem;
  /** Row of the instance of each item. */
  instanceOf: Int32Array;
  /** Points of a placement for display. Less is better. Default: its cost. */
  pointsOf?(placement: Placement): number;
  /** Whether a move repairs something: the guard does not prevent it. Default: one off a disabled host. */
  repairs?(placement: Placement, item: number, to: number): boolean;
}

/** Checks conditions beyond a single move, such as the room that is needed when hosts fail. */
export interface PlacementGuard {
  /**
   * Receives the hosts that have changed in the model. Returns false when room is lacking now. `repairs`: the change
   * repairs something, and counts as given from now on.
   */
  keeps(changed: Iterable<number>, repairs?: boolean): boolean;
}

/** A gain below this is rounding. */
const least = 1e-7;
/** Units of work, three of which stand for a microsecond at most. */
const unitsOf = {
  /** A host that an item is held against. */
  host: 0.1,
  /** An item to check for an effect of a move. */
  item: 0.01,
  /** A question about the rules. */
  rules: 1,
  /** A host to check after a move. */
  guarded: 2,
};

/**
 * Exact steepest descent: always the migration with the greatest gain of all instances over all hosts that the model
 * admits. Gains are checked lazily. A host that was filled only becomes more expensive, so the known gains of moves to
 * it stay upper limits until one becomes the greatest.
 */
export class Descent implements Searcher {
  readonly placement: Placement;
  readonly isSingle = true;
  private readonly model: WhatIf;
  private readonly task: DescentTask;
  private readonly work: StrategyWork;
  /** Instances that may be off their home. */
  private mostMoves = Number.POSITIVE_INFINITY;
  /** Greatest gain of each item, at least. `target` −1: not checked yet. */
  private readonly gain: Greatest;
  private readonly target: Int32Array;
  private readonly isExact: Uint8Array;
  /** Null when hosts have costs besides hinges. */
  private readonly marginal: MarginalCosts | null;
  /** Whether another step has moved items, so that no gain is known. */
  private isStale = true;

  private readonly guard: PlacementGuard | null;
  /** Hosts with changes that the guard has not received. */
  private readonly changed = new Set<number>();
  /** Moves that the guard does not let through, as item and host. */
  private readonly barred = new Set<number>();

  constructor(
    model: WhatIf,
    task: DescentTask,
    { work, guard = null }: { work: StrategyWork; guard?: PlacementGuard | null },
  ) {
    this.guard = guard;
    this.model = model;
    this.task = task;
    this.work = work;
    this.placement = new Placement(task.problem);
    const { items, terms } = task.problem;
    this.marginal = terms === null ? new MarginalCosts(this.placement) : null;
    this.gain = new Greatest(items);
    this.target = new Int32Array(items);
    this.isExact = new Uint8Array(items);
  }

  get value(): number {
    return this.placement.objective();
  }

  get points(): number {
    return this.task.pointsOf?.(this.placement) ?? this.value;
  }

  /** Goes down by single moves. Nothing is left to chance. */
  run(mostMoves: number): boolean {
    this.mostMoves = mostMoves > 0 ? mostMoves : Number.POSITIVE_INFINITY;
    let isFresh = this.isStale;
    if (isFresh) this.forget();
    // A move may let others of its group go elsewhere: only a whole round without success is the end.
    for (;;) {
      const made = this.round();
      if (made < 0) return false;
      if (made === 0 && isFresh) return true;
      this.hopeAgain();
      isFresh = true;
    }
  }

  /** Forgets all that is known of gains. */
  private forget(): void {
    this.isStale = false;
    this.barred.clear();
    for (let item = 0; item < this.task.problem.items; item += 1) this.hope(item);
  }

  /**
   * All movable items have another chance. Where the budget is used up these are few, and the knowledge about the
   * others is kept for a larger budget.
   */
  private hopeAgain(): void {
    const { movedCount, movedItems } = this.placement;
    if (movedCount < this.mostMoves) for (let item = 0; item < this.task.problem.items; item += 1) this.hope(item);
    else for (const item of movedItems.slice(0, movedCount)) this.hope(item);
  }

  /** Moves until no item has a gain left. Returns how many were moved, −1 when the work is done. */
  private round(): number {
    let made = 0;
    for (let item = this.best(); item >= 0; item = this.best()) {
      if (this.isExact[item] === 1) {
        this.make(item);
        made += 1;
      } else {
        this.checkItem(item);
      }
      if (!this.work.spend(1)) return -1;
    }
    return made;
  }

  /** Moves an item in the model and in the problem alike. */
  move(item: number, to: number): void {
    this.isStale = true;
    this.shift(item, to);
  }

  private shift(item: number, to: number): void {
    const from = this.placement.host[item]!;
    this.changed.add(from).add(to);
    this.model.move(this.task.instanceOf[item]!, to);
    this.placement.move(item, to);
    this.marginal?.refresh(from);
    this.marginal?.refresh(to);
  }

  /** Whether the model lets an instance go to a host, and no soft group or rule gets worse by it. */
  admits(item: number, to: number): boolean {
    const instance = this.task.instanceOf[item]!;
    this.work.spend(unitsOf.rules);
    if (this.model.refusal(instance, to) !== null || this.barred.has(this.keyOf(item, to))) return false;
    return this.model.softCost(instance, to) <= this.model.softCost(instance, this.placement.host[item]!);
  }

  private keyOf(item: number, to: number): number {
    return item * this.task.problem.hosts + to;
  }

  /** Verdict of the guard. */
  isKept(repairs = false): boolean {
    const changed = [...this.changed];
    this.changed.clear();
    if (this.guard === null) return true;
    this.work.spend(unitsOf.guarded * this.task.problem.hosts);
    return this.guard.keeps(changed, repairs);
  }

  /** Moves an item unless the guard is against it. */
  private moveKeeping(item: number, to: number): boolean {
    const from = this.placement.host[item]!;
    const repairs = this.model.enabled[from] === 0 || this.task.repairs?.(this.placement, item, to) === true;
    this.shift(item, to);
    if (this.isKept(repairs)) return true;
    this.shift(item, from);
    this.barred.add(this.keyOf(item, to));
    return false;
  }

  /** Fall of the cost when the item leaves its host. */
  private relief(item: number): number {
    const { placement } = this;
    const from = placement.host[item]!;
    return placement.costOf(from) - placement.costWithout(from, item) + placement.priceAway(item, from);
  }

  /** The greatest possible gain of the item: the relief of its home less its least price on any host. */
  private hope(item: number): void {
    const { home, fixed, moveCost } = this.task.problem;
    const price = this.placement.host[item] === home[item] ? moveCost[item]! : 0;
    this.target[item] = -1;
    this.isExact[item] = 0;
    this.gain.set(item, fixed[item] === 1 ? 0 : this.relief(item) - price);
  }

  private hopeOn(host: number): void {
    const { residents } = this.placement;
    for (let index = residents.countOf(host) - 1; index >= 0; index -= 1) this.hope(residents.at(host, index));
  }

  private best(): number {
    const { placement, gain } = this;
    if (placement.movedCount < this.mostMoves) return gain.row(least);
    let best = -1;
    let most = least;
    for (let index = 0; index < placement.movedCount; index += 1) {
      const item = placement.movedItems[index]!;
      if (gain.of(item) < most || (gain.of(item) === most && item >= best)) continue;
      most = gain.of(item);
      best = item;
    }
    return best;
  }

  /** Checks all hosts for the best target of an item. */
  private checkItem(item: number): void {
    const { placement, task, marginal } = this;
    const relief = this.relief(item);
    let most = 0;
    let target = -1;
    for (let to = 0; to < task.problem.hosts; to += 1) {
      if (marginal?.gainsAtMost(most, item, to, relief) === true) continue;
      const gain = this.gainAt(item, to, relief, most);
      if (gain <= most || to === placement.host[item] || !this.admits(item, to)) continue;
      most = gain;
      target = to;
    }
    this.gain.set(item, most);
    this.target[item] = target;
    this.isExact[item] = 1;
    this.work.spend(unitsOf.host * task.problem.hosts);
  }

  /** Gain of a move. Below `most` any number that is not above it. */
  private gainAt(item: number, to: number, relief: number, most: number): number {
    const { placement } = this;
    const fixedPart = relief - placement.priceAway(item, to) + placement.costOf(to);
    return fixedPart - placement.costWith(to, item, fixedPart - most);
  }

  private make(item: number): void {
    const from = this.placement.host[item]!;
    const to = this.target[item]!;
    if (!this.admits(item, to) || !this.moveKeeping(item, to)) {
      this.hope(item);
      return;
    }
    const { items } = this.task.problem;
    for (let other = 0; other < items; other += 1) if (this.target[other] === to) this.isExact[other] = 0;
    this.hopeOn(from);
    this.hopeOn(to);
    this.offer(from);
    this.work.spend(unitsOf.item * items);
  }

  /** A host has become cheaper, so checked items may fit there. */
  private offer(to: number): void {
    const { marginal } = this;
    const { host } = this.placement;
    const { fixed, items } = this.task.problem;
    for (let item = 0; item < items; item += 1) {
      if (fixed[item] === 1 || host[item] === to || (this.isExact[item] === 0 && this.target[item] === -1)) continue;
      const known = this.gain.of(item);
      if (marginal?.gainsAtMost(known, item, to, marginal.mostRelief(item)) === true) continue;
      const gain = this.gainAt(item, to, this.relief(item), known);
      if (gain <= known + least || !this.admits(item, to)) continue;
      this.gain.set(item, gain);
      this.target[item] = to;
      this.isExact[item] = 1;
    }
  }
}
