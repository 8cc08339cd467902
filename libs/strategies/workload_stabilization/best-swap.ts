import { softCostOfSwap, swapWay } from '../shared/moves/swaps.ts';
import { pricePerPair, type Search } from './best-move.ts';
import type { Move } from './worth.ts';

/** Number of checked hosts: the most loaded and the least loaded. */
const hotHosts = 8;
const coldHosts = 16;

interface Pair extends Move {
  back: number;
}

/** Exchanges of two hosts with enough gain, feasible or not. */
function gainsOf(search: Search, from: number, to: number, now: number): Pair[] {
  const { table, candidates, minimumGain, costOf, model } = search;
  const pairs: Pair[] = [];
  for (const instance of candidates.on(from)) {
    for (const back of candidates.on(to)) {
      search.evaluated++;
      const plain = table.weightedAfter(instance, from, to, back);
      if (plain >= now) continue;
      const broken = Math.max(0, softCostOfSwap(model, instance, back));
      const after = plain + broken * pricePerPair * minimumGain;
      if (after < now - minimumGain * (costOf(instance) + costOf(back)))
        pairs.push({ instance, back, from, to, after });
    }
  }
  return pairs;
}

/**
 * The best exchange of two instances between the most and the least loaded hosts, for clouds with hosts too full for
 * single moves. Null when no exchange has the minimum gain of two moves. `withDetour` allows exchanges through a third
 * host.
 */
export function bestSwap(search: Search, withDetour: boolean): Move | null {
  const { table, model } = search;
  const order = table.byPressure();
  const now = table.weighted();
  const hot = order.slice(0, hotHosts);
  const cold = order.slice(-coldHosts);
  const pairs = hot.flatMap((from) => cold.flatMap((to) => (from === to ? [] : gainsOf(search, from, to, now))));
  pairs.sort((a, b) => a.after - b.after || a.instance - b.instance || a.back - b.back);
  for (const pair of pairs) {
    const way = swapWay(model, pair.instance, pair.back);
    if (way === null || (way.detour && !withDetour) || !search.pays(pair)) continue;
    if (way.first === pair.instance) return pair;
    return { instance: pair.back, back: pair.instance, from: pair.to, to: pair.from, after: pair.after };
  }
  return null;
}
