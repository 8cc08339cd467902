import { admitsPair } from '../kernel/admits-pair.ts';
import type { Placement } from '../kernel/placement.ts';
import type { Problem } from '../problem/problem.ts';

/** A step that was made, and by how much it changed the cost: a shift, or with `partner` (else -1) a swap. */
export interface MadeStep {
  item: number;
  from: number;
  to: number;
  partner: number;
  change: number;
}

/** Entries of tables for swaps, at most. */
const mostPairEntries = 2_000_000;

/** Items with equal uses, which have equal effects. */
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
    return leastPair(this.leaving, this.arriving);
  }
}

/** The two different hosts with the least sum, one of each list. */
function leastPair(leaving: Float64Array, arriving: Float64Array): { change: number; from: number; to: number } {
  const [from, nextFrom] = leastTwo(leaving);
  const [to, nextTo] = leastTwo(arriving);
  if (from !== to) return { change: leaving[from]! + arriving[to]!, from, to };
  const other = leaving[nextFrom]! + arriving[to]!;
  const another = leaving[from]! + arriving[nextTo]!;
  return other < another ? { change: other, from: nextFrom, to } : { change: another, from, to: nextTo };
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

/** Changes by host when an item of one class leaves and one of another arrives (infinite: impossible). */
class PairTable {
  readonly leaving: ItemClass;
  readonly arriving: ItemClass;
  readonly changes: Float64Array;

  constructor(hosts: number, leaving: ItemClass, arriving: ItemClass) {
    this.leaving = leaving;
    this.arriving = arriving;
    this.changes = new Float64Array(hosts);
  }

  refresh(placement: Placement, host: number): void {
    const leaver = this.leaving.on(placement, host)[0];
    this.changes[host] =
      leaver === undefined
        ? Number.POSITIVE_INFINITY
        : placement.costExchanged(host, leaver, this.arriving.sample, Number.POSITIVE_INFINITY) -
          placement.costOf(host);
  }
}

/** Tables of all ordered pairs of classes. None where they would be too many. */
function pairTables(classes: readonly ItemClass[], hosts: number): [PairTable, PairTable][] {
  if (classes.length * classes.length * hosts > mostPairEntries) return [];
  return classes.flatMap((a, index) =>
    classes
      .slice(index + 1)
      .map((b): [PairTable, PairTable] => [new PairTable(hosts, a, b), new PairTable(hosts, b, a)]),
  );
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
 * Makes the shift that lowers the cost most, or the swap that lowers it more per move, repeatedly, until
 * `maxMoved` items are off their homes or nothing improves. By classes of equal items: a step costs classes × hosts,
 * with swaps classes² × hosts, and after it only two hosts are checked again. Exact where neither rules of groups nor
 * transient columns refuse the best pair of hosts. Where they do, the class tries its next hosts. With very many
 * classes there are no swaps.
 */
export function steepest(placement: Placement, maxMoved: number): MadeStep[] {
  const { problem } = placement;
  const classes = classesOf(problem);
  const pairs = pairTables(classes, problem.hosts);
  const refresh = (host: number): void => {
    for (const cls of classes) cls.refresh(placement, host);
    for (const pair of pairs) for (const table of pair) table.refresh(placement, host);
  };
  for (let host = 0; host < problem.hosts; host += 1) refresh(host);
  const made: MadeStep[] = [];
  for (;;) {
    const left = maxMoved - placement.movedCount;
    const shift = bestShift(placement, classes, left > 0);
    const swap = left > 1 ? bestSwap(placement, pairs) : null;
    const step = swap !== null && swap.change / 2 < (shift?.change ?? 0) ? swap : shift;
    if (step === null || !make(placement, step)) return made;
    made.push(step);
    for (const host of [step.from, step.to]) refresh(host);
  }
}

/** Makes a step and records its real change. Undoes the step when nothing changed. */
function make(placement: Placement, step: MadeStep): boolean {
  const { item, from, to, partner } = step;
  step.change = placement.move(item, to);
  if (partner >= 0) step.change += placement.move(partner, from);
  if (step.change < 0) return true;
  if (partner >= 0) placement.move(partner, to);
  placement.move(item, from);
  return false;
}

function bestSwap(placement: Placement, pairs: readonly [PairTable, PairTable][]): MadeStep | null {
  let best: MadeStep | null = null;
  for (const [one, other] of pairs) {
    const found = leastPair(one.changes, other.changes);
    if (found.change >= (best?.change ?? 0)) continue;
    const item = one.leaving.on(placement, found.from)[0];
    const partner = other.leaving.on(placement, found.to)[0];
    if (item === undefined || partner === undefined) continue;
    if (!admitsPair(placement, item, found.to, partner, found.from, item)) continue;
    best = { item, partner, ...found };
  }
  return best;
}

function bestShift(placement: Placement, classes: readonly ItemClass[], mayLeaveHome: boolean): MadeStep | null {
  const ranked = classes.map((cls) => ({ cls, ...cls.best() })).filter(({ change }) => change < 0);
  ranked.sort((a, b) => a.change - b.change);
  let best: MadeStep | null = null;
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
): MadeStep | null {
  const { home } = placement.problem;
  const item = cls.on(placement, from).find((one) => mayLeaveHome || home[one] !== from);
  if (item === undefined) return null;
  const price = (host: number) => placement.priceAway(item, host) - placement.priceAway(item, from);
  const fits = (host: number) =>
    placement.costWith(host, item, Number.POSITIVE_INFINITY) < Number.POSITIVE_INFINITY &&
    placement.admits(item, host, -1);
  const at = (host: number) => cls.leaving[from]! + cls.arriving[host]! + price(host);
  if (fits(to)) return { item, from, to, partner: -1, change: at(to) };
  let best: MadeStep | null = null;
  for (let host = 0; host < placement.problem.hosts; host += 1) {
    if (host === from || at(host) >= (best?.change ?? 0) || !fits(host)) continue;
    best = { item, from, to: host, partner: -1, change: at(host) };
  }
  return best;
}
