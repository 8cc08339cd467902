import { totalCpus, type WhatIf } from '#libs/cluster-model';
import type { StrategyContext } from '#libs/plugin-kit';
import { createOrderedHosts } from '../shared/hosts/ordered-hosts.ts';
import { createRoomTree } from '../shared/hosts/room-tree.ts';
import { acceptingHosts, upHosts } from '../shared/hosts/rows.ts';
import { type AllocationTarget, createAllocationTarget, targetOf } from '../shared/hosts/target-utilization.ts';
import type { EmptyingTask } from '../shared/moves/emptying-run.ts';
import { createMovePrices, type MovePrices } from '../shared/moves/move-cost.ts';
import { type KnownUse, type MeasuredUse, readMeasuredUse, usualWindow } from '../shared/relief/measured-use.ts';
import type { PlannedRelief } from '../shared/relief/plan-relief.ts';
import { createBlockedTally } from '../shared/report/blocked-tally.ts';
import { hotLimitsOf } from './hot-limits.ts';
import { createHotRoom, type HotRoom } from './hot-room.ts';
import { isMeasured, type Loads } from './loads.ts';
import { type ConsolidationParameters, reserveOf } from './parameters.ts';

/** Conditions of a consolidation by search. */
export type ConsolidationContext = StrategyContext<ConsolidationParameters> & {
  /** Expected load of hosts. Undefined without measurements. */
  use?: MeasuredUse;
  /** Relief in the same plan, which the model contains. Default: none. */
  relief?: PlannedRelief | null;
};

/** Units of work to check a host for an instance. Rules, load and room take about 0.15 µs. A unit is at least 1 µs. */
const candidateWork = 0.5;

/** Hosts with instances that can be emptied: hosts that accept instances and, on request, disabled hosts. */
export function occupiedHosts({ model, parameters }: Pick<ConsolidationContext, 'model' | 'parameters'>): number[] {
  const hosts = parameters.empty_disabled ? upHosts(model) : acceptingHosts(model);
  return hosts.filter((host) => model.instancesOn(host).length > 0);
}

/** Occupied hosts that a plan may empty: all but those that take part in its relief. */
export function emptiableHosts(context: Pick<ConsolidationContext, 'model' | 'parameters' | 'relief'>): number[] {
  return occupiedHosts(context).filter((host) => context.relief?.hosts.has(host) !== true);
}

/** CPU loads of hosts as fractions of their CPUs, by row of the host. */
export function loadShares(model: WhatIf, cpu: Float64Array, hosts: readonly number[]): Map<number, number> {
  const cpus = totalCpus(model.snapshot);
  const load = (host: number) => model.instancesOn(host).reduce((sum, row) => sum + cpu[row]!, 0);
  return new Map(hosts.map((host) => [host, load(host) / cpus[host]!]));
}

/**
 * How a destination is chosen. `tightest`: the host with the fewest free vcpus, which keeps room for large instances.
 * `busiest`: the host with the highest initial CPU load, so that few hosts receive instances and more can be emptied
 * with few migrations. `last`: the host that is emptied last, so that also later plans do not empty it.
 */
export type Takers = 'tightest' | 'busiest' | 'last';

/** How hosts are emptied. */
export interface Attempt {
  order: readonly number[];
  takers: Takers;
  /** Maximum migrations. 0: no limit. */
  budget: number;
  /** Wanted hosts of instances, by row of the instance. Other instances stay. Default: any host with room. */
  wanted?: ReadonlyMap<number, number>;
  /** Hosts that are tried first, by row of the instance. Default: none. */
  preferred?: ReadonlyMap<number, number>;
  /** Hosts to be emptied. Before that they only accept instances that no other host accepts. Default: none. */
  planned?: ReadonlySet<number>;
}

/** Open hosts that may have room for instances, in the order of preference. */
interface Room {
  candidates(instance: number): Iterable<number>;
  /** Must be called for every move, and when a host starts or stops accepting instances. */
  moved(from: number, to: number): void;
  setOpen(host: number, open: boolean): void;
}

function tightestRoom(model: WhatIf, hosts: readonly number[]): Room {
  const freeCpus = (host: number) => model.free(host).vcpus;
  const room = createOrderedHosts(hosts, freeCpus);
  return {
    *candidates(instance) {
      for (let place = room.firstAtLeast(model.needs(instance).vcpus); place < room.size; place++) yield room.at(place);
    },
    moved(from, to) {
      for (const host of [from, to]) room.update(host, freeCpus(host));
    },
    setOpen(host, open) {
      room.remove(host);
      if (open) room.add(host, freeCpus(host));
    },
  };
}

/** @param order hosts in the order of preference */
function orderedRoom(
  model: WhatIf,
  order: readonly number[],
  cpu: Float64Array,
  target: AllocationTarget,
  hot: HotRoom,
): Room {
  const places = new Map(order.map((host, place) => [host, place]));
  const tree = createRoomTree(target, order, hot.freeCpu);
  return {
    *candidates(instance) {
      const need = { ...model.needs(instance), cpu: cpu[instance]! };
      for (let at = tree.next(0, need); at >= 0; at = tree.next(at + 1, need)) yield order[at]!;
    },
    moved(from, to) {
      for (const host of [from, to]) {
        const place = places.get(host);
        if (place !== undefined) tree.update(place);
      }
    },
    setOpen: (host, open) => tree.close(places.get(host)!, !open),
  };
}

function busiestFirst(model: WhatIf, hosts: readonly number[], cpu: Float64Array): number[] {
  const shares = loadShares(model, cpu, hosts);
  return [...hosts].sort((a, b) => shares.get(b)! - shares.get(a)! || a - b);
}

/** Hosts that are not emptied, then the others from the last on. */
function lastFirst(hosts: readonly number[], order: readonly number[]): number[] {
  const place = new Map(order.map((host, index) => [host, index]));
  return [...hosts].sort((a, b) => (place.get(b) ?? order.length) - (place.get(a) ?? order.length) || a - b);
}

/** By the loads of a search, which makes many attempts. */
const knownPrices = new WeakMap<Loads, MovePrices>();

function movePricesOf({ model, past }: ConsolidationContext, loads: Loads): MovePrices {
  const known = knownPrices.get(loads);
  if (known !== undefined) return known;
  const { vcpus } = model.snapshot.instances;
  const percent = (instance: number) => (loads.cpu[instance]! / vcpus[instance]!) * 100;
  const prices = createMovePrices(model, percent, new Set(Object.keys(past.departures)));
  knownPrices.set(loads, prices);
  return prices;
}

/** One attempt at emptying hosts in an order. */
export function attemptEmptying(
  context: ConsolidationContext,
  loads: Loads,
  { order, takers, budget, wanted, preferred, planned }: Attempt,
): EmptyingTask {
  const { model, parameters, relief, signal, use, work } = context;
  const occupied = occupiedHosts(context);
  const hot = createHotRoom(model, loads, hotLimitsOf(parameters));
  const open = occupied.filter((host) => model.enabled[host] === 1 && relief?.relieved.has(host) !== true);
  const mayTake = new Set(open);
  const target = createAllocationTarget(model, targetOf(parameters.target_utilization));
  const preference = () => (takers === 'last' ? lastFirst(open, order) : busiestFirst(model, open, loads.cpu));
  const room =
    takers === 'tightest' ? tightestRoom(model, open) : orderedRoom(model, preference(), loads.cpu, target, hot);
  const { vcpus } = model.snapshot.instances;

  const isOpen = new Set(open);
  const spared = new Set(planned);

  const takes = (instance: number, host: number) => {
    work.spend(candidateWork);
    return target.admits(instance, host) && hot.admits(instance, host) && (use?.fits(instance, host) ?? true);
  };

  const isWanted = (instance: number, host: number) => wanted === undefined || wanted.get(instance) === host;

  /** Hosts with room, with or without the hosts to be emptied. */
  function* others(instance: number, isSpared: boolean): Generator<number> {
    for (const host of room.candidates(instance))
      if (spared.has(host) === isSpared && isWanted(instance, host) && takes(instance, host)) yield host;
  }

  function* candidates(instance: number): Generator<number> {
    const first = preferred?.get(instance);
    if (first !== undefined && isOpen.has(first) && takes(instance, first)) yield first;
    yield* others(instance, false);
    if (spared.size > 0) yield* others(instance, true);
  }

  return {
    model,
    accepting: acceptingHosts(model),
    orders: [order],
    searchesSmall: false,
    instancesOf: (host) =>
      [...model.instancesOn(host)].sort((a, b) => (vcpus[b] as number) - (vcpus[a] as number) || a - b),
    candidates,
    moved(instance, from, to) {
      hot.moved(instance, from, to);
      use?.moved(instance, from, to);
      room.moved(from, to);
    },
    setOpen(host, open) {
      spared.delete(host);
      if (!mayTake.has(host)) return;
      if (open) isOpen.add(host);
      else isOpen.delete(host);
      room.setOpen(host, open);
    },
    immovable: model.immovable,
    barred: (host) => (isMeasured(model, host) ? null : 'coverage'),
    minutesOf: movePricesOf(context, loads),
    emptiesTakers: false,
    attempts: 0,
    reserve: 0,
    failureReserve: reserveOf(parameters),
    budget,
    signal,
  };
}

/** Expected load of hosts. Hosts are filled up to the hot limits. Null without measurements. */
export function readExpectedUse({ model, metrics, parameters }: ConsolidationContext): Promise<KnownUse | null> {
  const { cpu, memory = 100 } = hotLimitsOf(parameters);
  const request = { ...usualWindow, ...parameters, target_utilization: { vcpus: cpu, memory } };
  // The search reports gaps of the telemetry.
  return readMeasuredUse({ model, metrics, parameters: request }, upHosts(model), createBlockedTally());
}
