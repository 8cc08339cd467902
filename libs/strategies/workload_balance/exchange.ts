import { isWorth } from '../shared/moves/load-worth.ts';
import { mostDetours, swapWay } from '../shared/moves/swaps.ts';
import { destinationLimit, isActive, type State } from './task.ts';
import type { Move } from './worth.ts';

/** Number of hosts whose instances are checked for an exchange: the least loaded ones. */
const exchangeHosts = 16;

interface Option {
  instance: number;
  back: number;
  to: number;
  /** Load that the host loses. */
  gain: number;
}

/** The better of two exchanges: the smallest sufficient one, else the largest. */
function isBetter(gain: number, best: number, enough: number): boolean {
  if (gain >= enough !== best >= enough) return gain >= enough;
  return gain >= enough ? gain < best : gain > best;
}

/**
 * Pairs whose exchange relieves the host, but not below its fair share, and keeps the other host below the threshold.
 */
function* optionsOf(state: State, host: number): Generator<Option> {
  const { model, loads, under, moved } = state;
  const surplus = loads.ofHost(host) - loads.fairShare(host);
  const mayGo = (row: number) => !moved.has(row) && isActive(model, row) && !Number.isNaN(loads.ofInstance(row));
  const mine = model.instancesOn(host).filter(mayGo);
  for (let place = 0; place < Math.min(exchangeHosts, under.size); place++) {
    const to = under.at(place);
    const most = Math.min(surplus, loads.room(destinationLimit(state), to) - 1e-9);
    for (const back of model.instancesOn(to).filter(mayGo))
      for (const instance of mine) {
        const gain = loads.ofInstance(instance) - loads.ofInstance(back);
        if (gain > 0 && gain <= most) yield { instance, back, to, gain };
      }
  }
}

/** The exchange that relieves the host best, with its halves in order. Null without one. */
function findExchange(state: State, host: number): [Move, Move] | null {
  const { model, loads, worth } = state;
  const enough = 1e-9 - loads.room(state.parameters.threshold, host);
  let best: [Move, Move] | null = null;
  let bestGain = 0;
  for (const { instance, back, to, gain } of optionsOf(state, host)) {
    if (!isBetter(gain, bestGain, enough) || !isWorth(worth.ofLeaving(host, instance, back))) continue;
    const way = swapWay(model, instance, back);
    if (way === null || (way.detour && state.detours >= mostDetours)) continue;
    const there: Move = { instance, from: host, to, partner: back, rejected: [] };
    const here: Move = { instance: back, from: to, to: host, partner: instance, rejected: [] };
    best = way.first === instance ? [there, here] : [here, there];
    bestGain = gain;
  }
  return best;
}

/**
 * Yields exchanges of instances while the host is at the threshold and one helps. Yields none when even its fair share
 * is at the threshold, because each would waste two moves.
 */
export function* exchange(state: State, host: number): Generator<Move> {
  const { loads, under, model } = state;
  const { threshold } = state.parameters;
  if (loads.fairShare(host) >= (threshold / 100) * loads.size(host)) return;
  while (!loads.staysBelow(threshold, host)) {
    const pair = findExchange(state, host);
    if (pair === null) return;
    const [first] = pair;
    const isDetour = model.refusal(first.instance, first.to) !== null;
    state.detours += Number(isDetour);
    for (const move of pair) {
      state.moved.add(move.instance);
      yield move;
    }
    for (const row of [first.from, first.to]) under.update(row, loads.percent(row));
  }
}
