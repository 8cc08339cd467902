import { totalCpus, type WhatIf } from '#libs/cluster-model';
import type { Hinge } from '#libs/plugin-kit';
import { acceptingHosts } from '../rows.ts';
import type { HotLimits } from './hot-limits.ts';
import type { Loads } from './loads.ts';

/** Places of one kind that hosts should have; one that a host lacks, and would have if it were empty, adds 1 to the value of a term. */
export interface Places {
  /** Flavor or size that a place frees a host for, such as `m1.large`. */
  label: string;
  /** Needs of one place, of the room below each hinge of the term, which then is a wall. */
  needs: number[];
}

/** One thing that a plan is to improve. Its value is the sum of its hinges, and of the places that are missing, over all hosts; 0 is perfect. */
export interface Term {
  /** Levels are compared in order: 0 repair, 1 risk, 2 the aim. */
  level: 0 | 1 | 2;
  name: string;
  unit: string;
  hinges: Hinge[];
  /**
   * Number of the hinge that a load has to pass before the term is worth a plan: the distance to the first one, which the plan aims at, keeps noise from
   * moving anything. Default 0.
   */
  dueFrom?: number;
  /** Default: none. */
  places?: Places[];
  /** No plan brings the value below this, for a reason that hinges and places do not tell. Default 0. */
  least?: number;
}

/** How often a term counts more than usual, by the word of an operator. */
export const termFactors = { off: 0, low: 1 / 3, normal: 1, high: 3 } as const;

/**
 * Loads above the mean by so many percent of capacity: together they are nearly the square of the distance. What is nearer than the first is even enough,
 * and a plan is made once a host is above the second.
 */
const steps = [2, 5, 10, 20];

/** Resource that is counted by allocations. */
export type Resource = 'vcpus' | 'memory' | 'disk';

/** A limit that no sum reaches. */
function beyond(use: Float64Array): number {
  return 1 + use.reduce((sum, value) => sum + value, 0);
}

/** Room for the instances of a host in a resource: what is allocated and belongs to none of them stays. */
export function roomForInstances(model: WhatIf, host: number, resource: Resource): number {
  const residents = sumOf(model.instancesOn(host).map((row) => model.needs(row)[resource]));
  return model.capacity(host)[resource] - (model.used(host)[resource] - residents);
}

const sumOf = (values: Iterable<number>): number => {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
};

/** Instances on hosts that accept none, although they are up. */
function disabledHosts({ snapshot, enabled }: WhatIf): Term {
  const use = new Float64Array(snapshot.instanceInfo.length).fill(1);
  const most = beyond(use);
  const limit = Float64Array.from(enabled, (accepts) => (accepts === 1 ? most : 0));
  return { level: 0, name: 'disabled_hosts', unit: 'instances', hinges: [{ weight: 1, use, limit }] };
}

/** Allocations above the capacity of hosts, in percent of the capacity of the cloud. */
function overCapacity(model: WhatIf): Term {
  const { hostInfo, instanceInfo } = model.snapshot;
  const hinges = (['vcpus', 'memory', 'disk'] as Resource[]).map((resource): Hinge => {
    const limit = Float64Array.from(hostInfo, (_, host) => roomForInstances(model, host, resource));
    const capacity = sumOf(hostInfo.map((_, host) => model.capacity(host)[resource]));
    const use = Float64Array.from(instanceInfo, (_, row) => model.needs(row)[resource]);
    return { weight: capacity > 0 ? 100 / capacity : 0, use, limit };
  });
  return { level: 0, name: 'over_capacity', unit: '%', hinges };
}

/** Percent of its size by which a host has to be above its limit to be hot: what is nearer may be noise. Halved where less is left up to 100. */
const noisePercent = 2;
/** A hot host is relieved to so many percent of its size below the limit, so that it is not hot soon again. */
const reliefPercent = 5;

/**
 * Load of hot hosts above what they are relieved to, in percent of the size of the cloud. All others are kept from getting hot, or hotter than they are, and are left
 * alone otherwise.
 */
function hotSpots(
  model: WhatIf,
  name: string,
  { use, size, limitPercent }: { use: Float64Array; size: Float64Array; limitPercent: number },
): Term {
  const total = sumOf(size);
  const noise = Math.min(noisePercent, (100 - limitPercent) / 2);
  const limit = size.map((own, host) => {
    const load = sumOf(model.instancesOn(host).map((row) => use[row] as number));
    const share = own > 0 ? (100 * load) / own : 0;
    if (share > limitPercent + noise) return (own * (limitPercent - reliefPercent)) / 100;
    return Math.max((own * limitPercent) / 100, load);
  });
  return { level: 1, name, unit: '%', hinges: [{ weight: total > 0 ? 100 / total : 0, use, limit }] };
}

/** Load above the mean share of the hosts that accept instances, in percent of the capacity of the cloud. */
function evenness(model: WhatIf, name: string, use: Float64Array, size: Float64Array): Term {
  const hosts = acceptingHosts(model);
  const capacity = sumOf(hosts.map((host) => size[host] as number));
  const load = sumOf(hosts.flatMap((host) => model.instancesOn(host).map((row) => use[row] as number)));
  const mean = capacity > 0 ? load / capacity : 0;
  const most = beyond(use);
  const hinges = steps.map((step): Hinge => {
    const limit = size.map((own, host) => (model.enabled[host] === 1 ? own * (mean + step / 100) : most));
    return { weight: capacity > 0 ? 100 / capacity : 0, use, limit };
  });
  return { level: 2, name, unit: '%', hinges, dueFrom: 1 };
}

/** Terms that every plan repairs and avoids, whatever its aim. */
export function guardTerms(model: WhatIf, { cpu, memory }: Pick<Loads, 'cpu' | 'memory'>, limits: HotLimits): Term[] {
  const { hosts } = model.snapshot;
  const hotMemory =
    memory !== null && limits.memory !== undefined
      ? [hotSpots(model, 'hot_memory', { use: memory, size: hosts.memory, limitPercent: limits.memory })]
      : [];
  return [
    disabledHosts(model),
    overCapacity(model),
    hotSpots(model, 'hot_spots', { use: cpu, size: totalCpus(model.snapshot), limitPercent: limits.cpu }),
    ...hotMemory,
  ];
}

/** The aim `balance`: CPU load and allocated memory spread evenly over the hosts. */
export function balanceTerms(model: WhatIf, cpu: Float64Array): Term[] {
  const { hosts, instances } = model.snapshot;
  return [
    evenness(model, 'cpu_balance', cpu, totalCpus(model.snapshot)),
    evenness(model, 'memory_balance', instances.memory, hosts.memory),
  ];
}
