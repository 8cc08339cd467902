import type { WhatIf } from '#libs/cluster-model';
import type { RejectedAlternative } from '#libs/domain';
import type { StrategyWork } from '#libs/plugin-kit';
import { createHopelessSizes, dependsOnSizeOnly, type HopelessSizes } from '../shared/hosts/hopeless-sizes.ts';
import { createOrderedHosts, type OrderedHosts } from '../shared/hosts/ordered-hosts.ts';
import { hostAt, instanceAt, instanceLabel } from '../shared/hosts/rows.ts';
import { softGroup } from '../shared/moves/soft-choice.ts';
import { type BlockedTally, createRejections, type Rejections } from '../shared/report/blocked-tally.ts';
import { exchangeInstances } from './exchange.ts';
import { createFruitlessSearches, type FruitlessSearches } from './fruitless-searches.ts';
import type { Levels } from './levels.ts';

/** A chosen move. The caller applies it to the model and the levels. */
export interface Move {
  instance: number;
  from: number;
  to: number;
  rule: 'above-even-share' | 'below-even-share' | 'swap';
  /** Instance that moves in the opposite direction in a swap. */
  partner?: number;
  rejected: RejectedAlternative[];
}

export interface Task {
  model: WhatIf;
  levels: Levels;
  hosts: readonly number[];
  blocked: BlockedTally;
  signal: AbortSignal;
  /** Only exchanges spend it. Everything ends when the plan is requested. */
  work: StrategyWork;
}

interface State extends Task {
  /** All hosts by ascending level. */
  order: OrderedHosts;
  /** 1 for every instance that has moved. An instance moves once. */
  moved: Uint8Array;
  /** Sizes that no host accepts. */
  hopeless: HopelessSizes;
  /** Sizes for which the current receiving host has no room. */
  unfit: HopelessSizes;
  /** Instances that no host accepted, and hosts that found no instance. */
  leaving: FruitlessSearches;
  wishes: FruitlessSearches;
  /** Movable instances of hosts at the start. Instances that have moved since then stay in the lists. */
  movable: Map<number, number[]>;
  /** Whether both hosts of a move must be within bounds after it, or only closer to each other. */
  strict: boolean;
}

/** Tolerance for rounding of shares. */
const tolerance = 1e-9;
/** Maximum passes. The room of a full pass may help instances without a place. More passes do not pay. */
const passes = 5;

/** Movable instances of a host, in the order of the attempts. Some may have moved already. */
function movableOn({ model, levels, blocked, movable }: State, host: number): readonly number[] {
  const known = movable.get(host);
  if (known !== undefined) return known;
  const found = model.instancesOn(host).filter((instance) => {
    const immovable = model.immovable(instance);
    if (immovable !== null) blocked.add(immovable, instanceLabel(instanceAt(model.snapshot, instance)));
    return immovable === null;
  });
  found.sort(levels.compare);
  movable.set(host, found);
  return found;
}

/**
 * Whether a move relieves a host above the bounds. The receiver stays within bounds, or at most as full as the source.
 */
function relieves({ levels, strict }: State, instance: number, from: number, to: number): boolean {
  const [lost, gained] = [levels.weight(instance, from), levels.weight(instance, to)];
  const [left, after] = [levels.of(from) - lost, levels.of(to) + gained];
  const isEven =
    left >= levels.low - tolerance && after <= (strict ? levels.high : Math.max(levels.high, left)) + tolerance;
  return isEven && levels.narrows(from, lost, to, gained);
}

/**
 * Whether a move fills a host below the bounds. The source stays within bounds, or at least as full as the receiver.
 */
function fills({ levels, strict }: State, instance: number, from: number, to: number): boolean {
  const [lost, gained] = [levels.weight(instance, from), levels.weight(instance, to)];
  const [left, after] = [levels.of(from) - lost, levels.of(to) + gained];
  const isEven =
    after <= levels.high + tolerance && left >= (strict ? levels.low : Math.min(levels.low, after)) - tolerance;
  return isEven && levels.narrows(from, lost, to, gained);
}

/**
 * `fills` for the instances of one host without moves in between. Instances with equal weights give equal results, and
 * they are adjacent.
 */
function fillsFrom(state: State, from: number, to: number): (instance: number) => boolean {
  let [weight, helps] = [Number.NaN, false];
  return (instance) => {
    const own = state.levels.weight(instance, from);
    if (own !== weight) [weight, helps] = [own, fills(state, instance, from, to)];
    return helps;
  };
}

/** Reason against a move off a host above the bounds, or null. */
function obstacle(state: State, instance: number, from: number, to: number): string | null {
  return relieves(state, instance, from, to) ? state.model.refusal(instance, to) : 'already-even';
}

/** Counts the instances that no host accepted, by the most frequent constraint. */
function reportStuck(state: State, instance: number, rejected: RejectedAlternative[]): void {
  const [main] = rejected.filter(({ because }) => because !== 'already-even').sort((a, b) => b.others - a.others);
  if (main !== undefined) state.blocked.add(main.because, instanceLabel(instanceAt(state.model.snapshot, instance)));
}

/**
 * The best receiver so far: its row (−1: none), the pairs of a soft server group that it breaks, and its level after
 * the move.
 */
interface Taker {
  host: number;
  cost: number;
  after: number;
}

function takerOf({ model, levels }: State, instance: number, host: number): Taker {
  return { host, cost: model.softCost(instance, host), after: levels.of(host) + levels.weight(instance, host) };
}

/**
 * Why a host is no better than the best receiver so far, or null. Fewer broken pairs win. When bounds hold, the first
 * host is the best.
 */
function noBetter({ strict }: State, best: Taker, { cost, after }: Taker): string | null {
  if (cost !== best.cost) return cost > best.cost ? softGroup : null;
  return strict || after >= best.after ? 'fuller' : null;
}

/**
 * Searches the hosts in ascending order of level. Returns the first receiver when bounds hold, otherwise the host with
 * the lowest level after the move, or −1. `onlySize`: only the size of the instance was refused.
 */
function scanTakers(state: State, { instance, from, limit }: Leaving, rejections: Rejections) {
  const { order, levels, strict } = state;
  let best: Taker = { host: -1, cost: Number.POSITIVE_INFINITY, after: Number.POSITIVE_INFINITY };
  let onlySize = true;
  for (let place = 0; place < order.size && levels.of(order.at(place)) <= limit; place++) {
    const host = order.at(place);
    const isWorse = best.host < 0 ? null : noBetter(state, best, takerOf(state, instance, host));
    const because = isWorse ?? (host === from ? 'same-host' : obstacle(state, instance, from, host));
    if (because === null) best = takerOf(state, instance, host);
    else rejections.add(because, host);
    if (isWorse !== null && strict && best.cost === 0) break;
    onlySize &&= because === null || dependsOnSizeOnly(because);
  }
  return { host: best.host, onlySize };
}

/** An instance that should move to a host whose level is at most the limit. */
interface Leaving {
  instance: number;
  from: number;
  limit: number;
}

/**
 * Whether the search for a receiver may have a different result than the last time. It cannot when nothing has
 * changed.
 */
function mayLeaveNow(state: State, { instance, from, limit }: Leaving): boolean {
  const { leaving, levels, hosts } = state;
  if (!leaving.has(instance, from)) return true;
  const takes = (host: number) => levels.of(host) <= limit && obstacle(state, instance, from, host) === null;
  return hosts.some((host) => leaving.isNew(instance, host) && takes(host));
}

/** The host with the lowest level that accepts an instance of a host above the bounds. */
function findTaker(state: State, instance: number, from: number): Move | null {
  const { hopeless, levels, model } = state;
  const left = levels.of(from) - levels.weight(instance, from);
  const search: Leaving = { instance, from, limit: Math.max(levels.high, left) };
  if (hopeless.has(instance) || left < levels.low - tolerance || !mayLeaveNow(state, search)) return null;
  const rejections = createRejections((row) => hostAt(model.snapshot, row).hostname);
  const { host, onlySize } = scanTakers(state, search, rejections);
  const rejected = rejections.list().filter(({ because }) => because !== 'same-host');
  if (host >= 0) return { instance, from, to: host, rule: 'above-even-share', rejected };
  if (onlySize) hopeless.add(instance);
  state.leaving.add(instance);
  reportStuck(state, instance, rejected);
  return null;
}

/** Moves instances from hosts above the upper bound to the emptiest hosts. The fullest host is always first. */
function* offload(state: State): Generator<Move> {
  const { levels, order } = state;
  const donors = createOrderedHosts(
    state.hosts.filter((host) => levels.of(host) > levels.high + tolerance),
    levels.of,
  );
  const waiting = new Map<number, number[]>();
  while (donors.size > 0 && state.work.spend(0)) {
    state.signal.throwIfAborted();
    const from = donors.at(donors.size - 1);
    const instances = waiting.get(from) ?? movableOn(state, from).toReversed();
    waiting.set(from, instances);
    const instance = instances.pop();
    if (instance === undefined || levels.of(from) <= levels.high + tolerance) {
      donors.remove(from);
      continue;
    }
    const move = state.moved[instance] === 1 ? null : findTaker(state, instance, from);
    if (move === null) continue;
    yield move;
    for (const host of [from, move.to]) order.update(host, levels.of(host));
    donors.update(from, levels.of(from));
    donors.update(move.to, levels.of(move.to));
  }
}

/** A host below the bounds that may still receive instances, and its possible sources. */
interface Wish {
  to: number;
  /**
   * Hosts with an instance that zone, aggregates and traits allow on this host. Null when most instances are allowed.
   */
  givers: ReadonlySet<number> | null;
  /** Hosts without a suitable instance. This does not change while the receiver fills up. */
  exhausted: Set<number>;
  rejections: Rejections;
}

/** A host without an allowed instance gives none. Checks one of its instances for the report. */
function nothingOf(state: State, from: number, { to, rejections }: Wish): number {
  const [first] = movableOn(state, from);
  const because = first === undefined ? null : state.model.refusal(first, to);
  if (first !== undefined && because !== null) rejections.add(because, first);
  return -1;
}

/**
 * The first instance of a host that fills a host below the bounds and may move there, or −1. An instance that would
 * break its soft server group moves only when no other does.
 */
function giftOf(state: State, from: number, wish: Wish): number {
  const { to, givers, rejections } = wish;
  const { model, unfit, moved } = state;
  if (givers?.has(from) === false) return nothingOf(state, from, wish);
  const helps = fillsFrom(state, from, to);
  let unwilling = -1;
  for (const instance of movableOn(state, from)) {
    if (moved[instance] === 1 || unfit.has(instance) || !helps(instance)) continue;
    const because = model.refusal(instance, to);
    if (because === null) {
      if (model.softCost(instance, to) <= model.softCost(instance, from)) return instance;
      if (unwilling < 0) unwilling = instance;
      continue;
    }
    rejections.add(because, instance);
    if (dependsOnSizeOnly(because)) unfit.add(instance);
  }
  return unwilling;
}

function wishOf({ model }: State, to: number): Wish {
  const rejections = createRejections((instance) => instanceLabel(instanceAt(model.snapshot, instance)));
  const givers = model.fewAdmitted(to)?.map((instance) => model.hostOf[instance] as number);
  return { to, givers: givers === undefined ? null : new Set(givers), exhausted: new Set(), rejections };
}

/**
 * Whether the search for an instance may have a different result than the last time. It cannot when nothing has
 * changed.
 */
function mayGetNow(state: State, to: number): boolean {
  const { wishes, levels, hosts } = state;
  if (!wishes.has(to, to)) return true;
  const wish = wishOf(state, to);
  const gives = (from: number) => levels.of(from) > levels.of(to) && giftOf(state, from, wish) >= 0;
  return hosts.some((from) => wishes.isNew(to, from) && gives(from));
}

/** An instance of the fullest hosts that a host below the bounds accepts. */
function findGift(state: State, wish: Wish): Move | null {
  const { order, levels } = state;
  const { to, exhausted, rejections } = wish;
  for (let place = order.size - 1; place >= 0; place--) {
    const from = order.at(place);
    if (from === to || levels.of(from) <= levels.of(to)) break;
    if (exhausted.has(from)) continue;
    const instance = giftOf(state, from, wish);
    if (instance >= 0) return { instance, from, to, rule: 'below-even-share', rejected: rejections.list() };
    exhausted.add(from);
  }
  return null;
}

/** Fills one host from the fullest hosts, as far as they have suitable instances. */
function* fillHost(state: State, to: number): Generator<Move> {
  const { levels, order, wishes, blocked, model } = state;
  const lacks = () => levels.of(to) < levels.low - tolerance;
  const wish = wishOf(state, to);
  while (lacks()) {
    const move = findGift(state, wish);
    if (move === null) break;
    yield move;
    for (const host of [move.from, to]) order.update(host, levels.of(host));
  }
  if (!lacks()) return;
  wishes.add(to);
  const [main] = wish.rejections.list().sort((a, b) => b.others - a.others);
  if (main !== undefined) blocked.add(main.because, hostAt(model.snapshot, to).hostname);
}

/** Fills hosts below the lower bound from the fullest hosts. The emptiest host is first. */
function* fillUp(state: State): Generator<Move> {
  const { levels, hosts, unfit, work, signal } = state;
  const needy = hosts.filter((host) => levels.of(host) < levels.low - tolerance);
  needy.sort((a, b) => levels.of(a) - levels.of(b) || a - b);
  for (const to of needy) {
    signal.throwIfAborted();
    if (!work.spend(0)) return;
    unfit.forget();
    if (mayGetNow(state, to)) yield* fillHost(state, to);
  }
}

/** Moves instances off and onto hosts until a pass finds nothing. Room from one pass may help the next. */
function* settle(state: State): Generator<Move> {
  for (const searches of [state.leaving, state.wishes]) searches.forget();
  for (let pass = 0; pass < passes; pass++) {
    let found = 0;
    for (const search of [offload, fillUp]) {
      for (const move of search(state)) {
        state.moved[move.instance] = 1;
        found += 1;
        yield move;
        for (const searches of [state.leaving, state.wishes]) searches.moved(move.from, move.to);
      }
    }
    state.hopeless.forget();
    if (found === 0) return;
  }
}

/**
 * Yields the moves that bring all hosts within the bounds. When constraints prevent that, further moves bring hosts
 * closer to each other. Exchanges of large for small instances come last. An instance moves once. Ends early when
 * `work` requests it.
 */
export function* evenOut(task: Task): Generator<Move> {
  const state: State = {
    ...task,
    order: createOrderedHosts(task.hosts, task.levels.of),
    moved: new Uint8Array(task.model.hostOf.length),
    hopeless: createHopelessSizes(task.model),
    unfit: createHopelessSizes(task.model),
    leaving: createFruitlessSearches(task.model.hostOf.length, task.model.enabled.length),
    wishes: createFruitlessSearches(task.model.enabled.length, task.model.enabled.length),
    movable: new Map(),
    strict: true,
  };
  yield* settle(state);
  yield* settle({ ...state, strict: false });
  for (const half of exchangeInstances(state)) {
    yield { ...half, rule: 'swap', rejected: [] };
    state.moved[half.instance] = 1;
    for (const host of [half.from, half.to]) state.order.update(host, state.levels.of(host));
  }
}
