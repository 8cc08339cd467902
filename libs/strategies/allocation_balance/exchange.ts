import type { WhatIf } from '#libs/cluster-model';
import type { OrderedHosts } from '../ordered-hosts.ts';
import { mostDetours, swapWay } from '../swaps.ts';
import type { Levels } from './levels.ts';

/** Hosts at the other end of the order that are looked at. */
const partnerHosts = 24;
/** Rounding of shares. */
const tolerance = 1e-9;

/** What an exchange, which is two moves, has to gain at least: as much as a host may be off. */
const leastGain = ({ low, high }: Levels) => (high - low) / 2;

/** Cloud and levels as they are now. */
export interface Exchanging {
  model: WhatIf;
  levels: Levels;
  hosts: readonly number[];
  /** All hosts by rising level. */
  order: OrderedHosts;
  /** An instance moves once. */
  moved: ReadonlySet<number>;
}

/** Half of an exchange; `partner` goes the other way. */
export interface Half {
  instance: number;
  from: number;
  to: number;
  partner: number;
}

function outside({ low, high }: Levels, level: number): number {
  return Math.max(0, level - high) + Math.max(0, low - level);
}

/** How much nearer to the bounds two hosts come when the instance and its partner change places; 0 when the deviation does not fall. */
function gainOf({ levels }: Exchanging, { instance, from, to, partner }: Half): number {
  const [full, empty] = [levels.of(from), levels.of(to)];
  const lost = levels.weight(instance, from) - levels.weight(partner, from);
  const gained = levels.weight(instance, to) - levels.weight(partner, to);
  if (!levels.narrows(from, lost, to, gained)) return 0;
  const [left, after] = [full - lost, empty + gained];
  return outside(levels, full) + outside(levels, empty) - outside(levels, left) - outside(levels, after);
}

/** Pairs of hosts of which the first has more, and one is out of bounds. */
function* hostPairs({ levels, hosts, order }: Exchanging): Generator<[number, number]> {
  const size = Math.min(partnerHosts, order.size);
  for (const host of hosts) {
    if (outside(levels, levels.of(host)) <= tolerance) continue;
    for (let place = 0; place < size; place++) {
      const isFull = levels.of(host) > levels.high;
      const other = order.at(isFull ? place : order.size - 1 - place);
      if (other !== host) yield isFull ? [host, other] : [other, host];
    }
  }
}

function* options(state: Exchanging): Generator<Half & { gain: number }> {
  const { model, levels, moved } = state;
  const least = Math.max(tolerance, leastGain(levels));
  const movable = (host: number) =>
    model.instancesOn(host).filter((row) => !moved.has(row) && model.immovable(row) === null);
  for (const [from, to] of hostPairs(state)) {
    const partners = movable(to);
    for (const instance of movable(from))
      for (const partner of partners) {
        if (levels.weight(instance, from) <= levels.weight(partner, from)) continue;
        const half = { instance, from, to, partner };
        const gain = gainOf(state, half);
        if (gain >= least) yield { ...half, gain };
      }
  }
}

/**
 * Exchanges of instances of different size, for hosts that are too full to take anything: the one that brings two hosts nearest to
 * the bounds, again and again. Each half is made by the caller before the next is asked for.
 */
export function* exchangeInstances(state: Exchanging): Generator<Half> {
  const { model } = state;
  let detours = 0;
  for (;;) {
    const found = [...options(state)].sort(
      (a, b) => b.gain - a.gain || a.instance - b.instance || a.partner - b.partner,
    );
    const ways = found.map((half) => () => ({ half, way: swapWay(model, half.instance, half.partner) }));
    const best = firstWay(ways, detours < mostDetours);
    if (best === null) return;
    detours += Number(best.detour);
    const { instance, from, to, partner } = best.half;
    const halves = [best.half, { instance: partner, from: to, to: from, partner: instance }];
    yield* best.first === instance ? halves : halves.reverse();
  }
}

function firstWay(ways: readonly (() => { half: Half; way: ReturnType<typeof swapWay> })[], withDetour: boolean) {
  for (const ask of ways) {
    const { half, way } = ask();
    if (way !== null && (withDetour || !way.detour)) return { half, ...way };
  }
  return null;
}
