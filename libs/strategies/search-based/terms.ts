import { type BrokenRule, brokenRules, totalCpus, type WhatIf } from '#libs/cluster-model';
import type { Hinge } from '#libs/plugin-kit';
import { acceptingHosts } from '../shared/hosts/rows.ts';
import type { HotLimits } from './hot-limits.ts';
import { isMeasured, type Loads } from './loads.ts';

/**
 * Places of one kind that hosts should have. One that a host lacks, and would have if it were empty, adds 1 to the
 * value of a term.
 */
export interface Places {
  /** Flavor or size that a place frees a host for, such as `m1.large`. */
  label: string;
  /** Needs of one place, of the room below each hinge of the term, which then is a wall. */
  needs: number[];
  /** Resources of the needs, where places are room for instances. Default: they are not. */
  resources?: PlaceResource[];
}

/** A quantity of hosts by which people check a term. */
export interface Share {
  /** Such as "CPU load". */
  words: string;
  /** Of each instance, and of each host without instances. Default of `base`: 0. */
  use: Float64Array;
  base?: Float64Array;
  /** Of each host: all of it. */
  size: Float64Array;
}

/**
 * One thing that a plan is to improve. Its value is the sum of its hinges, and of the places that are missing, over all
 * hosts; 0 is perfect.
 */
export interface Term {
  /** Levels are compared in order: 0 repair, 1 risk, 2 the aim. */
  level: 0 | 1 | 2;
  name: string;
  unit: string;
  hinges: Hinge[];
  /**
   * Number of the hinge that a load has to pass before the term is worth a plan: the distance to the first one, which
   * the plan aims at, keeps noise from moving anything. Default 0.
   */
  dueFrom?: number;
  /** Default: none. */
  places?: Places[];
  /** Its reasons name one of these in percent of the host. Default: the part of the host in the value. */
  shares?: Share[];
  /** Lower limit of the value for every plan, for a reason beyond hinges and places. Default 0. */
  least?: number;
  /** Sum of the hinges that no placement can avoid. It is no part of the value. Default 0. */
  unavoidable?: number;
  /** Name of a term before it with the same unit, of which a unit has as many points. Default: 100 are its own gain. */
  pointsLike?: string;
}

/** How often a term counts more than usual, by the word of an operator. */
export const termFactors = { off: 0, low: 1 / 3, normal: 1, high: 3 } as const;
/** Names of the terms of broken rules, overcommitted hosts and hot hosts, the aim `relief` included. */
export const urgentTerms: readonly string[] = [
  'disabled_hosts',
  'broken_groups',
  'broken_rules',
  'misplaced',
  'over_capacity',
  'hot_spots',
  'hot_memory',
  'headroom',
  'near_limit',
];
/** Terms that count on request only, with the factor that they have otherwise. */
export const optionalTerms = { vcpus_balance: termFactors.off, instances_balance: termFactors.off };

/**
 * Distances to the mean, in percent of capacity. Load above each of them costs. Loads only move between hosts, so load
 * below costs as much. Hosts nearer to the mean than the first distance are even enough. A host above the second
 * distance
 * triggers a plan.
 */
const steps = [2, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 60, 75, 100, 130];
/** Steps up to here are the same for all hosts. The last of them above the mean makes a plan worth it. */
const innerStep = 5;
/** Steps to both sides of the mean, ascending. */
const usualDistances = [...steps.map((step) => -step).reverse(), ...steps];
/**
 * Steps of whole instances: up to this distance from the mean one by one, beyond it in steps that grow with the
 * distance.
 */
const instancesOneByOne = 32;

/** Resource that is counted by allocations. */
export type Resource = 'vcpus' | 'memory' | 'disk';
/** Resource that a place for a flavor needs. */
export type PlaceResource = Resource | 'dedicatedCpus';

/** A limit that no sum reaches. */
function beyond(use: Float64Array): number {
  return 1 + use.reduce((sum, value) => sum + value, 0);
}

/** Room for the instances of a host in a resource. Allocations without an instance stay. */
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

/** Rules that a plan repairs at most, those with most misplaced instances first: each is a column of the search. */
const mostBroken = 40;
const brokenTerms = {
  broken_groups: ['anti-affinity', 'affinity'],
  broken_rules: ['rule-apart', 'rule-together', 'rule-hosts'],
  misplaced: ['zone', 'aggregate-isolation'],
} as const;

/** Instances that break a hard server group, a strict rule, a zone or an aggregate where they are. */
function brokenRuleTerms(model: WhatIf): Term[] {
  const broken = brokenRules(model)
    .sort((a, b) => b.misplaced - a.misplaced)
    .slice(0, mostBroken);
  return Object.entries(brokenTerms).flatMap(([name, reasons]): Term[] => {
    const own = broken.filter(({ because }) => reasons.some((reason) => reason === because));
    return own.length === 0 ? [] : [{ level: 0, name, unit: 'instances', hinges: own.map(ruleHinge(model)) }];
  });
}

const ruleHinge =
  ({ snapshot }: WhatIf) =>
  ({ instances, most }: BrokenRule): Hinge => {
    const use = new Float64Array(snapshot.instanceInfo.length);
    for (const row of instances) use[row] = 1;
    return { weight: 1, use, limit: most.map((count) => Math.min(count, beyond(use))) };
  };

/** Allocations above the capacity of hosts, in percent of the capacity of the cloud. */
function overCapacity(model: WhatIf): Term {
  const { hostInfo, instanceInfo } = model.snapshot;
  const hinges = (['vcpus', 'memory', 'disk'] as Resource[]).map((resource): Hinge => {
    const limit = Float64Array.from(hostInfo, (_, host) => roomForInstances(model, host, resource));
    const capacity = sumOf(hostInfo.map((_, host) => model.capacity(host)[resource]));
    const use = Float64Array.from(instanceInfo, (_, row) => model.needs(row)[resource]);
    return { weight: capacity > 0 ? 100 / capacity : 0, use, limit };
  });
  const shares = (['vcpus', 'memory', 'disk'] as Resource[]).map((resource, at): Share => {
    const size = Float64Array.from(hostInfo, (_, host) => model.capacity(host)[resource]);
    const base = size.map((own, host) => own - hinges[at]!.limit[host]!);
    return { words: resource, use: hinges[at]!.use, base, size };
  });
  return { level: 0, name: 'over_capacity', unit: '%', hinges, shares };
}

/**
 * Percent of its size by which a host must exceed its limit to be hot. Less may be noise. Halved where less is left up
 * to
 * 100.
 */
const noisePercent = 2;
/** A hot host is relieved to so many percent of its size below the limit, so that it is not hot soon again. */
export const reliefPercent = 5;

/** Use of a resource with a limit. */
interface LimitedUse {
  use: Float64Array;
  size: Float64Array;
  limitPercent: number;
  /** Whether such a load of a host has lasted. Default: every load has. */
  lastsAt?: Loads['lastsAt'];
}

/**
 * Load of hot hosts above their relief target, in percent of the size of the cloud. All others must not become hot, or
 * hotter, and are left alone otherwise. So are hosts with too few measurements.
 */
function hotSpots(model: WhatIf, name: string, { use, size, limitPercent, lastsAt }: LimitedUse): Term {
  const total = sumOf(size);
  const limit = size.map((own, host) => {
    const load = loadOf(model, use, host);
    if (isHot(model, { load, own, limitPercent, lastsAt }, host)) return (own * (limitPercent - reliefPercent)) / 100;
    return Math.max((own * limitPercent) / 100, load);
  });
  const words = name === 'hot_memory' ? 'memory load' : 'CPU load';
  const hinges = [{ weight: total > 0 ? 100 / total : 0, use, limit }];
  return { level: 1, name, unit: '%', hinges, shares: [{ words, use, size }] };
}

/** Sum of the use of the instances on a host. */
export function loadOf(model: WhatIf, use: Float64Array, host: number): number {
  return sumOf(model.instancesOn(host).map((row) => use[row] as number));
}

/** Whether enough of a load is measured, and it has stayed above its limit by more than noise. */
export function isHot(
  model: WhatIf,
  { load, own, limitPercent, lastsAt }: { load: number; own: number } & Pick<LimitedUse, 'limitPercent' | 'lastsAt'>,
  host: number,
): boolean {
  const hot = limitPercent + Math.min(noisePercent, (100 - limitPercent) / 2);
  if (own <= 0 || (100 * load) / own <= hot || !isMeasured(model, host)) return false;
  return lastsAt?.(host, (own * hot) / 100) ?? true;
}

/** Distances below the relief target, in percent of a host, from which on further load costs more and more. */
export const headroomSteps = [0, 10, 20, 30, 40, 50];

/**
 * The aim `relief`: load of hot hosts above their relief target, in percent of the size of the cloud. Load that others
 * get in addition costs the more, the nearer they come to that target. Nothing is gained by any other move.
 */
export function reliefTerms(
  model: WhatIf,
  { cpu, lastsAt }: Pick<Loads, 'cpu' | 'lastsAt'>,
  { cpu: limitPercent }: HotLimits,
): Term[] {
  const size = totalCpus(model.snapshot);
  const total = sumOf(size);
  const loads = size.map((_, host) => loadOf(model, cpu, host));
  const hinges = headroomSteps.map((step): Hinge => {
    const limit = size.map((own, host) => {
      const load = loads[host]!;
      const target = (own * Math.max(0, limitPercent - reliefPercent - step)) / 100;
      if (!isHot(model, { load, own, limitPercent, lastsAt }, host)) return Math.max(target, load);
      return step === 0 ? target : load;
    });
    return { weight: total > 0 ? 100 / total : 0, use: cpu, limit };
  });
  return [{ level: 2, name: 'headroom', unit: '%', hinges, shares: [{ words: 'CPU load', use: cpu, size }] }];
}

/**
 * Whole numbers of instances as distances to their mean, in percent of twice the mean. Between usual steps, which are
 * some instances apart, every migration would gain the same, wherever it goes.
 */
function countDistances(mean: number, most: number): number[] {
  if (mean <= 0) return usualDistances;
  const step = (count: number) => Math.max(1, Math.floor(Math.abs(count - mean) / instancesOneByOne));
  const counts: number[] = [];
  for (let count = Math.floor(mean); count >= 0; count -= step(count)) counts.unshift(count);
  for (let count = Math.floor(mean) + 1; count < most; count += step(count)) counts.push(count);
  return [...counts, most].map((count) => (50 * (count - mean)) / mean);
}

/**
 * The distance between the steps next to each, in parts of the capacity: with these weights the hinges together rise as
 * the square of the distance does.
 */
function weightOf(distances: readonly number[], at: number): number {
  const distance = distances[at]!;
  return ((distances[at + 1] ?? distance) - (distances[at - 1] ?? distance)) / 100;
}

/**
 * Variance of the shares of the hosts that accept instances, by hinges, in percent: 20 % from the mean on all hosts are
 * 4 %. Every host counts alike: a unit above the mean weighs less on a large host, so its outer steps are further
 * apart.
 */
function evenness(
  model: WhatIf,
  name: string,
  {
    use,
    size,
    words,
    distances = usualDistances,
    hosts = acceptingHosts(model),
  }: { use: Float64Array; size: Float64Array; words?: string; distances?: number[]; hosts?: readonly number[] },
): Term {
  const counting = new Set(hosts);
  const loads = size.map((_, host) => sumOf(model.instancesOn(host).map((row) => use[row] as number)));
  const capacity = sumOf(hosts.map((host) => size[host] as number));
  const mean = capacity > 0 ? sumOf(hosts.map((host) => loads[host] as number)) / capacity : 0;
  const own = (host: number) => size[host] as number;
  const widened = (host: number, step: number) =>
    step <= innerStep ? step : Math.max(innerStep, (step * own(host) * hosts.length) / capacity);
  const limitAt = (host: number, distance: number) =>
    own(host) * (mean + (Math.sign(distance) * widened(host, Math.abs(distance))) / 100);
  const hingeAt = (at: number): Hinge => {
    // Nothing goes to the other hosts: they neither cost anything nor have room that a bound could count on.
    const limit = size.map((_, host) => (counting.has(host) ? limitAt(host, distances[at]!) : loads[host]!));
    return { weight: capacity > 0 ? (100 * weightOf(distances, at)) / capacity : 0, use, limit };
  };
  // A step that no host reaches changes nothing.
  const isPassed = (distance: number) =>
    hosts.some((host) => Math.sign(distance) * (loads[host]! - limitAt(host, distance)) > 0);
  const due = distances.findLastIndex((distance) => distance <= innerStep);
  const kept = [...distances.keys()].filter(
    (at) => at === due || Math.abs(distances[at]!) <= innerStep || isPassed(distances[at]!),
  );
  const hinges = kept.map(hingeAt);
  const evenCost = ({ weight, limit }: Hinge) =>
    sumOf(hosts.map((host) => weight * Math.max(0, own(host) * mean - limit[host]!)));
  return {
    ...{ level: 2, name, unit: '%' },
    hinges,
    dueFrom: kept.indexOf(due),
    ...(words === undefined ? {} : { shares: [{ words, use, size }] }),
    // An even cloud is above all that lies below the mean.
    unavoidable: sumOf(hinges.map(evenCost)),
  };
}

/** Terms that every plan repairs and avoids, regardless of its aim. */
export function guardTerms(model: WhatIf, { cpu, memory, lastsAt }: Omit<Loads, 'notes'>, limits: HotLimits): Term[] {
  const { hosts } = model.snapshot;
  const hotMemory =
    memory !== null && limits.memory !== undefined
      ? [hotSpots(model, 'hot_memory', { use: memory, size: hosts.memory, limitPercent: limits.memory })]
      : [];
  return [
    disabledHosts(model),
    ...brokenRuleTerms(model),
    overCapacity(model),
    hotSpots(model, 'hot_spots', { use: cpu, size: totalCpus(model.snapshot), limitPercent: limits.cpu, lastsAt }),
    ...hotMemory,
  ];
}

/**
 * The aim `balance`: CPU load and allocated memory, on request also allocated vcpus and instances, spread evenly over
 * the hosts.
 */
export function balanceTerms(model: WhatIf, cpu: Float64Array): Term[] {
  const { hosts, instances, hostInfo, instanceInfo } = model.snapshot;
  const accepting = acceptingHosts(model);
  const measured = accepting.filter((host) => isMeasured(model, host));
  const counts = accepting.map((host) => model.instancesOn(host).length);
  const mean = sumOf(counts) / Math.max(1, accepting.length);
  const most = counts.reduce((largest, count) => Math.max(largest, count), 0);
  return [
    evenness(model, 'cpu_balance', { use: cpu, size: totalCpus(model.snapshot), words: 'CPU load', hosts: measured }),
    evenness(model, 'memory_balance', { use: instances.memory, size: hosts.memory, words: 'memory' }),
    evenness(model, 'vcpus_balance', {
      words: 'vcpus',
      use: Float64Array.from(instanceInfo, (_, row) => model.needs(row).vcpus),
      size: Float64Array.from(hostInfo, (_, host) => model.capacity(host).vcpus),
    }),
    // Twice as many as the hosts have on the average count as a full host.
    evenness(model, 'instances_balance', {
      use: new Float64Array(instanceInfo.length).fill(1),
      size: new Float64Array(hostInfo.length).fill(2 * mean),
      distances: countDistances(mean, most),
    }),
  ];
}
