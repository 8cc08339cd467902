import type { ConstraintName, WhatIf } from '#libs/cluster-model';
import { Placement } from '#libs/optimizer';
import type { PlacementGuard } from '#libs/plugin-kit';
import { createReserveGuard } from '../shared/reserve/reserve-guard.ts';
import { type PlacementTask, pricedProblem, repairs } from './placement-task.ts';
import type { ReliefWorth } from './relief-worth.ts';

/** A move of a plan, with its place in the order. */
export interface OrderedMove {
  item: number;
  instance: number;
  from: number;
  to: number;
  /**
   * Reduction of the cost at this place, including the price of the migration. For moves that only gain together, its
   * part by duration.
   */
  gain: number;
  /** Adjacent moves that only gain together with this one, including itself: the first of them, and their number. */
  together: { first: number; count: number };
  /** Instances that have room only after it. */
  makesRoomFor: number[];
  /** Better hosts that were refused, with their obstacles: the first of each kind. */
  refused: { host: number; because: ConstraintName; others: number }[];
}

interface Open {
  item: number;
  to: number;
  seconds: number;
  effort: number;
}

/** A smaller gain is a rounding error. */
const least = 1e-7;

/**
 * Orders moves so that each is possible at its turn, and checks every move with the model again. The possible move
 * with the largest gain per second of migration is first, so every prefix of the plan improves. When no single move
 * gains, the moves off one host are taken together. Omits moves that are never possible, a tail without gain, moves
 * off hot hosts that cost more than they avoid, and moves beyond `mostSeconds` in total. Leaves the model at the end
 * of the plan.
 */
export function orderMoves(
  model: WhatIf,
  task: PlacementTask,
  host: Int32Array,
  { effortOf, secondsOf, mostSeconds, reserve, worth }: OrderLimits,
): { moves: OrderedMove[]; dropped: number } {
  const run = new OrderRun(model, task, reserve);
  host.forEach((to, item) => {
    if (to !== task.problem.home[item]) {
      const instance = task.instanceOf[item]!;
      run.open.push({ item, to, seconds: secondsOf(instance), effort: effortOf(instance) });
    }
  });
  const wanted = run.open.length;
  let secondsLeft = mostSeconds;
  for (;;) {
    run.open = run.open.filter(({ seconds }) => seconds <= secondsLeft);
    const next = run.next(secondsLeft);
    if (next === null) break;
    if (worth !== undefined && !run.pays(next, worth)) continue;
    secondsLeft -= secondsIn(next.moves);
    run.make(next);
  }
  const kept = bestPrefix(run.made, run.keepsReserve);
  for (const { instance, from } of run.made.slice(kept).reverse()) model.move(instance, from);
  return { moves: run.made.slice(0, kept), dropped: wanted - kept };
}

/** Limits of an order. */
export interface OrderLimits {
  /** Effort of a migration. The order compares gains per effort. */
  effortOf(instance: number): number;
  secondsOf(instance: number): number;
  mostSeconds: number;
  /** Hosts of each failure domain that may fail simultaneously after the plan. */
  reserve: number;
  /** Benefit of moves off hot hosts, updated with the order. Default: all moves are made. */
  worth?: ReliefWorth;
}

/** The next moves, and their gains. */
interface Next {
  moves: readonly Open[];
  gain: number;
}

const secondsIn = (moves: readonly Open[]) => moves.reduce((sum, { seconds }) => sum + seconds, 0);
const effortIn = (moves: readonly Open[]) => moves.reduce((sum, { effort }) => sum + effort, 0);

/** An order under construction. */
class OrderRun {
  open: Open[] = [];
  readonly made: OrderedMove[] = [];
  private readonly model: WhatIf;
  private readonly task: PlacementTask;
  private readonly placement: Placement;
  /** Moves that were refused at their first check. */
  private readonly waiting = new Set<number>();
  private readonly hasPlaces: boolean;
  private readonly reserve: PlacementGuard;
  /** Whether every failure domain has its reserve after each move. */
  readonly keepsReserve: boolean[] = [];

  constructor(model: WhatIf, task: PlacementTask, reserve: number) {
    this.reserve = createReserveGuard(model, reserve);
    this.model = model;
    this.task = task;
    this.placement = new Placement(pricedProblem(task));
    this.hasPlaces = task.terms.some(({ places }) => places !== undefined);
  }

  next(secondsLeft: number): Next | null {
    const single = this.bestOne();
    if (single !== null && (single.gain > least || !this.hasPlaces)) return single;
    return this.bestTogether(secondsLeft) ?? single;
  }

  /** Whether a move is worth its price, or repairs a broken rule. Other moves are omitted from the order. */
  pays({ moves }: Next, worth: ReliefWorth): boolean {
    const { model, task, placement } = this;
    const isKept = ({ item, to }: Open) => {
      const [instance, from] = [task.instanceOf[item]!, placement.host[item]!];
      return worth.pays(instance, from, to) || model.enabled[from] === 0 || repairs(task, placement, item, to);
    };
    const dear = moves.filter((move) => !isKept(move));
    this.open = this.open.filter((move) => !dear.includes(move));
    if (dear.length > 0) return false;
    for (const { item, to } of moves) worth.moved(task.instanceOf[item]!, placement.host[item]!, to);
    return true;
  }

  make({ moves, gain }: Next): void {
    const effort = effortIn(moves);
    const together = { first: this.made.length, count: moves.length };
    for (const move of moves) this.makeOne(move, moves.length === 1 ? gain : (gain * move.effort) / effort, together);
  }

  private makeOne({ item, to }: Open, gain: number, together: OrderedMove['together']): void {
    const { model, task, placement, waiting } = this;
    const instance = task.instanceOf[item]!;
    const from = placement.host[item]!;
    const refused = refusedHosts(model, task, placement, item, gainOf(placement, item, to));
    for (const one of this.open) if (!this.isPossible(one)) waiting.add(one.item);
    const isRepair = model.enabled[from] === 0 || repairs(task, placement, item, to);
    this.shift(item, to);
    this.keepsReserve.push(this.reserve.keeps([from, to], isRepair));
    this.open = this.open.filter((one) => one.item !== item);
    const makesRoomFor: number[] = [];
    for (const one of this.open) {
      if (!waiting.has(one.item) || one.to !== from || !this.isPossible(one)) continue;
      waiting.delete(one.item);
      makesRoomFor.push(task.instanceOf[one.item]!);
    }
    this.made.push({ item, instance, from, to, gain, together, makesRoomFor, refused });
  }

  private isPossible({ item, to }: Open): boolean {
    return this.model.refusal(this.task.instanceOf[item]!, to) === null;
  }

  private shift(item: number, to: number): void {
    this.model.move(this.task.instanceOf[item]!, to);
    this.placement.move(item, to);
  }

  /**
   * The possible move with the largest gain per second. Among several without a gain, which only free room, the least
   * harmful.
   */
  private bestOne(): Next | null {
    let best: Next | null = null;
    let most = Number.NEGATIVE_INFINITY;
    for (const move of this.open) {
      const gain = gainOf(this.placement, move.item, move.to);
      const rate = gain / move.effort;
      if (rate <= most || !this.isPossible(move)) continue;
      best = { moves: [move], gain };
      most = rate;
    }
    return best;
  }

  /** The moves off one host with the largest gain per second together. Null when none gain anything. */
  private bestTogether(secondsLeft: number): Next | null {
    const byHost = new Map<number, Open[]>();
    for (const move of this.open) {
      const from = this.placement.host[move.item]!;
      byHost.set(from, [...(byHost.get(from) ?? []), move]);
    }
    let best: Next | null = null;
    for (const moves of byHost.values()) {
      const next = this.tryTogether(moves, secondsLeft);
      if (next === null || (best !== null && next.gain / effortIn(next.moves) <= best.gain / effortIn(best.moves)))
        continue;
      best = next;
    }
    return best;
  }

  /** The first of the moves that gain together. Reverts them again. */
  private tryTogether(moves: readonly Open[], secondsLeft: number): Next | null {
    const made: { move: Open; from: number }[] = [];
    let gain = 0;
    let seconds = 0;
    for (const move of moves) {
      if (gain > least || seconds + move.seconds > secondsLeft) break;
      if (!this.isPossible(move)) continue;
      gain += gainOf(this.placement, move.item, move.to);
      seconds += move.seconds;
      made.push({ move, from: this.placement.host[move.item]! });
      this.shift(move.item, move.to);
    }
    for (const { move, from } of [...made].reverse()) this.shift(move.item, from);
    return gain > least ? { moves: made.map(({ move }) => move), gain } : null;
  }
}

function gainOf(placement: Placement, item: number, to: number): number {
  const from = placement.host[item]!;
  const relief = placement.costOf(from) - placement.costWithout(from, item) + placement.priceAway(item, from);
  return (
    relief -
    placement.priceAway(item, to) +
    placement.costOf(to) -
    placement.costWith(to, item, Number.POSITIVE_INFINITY)
  );
}

/** Length of the prefix with the largest improvement after which every failure domain has its reserve. */
function bestPrefix(moves: readonly OrderedMove[], keepsReserve: readonly boolean[]): number {
  let sum = 0;
  let most = least;
  let length = 0;
  for (const [index, { gain }] of moves.entries()) {
    sum += gain;
    if (sum <= most || !keepsReserve[index]!) continue;
    most = sum;
    length = index + 1;
  }
  return length;
}

/** Hosts where the item would gain more than `gain`, and why it cannot move there. */
function refusedHosts(
  model: WhatIf,
  task: PlacementTask,
  placement: Placement,
  item: number,
  gain: number,
): OrderedMove['refused'] {
  const found = new Map<ConstraintName, OrderedMove['refused'][number]>();
  for (let host = 0; host < task.problem.hosts; host += 1) {
    if (host === placement.host[item] || gainOf(placement, item, host) <= gain + least) continue;
    const because = model.refusal(task.instanceOf[item]!, host);
    if (because === null) continue;
    const known = found.get(because);
    if (known === undefined) found.set(because, { host, because, others: 0 });
    else known.others += 1;
  }
  return [...found.values()];
}
