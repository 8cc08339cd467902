import type { ConstraintName, WhatIf } from '#libs/cluster-model';
import { Placement } from '#libs/optimizer';
import { type PlacementTask, pricedProblem } from './placement-task.ts';

/** A move of a plan, at its place in the order. */
export interface OrderedMove {
  item: number;
  instance: number;
  from: number;
  to: number;
  /** What the cost falls by when it is made there and then, the price of the migration included. */
  gain: number;
  /** Instances that find room only after it. */
  makesRoomFor: number[];
  /** Hosts that would have been better, with what refused them: the first of each kind. */
  refused: { host: number; because: ConstraintName; others: number }[];
}

interface Open {
  item: number;
  to: number;
  seconds: number;
}

/** A gain below this is rounding. */
const least = 1e-7;

/**
 * Brings moves into an order in which each is possible when its turn comes, and asks the model once more for every one of them. Among those that are possible
 * the one with most gain for each second of migration goes first, so that every prefix of the plan improves. What is never possible, and a tail
 * that improves nothing, is left out; so is what would take longer than `mostSeconds` in all. The model is left at the end of the plan.
 */
export function orderMoves(
  model: WhatIf,
  task: PlacementTask,
  host: Int32Array,
  { secondsOf, mostSeconds }: { secondsOf(instance: number): number; mostSeconds: number },
): { moves: OrderedMove[]; dropped: number } {
  const placement = new Placement(pricedProblem(task));
  let open: Open[] = [];
  host.forEach((to, item) => {
    if (to !== task.problem.home[item]) open.push({ item, to, seconds: secondsOf(task.instanceOf[item]!) });
  });
  const wanted = open.length;
  const moves: OrderedMove[] = [];
  /** Moves that were refused when they were looked at first. */
  const waiting = new Set<number>();
  let secondsLeft = mostSeconds;
  for (;;) {
    open = open.filter(({ seconds }) => seconds <= secondsLeft);
    const next = bestOf(model, task, placement, open);
    if (next === null) break;
    const { item, to, seconds } = next.move;
    secondsLeft -= seconds;
    const instance = task.instanceOf[item]!;
    const from = placement.host[item]!;
    const refused = refusedHosts(model, task, placement, item, next.gain);
    for (const one of open) if (model.refusal(task.instanceOf[one.item]!, one.to) !== null) waiting.add(one.item);
    model.move(instance, to);
    placement.move(item, to);
    open = open.filter((one) => one.item !== item);
    const makesRoomFor: number[] = [];
    for (const one of open) {
      const row = task.instanceOf[one.item]!;
      if (!waiting.has(one.item) || one.to !== from || model.refusal(row, one.to) !== null) continue;
      waiting.delete(one.item);
      makesRoomFor.push(row);
    }
    moves.push({ item, instance, from, to, gain: next.gain, makesRoomFor, refused });
  }
  const kept = bestPrefix(moves);
  for (const { instance, from } of moves.slice(kept).reverse()) model.move(instance, from);
  return { moves: moves.slice(0, kept), dropped: wanted - kept };
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

/** The possible move with most gain for each second; of several without a gain, which only make room, the least harmful. */
function bestOf(model: WhatIf, task: PlacementTask, placement: Placement, open: readonly Open[]) {
  let best: { move: Open; gain: number } | null = null;
  let most = Number.NEGATIVE_INFINITY;
  for (const move of open) {
    const gain = gainOf(placement, move.item, move.to);
    const rate = gain / move.seconds;
    if (rate <= most || model.refusal(task.instanceOf[move.item]!, move.to) !== null) continue;
    best = { move, gain };
    most = rate;
  }
  return best;
}

/** Length of the prefix that improves most. */
function bestPrefix(moves: readonly OrderedMove[]): number {
  let sum = 0;
  let most = least;
  let length = 0;
  for (const [index, { gain }] of moves.entries()) {
    sum += gain;
    if (sum <= most) continue;
    most = sum;
    length = index + 1;
  }
  return length;
}

/** Hosts at which the item would gain more than `gain`, and why it may not go there. */
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
