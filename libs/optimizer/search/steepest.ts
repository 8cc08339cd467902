import type { Placement } from '../kernel/placement.ts';
import type { Problem } from '../problem/problem.ts';

/** A shift that was made, and by how much it changed the cost. */
export interface MadeShift {
  item: number;
  from: number;
  to: number;
  change: number;
}

/** Items with equal uses: what one of them changes on a host, all do. */
class ItemClass {
  readonly sample: number;
  /** Change of each host's cost when one leaves (infinite: none is there), when one arrives (infinite: no room). */
  readonly leaving: Float64Array;
  readonly arriving: Float64Array;
  private readonly members: Uint8Array;

  constructor(problem: Problem, items: readonly number[]) {
    this.sample = items[0]!;
    this.leaving = new Float64Array(problem.hosts);
    this.arriving = new Float64Array(problem.hosts);
    this.members = new Uint8Array(problem.items);
    for (const item of items) this.members[item] = 1;
  }

  /** Members on a host, cheapest to move first. */
  on(placement: Placement, host: number): number[] {
    const { residents, problem } = placement;
    const found: number[] = [];
    for (let at = 0; at < residents.countOf(host); at += 1) {
      const item = residents.at(host, at);
      if (this.members[item] === 1) found.push(item);
    }
    return found.sort((a, b) => problem.moveCost[a]! - problem.moveCost[b]! || a - b);
  }

  refresh(placement: Placement, host: number): void {
    const { sample } = this;
    const present = this.on(placement, host)[0];
    const cost = placement.costOf(host);
    this.leaving[host] = present === undefined ? Number.POSITIVE_INFINITY : placement.costWithout(host, present) - cost;
    this.arriving[host] = placement.costWith(host, sample, Number.POSITIVE_INFINITY) - cost;
  }

  /** The pair of hosts with the least change. */
  best(): { change: number; from: number; to: number } {
    const { leaving, arriving } = this;
    const [from, nextFrom] = leastTwo(leaving);
    const [to, nextTo] = leastTwo(arriving);
    if (from !== to) return { change: leaving[from]! + arriving[to]!, from, to };
    const other = leaving[nextFrom]! + arriving[to]!;
    const another = leaving[from]! + arriving[nextTo]!;
    return other < another ? { change: other, from: nextFrom, to } : { change: another, from, to: nextTo };
  }
}

function leastTwo(values: Float64Array): [number, number] {
  let first = 0;
  let second = values.length > 1 ? 1 : 0;
  if (values[second]! < values[first]!) [first, second] = [second, first];
  for (let at = 2; at < values.length; at += 1) {
    if (values[at]! >= values[second]!) continue;
    if (values[at]! < values[first]!) {
      second = first;
      first = at;
    } else second = at;
  }
  return [first, second];
}

function classesOf(problem: Problem): ItemClass[] {
  const { items, columns, use, fixed } = problem;
  const lists = new Map<string, number[]>();
  for (let item = 0; item < items; item += 1) {
    if (fixed[item] === 1) continue;
    const key = use.subarray(item * columns, (item + 1) * columns).join();
    const list = lists.get(key);
    if (list === undefined) lists.set(key, [item]);
    else list.push(item);
  }
  return [...lists.values()].map((list) => new ItemClass(problem, list));
}

/**
 * Makes the shift that lowers the cost most, again and again, until `mostAway` items are away from home or nothing improves. By classes
 * of equal items: a step costs classes × hosts, and after it only two hosts are looked at again. Exact where neither rules of groups nor
 * transient columns refuse the best pair of hosts; where they do, the class tries its next hosts.
 */
export function steepest(placement: Placement, mostAway: number): MadeShift[] {
  const { problem } = placement;
  const classes = classesOf(problem);
  for (const cls of classes) for (let host = 0; host < problem.hosts; host += 1) cls.refresh(placement, host);
  const made: MadeShift[] = [];
  for (;;) {
    const shift = bestShift(placement, classes, placement.awayCount < mostAway);
    if (shift === null) return made;
    shift.change = placement.move(shift.item, shift.to);
    if (shift.change >= 0) {
      placement.move(shift.item, shift.from);
      return made;
    }
    made.push(shift);
    for (const cls of classes) for (const host of [shift.from, shift.to]) cls.refresh(placement, host);
  }
}

function bestShift(placement: Placement, classes: readonly ItemClass[], mayLeaveHome: boolean): MadeShift | null {
  const ranked = classes.map((cls) => ({ cls, ...cls.best() })).filter(({ change }) => change < 0);
  ranked.sort((a, b) => a.change - b.change);
  let best: MadeShift | null = null;
  for (const { cls, change, from, to } of ranked) {
    // Prices of moves only add.
    if (best !== null && change >= best.change) break;
    const found = admittedShift(placement, cls, from, to, mayLeaveHome);
    if (found !== null && (best === null || found.change < best.change)) best = found;
  }
  return best;
}

/** The best shift of a class from `from`, to `to` if the rules let it, else to the best other host. */
function admittedShift(
  placement: Placement,
  cls: ItemClass,
  from: number,
  to: number,
  mayLeaveHome: boolean,
): MadeShift | null {
  const { home } = placement.problem;
  const item = cls.on(placement, from).find((one) => mayLeaveHome || home[one] !== from);
  if (item === undefined) return null;
  const price = (host: number) => placement.priceAway(item, host) - placement.priceAway(item, from);
  const fits = (host: number) =>
    placement.costWith(host, item, Number.POSITIVE_INFINITY) < Number.POSITIVE_INFINITY &&
    placement.admits(item, host, -1);
  const at = (host: number) => cls.leaving[from]! + cls.arriving[host]! + price(host);
  if (fits(to)) return { item, from, to, change: at(to) };
  let best: MadeShift | null = null;
  for (let host = 0; host < placement.problem.hosts; host += 1) {
    if (host === from || at(host) >= (best?.change ?? 0) || !fits(host)) continue;
    best = { item, from, to: host, change: at(host) };
  }
  return best;
}
