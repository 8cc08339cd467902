import type { WhatIf } from '#libs/cluster-model';
import type { StrategyContext } from '#libs/plugin-kit';
import type { EmptyingTask } from '../emptying-run.ts';
import { createOrderedHosts } from '../ordered-hosts.ts';
import { acceptingHosts } from '../rows.ts';
import { createAllocationTarget, targetOf } from '../target-utilization.ts';
import { hotLimitsOf } from './hot-limits.ts';
import { createHotRoom } from './hot-room.ts';
import type { Loads } from './loads.ts';
import type { ConsolidationParameters } from './parameters.ts';

/** All that a consolidation by search looks at. */
export type ConsolidationContext = StrategyContext<ConsolidationParameters>;

/** Units of work of a host that is looked at for an instance: rules, load and room take about 0.15 µs, and a unit stands for 1 µs at least. */
const candidateWork = 0.5;

/** Hosts that accept instances and have some. */
export function occupiedHosts(model: WhatIf): number[] {
  return acceptingHosts(model).filter((host) => model.instancesOn(host).length > 0);
}

/** How hosts are to be emptied. */
export interface Attempt {
  order: readonly number[];
  /** Migrations at most; 0: any number. */
  budget: number;
  /** Hosts that instances are to go to, by row of the instance; others stay. Default: wherever there is room. */
  wanted?: ReadonlyMap<number, number>;
  /** Hosts that are tried first, by row of the instance. Default: none. */
  preferred?: ReadonlyMap<number, number>;
}

/** One attempt at emptying hosts in an order; the fullest host that takes an instance takes it. */
export function attemptEmptying(
  { model, parameters, signal, work }: ConsolidationContext,
  loads: Loads,
  { order, budget, wanted, preferred }: Attempt,
): EmptyingTask {
  const occupied = occupiedHosts(model);
  const hot = createHotRoom(model, loads, hotLimitsOf(parameters));
  const freeCpus = (host: number) => model.free(host).vcpus;
  const room = createOrderedHosts(occupied, freeCpus);
  const mayTake = new Set(occupied);
  const target = createAllocationTarget(model, targetOf(parameters.target_utilization));
  const { vcpus } = model.snapshot.instances;

  const isOpen = new Set(occupied);

  const takes = (instance: number, host: number) => {
    work.spend(candidateWork);
    return target.admits(instance, host) && hot.admits(instance, host);
  };

  function* candidates(instance: number): Generator<number> {
    const first = preferred?.get(instance);
    if (first !== undefined && isOpen.has(first) && takes(instance, first)) yield first;
    for (let place = room.firstAtLeast(model.needs(instance).vcpus); place < room.size; place++) {
      const host = room.at(place);
      if (host === first || (wanted !== undefined && wanted.get(instance) !== host)) continue;
      if (takes(instance, host)) yield host;
    }
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
      for (const host of [from, to]) room.update(host, freeCpus(host));
    },
    setOpen(host, open) {
      room.remove(host);
      isOpen.delete(host);
      if (!open || !mayTake.has(host)) return;
      isOpen.add(host);
      room.add(host, freeCpus(host));
    },
    immovable: model.immovable,
    emptiesTakers: false,
    attempts: 0,
    reserve: 0,
    failureReserve: parameters.reserve_hosts,
    budget,
    signal,
  };
}
