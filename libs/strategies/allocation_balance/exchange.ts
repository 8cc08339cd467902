import type { WhatIf } from '#libs/cluster-model';
import type { StrategyWork } from '#libs/plugin-kit';
import type { OrderedHosts } from '../shared/hosts/ordered-hosts.ts';
import { mostDetours, swapWay } from '../shared/moves/swaps.ts';
import type { Levels } from './levels.ts';

/** Hosts out of bounds that are checked together. Those farthest outside are first. */
const outsideHosts = 24;
/** Hosts at the other end of the order that are checked for each. */
const partnerHosts = 24;
/** Pairs of instances whose sizes are compared in one unit of work. A call of the model is also one unit. */
const comparisonsPerUnit = 16;
/** Tolerance for rounding of shares. */
const tolerance = 1e-9;

/** Minimum gain of an exchange, which is two moves: the allowed deviation of a host. */
const leastGain = ({ low, high }: Levels) => (high - low) / 2;

/** Current cloud and levels. */
export interface Exchanging {
  model: WhatIf;
  levels: Levels;
  hosts: readonly number[];
  /** All hosts by ascending level. */
  order: OrderedHosts;
  /** 1 for every instance that has moved. An instance moves once. */
  moved: Uint8Array;
  /** The search for exchanges ends when it is spent. */
  work: StrategyWork;
}

/** Half of an exchange. `partner` moves in the opposite direction. */
export interface Half {
  instance: number;
  from: number;
  to: number;
  partner: number;
}

function outside({ low, high }: Levels, level: number): number {
  return Math.max(0, level - high) + Math.max(0, low - level);
}

/**
 * Reduction of the distance of two hosts to the bounds when the instance and its partner swap hosts. 0 when the
 * deviation does not fall.
 */
function gainOf({ levels }: Exchanging, { instance, from, to, partner }: Half): number {
  const [full, empty] = [levels.of(from), levels.of(to)];
  const lost = levels.weight(instance, from) - levels.weight(partner, from);
  const gained = levels.weight(instance, to) - levels.weight(partner, to);
  if (!levels.narrows(from, lost, to, gained)) return 0;
  const [left, after] = [full - lost, empty + gained];
  return outside(levels, full) + outside(levels, empty) - outside(levels, left) - outside(levels, after);
}

/** Hosts that an exchange may bring nearer to the bounds. */
function farthest({ levels, hosts }: Exchanging, stuck: ReadonlySet<number>): number[] {
  const far = (host: number) => outside(levels, levels.of(host));
  const found = hosts.filter((host) => far(host) > tolerance && !stuck.has(host));
  return found.sort((a, b) => far(b) - far(a) || a - b).slice(0, outsideHosts);
}

/** Pairs of hosts: the first has the higher level, and one of them is out of bounds. */
function* hostPairs({ levels, order }: Exchanging, unsettled: readonly number[]): Generator<[number, number]> {
  const size = Math.min(partnerHosts, order.size);
  for (const host of unsettled) {
    for (let place = 0; place < size; place++) {
      const isFull = levels.of(host) > levels.high;
      const other = order.at(isFull ? place : order.size - 1 - place);
      if (other !== host) yield isFull ? [host, other] : [other, host];
    }
  }
}

interface Option extends Half {
  gain: number;
}

function byGain(a: Option, b: Option): number {
  return b.gain - a.gain || a.instance - b.instance || a.partner - b.partner;
}

/** Exchanges of two hosts, the best first. */
interface Pair {
  options: Option[];
  /** Index of the first exchange that may be possible. Earlier ones stay impossible while neither host changes. */
  at: number;
}

const headOf = ({ options, at }: Pair): Option => options[at] as Option;

function pairOf(state: Exchanging, from: number, to: number): Pair {
  const { model, levels, moved, work } = state;
  const least = Math.max(tolerance, leastGain(levels));
  const movable = (host: number) =>
    model.instancesOn(host).filter((row) => moved[row] === 0 && model.immovable(row) === null);
  const [instances, partners] = [movable(from), movable(to)];
  work.spend(Math.ceil((instances.length * partners.length) / comparisonsPerUnit));
  const options: Option[] = [];
  for (const instance of instances)
    for (const partner of partners) {
      if (levels.weight(instance, from) <= levels.weight(partner, from)) continue;
      const half = { instance, from, to, partner };
      const gain = gainOf(state, half);
      if (gain >= least) options.push({ ...half, gain });
    }
  return { options: options.sort(byGain), at: 0 };
}

/** Pairs of hosts, cached until one of the two changes. An exchange leaves most pairs unchanged. */
function createPairs(state: Exchanging) {
  const pairs = new Map<number, Map<number, Pair>>();
  return {
    of(from: number, to: number): Pair {
      const own = pairs.get(from) ?? new Map<number, Pair>();
      pairs.set(from, own);
      const known = own.get(to) ?? pairOf(state, from, to);
      own.set(to, known);
      return known;
    },
    forget(host: number): void {
      pairs.delete(host);
      for (const own of pairs.values()) own.delete(host);
    },
  };
}

/** Inserts a pair into the list, which has the best pair last. */
function insert(open: Pair[], pair: Pair): void {
  let [low, high] = [0, open.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (byGain(headOf(open[middle] as Pair), headOf(pair)) > 0) low = middle + 1;
    else high = middle;
  }
  open.splice(low, 0, pair);
}

/** The best possible exchange of all pairs. Null also when the work is spent. */
function bestWay(state: Exchanging, pairs: Iterable<Pair>, mayDetour: boolean) {
  const { model, work } = state;
  const refusal: WhatIf['refusal'] = (...move) => {
    work.spend(1);
    return model.refusal(...move);
  };
  const requested = { ...model, refusal };
  const open = [...pairs].filter(({ options, at }) => at < options.length);
  open.sort((a, b) => byGain(headOf(b), headOf(a)));
  for (let pair = open.pop(); pair !== undefined && work.spend(2); pair = open.pop()) {
    const half = headOf(pair);
    const way = swapWay(requested, half.instance, half.partner, mayDetour);
    if (way !== null) return { half, ...way };
    pair.at += 1;
    if (pair.at < pair.options.length) insert(open, pair);
  }
  return null;
}

/**
 * Yields exchanges of instances of different sizes, for hosts that are too full for a single move. Each exchange
 * brings two hosts closest to the bounds. Hosts far outside the bounds are first. The caller makes each half before it
 * requests the next.
 */
export function* exchangeInstances(state: Exchanging): Generator<Half> {
  const pairs = createPairs(state);
  const stuck = new Set<number>();
  let detours = 0;
  while (state.work.endedBy() === null) {
    const unsettled = farthest(state, stuck);
    if (unsettled.length === 0) return;
    const open = new Set(Array.from(hostPairs(state, unsettled), ([from, to]) => pairs.of(from, to)));
    const best = bestWay(state, open, detours < mostDetours);
    if (best === null) {
      for (const host of unsettled) stuck.add(host);
      continue;
    }
    detours += Number(best.detour);
    const { instance, from, to, partner } = best.half;
    const halves = [best.half, { instance: partner, from: to, to: from, partner: instance }];
    yield* best.first === instance ? halves : halves.reverse();
    for (const host of [from, to]) {
      pairs.forget(host);
      stuck.delete(host);
    }
  }
}
