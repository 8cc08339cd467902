import { type BrokenRule, brokenRules, totalCpus, type WhatIf } from '#libs/cluster-model';
import type { Hinge } from '#libs/plugin-kit';
import { acceptingHosts } from '../shared/hosts/rows.ts';
import type { HotLimits } from './hot-limits.ts';
import { isMeasured, type Loads } from './loads.ts';

/**
 * Places of one kind that hosts should have. A place that a host lacks, and would have if it were empty, adds 1 to the
 * value of a term.
 */
export interface Places {
  /** Flavor or size of the freed places, such as `m1.large`. */
  label: string;
  /** Needs of one place, relative to the room below each hinge of the term, which is then a wall. */
  needs: number[];
  /** Resources of the needs, when places are room for instances. Default: none. */
  resources?: PlaceResource[];
}

/** A quantity of hosts that represents a term for users. */
export interface Share {
  /** Such as "CPU load". */
  words: string;
  /** Amount of each instance, and of each host without instances. Default of `base`: 0. */
  use: Float64Array;
  base?: Float64Array;
  /** Size of each host. */
  size: Float64Array;
}

/** An objective of a plan. Its value is the sum of its hinges and missing places over all hosts. 0 is optimal. */
export interface Term {
  /** Levels are compared in order: 0 repair, 1 risk, 2 the aim. */
  level: 0 | 1 | 2;
  name: string;
  unit: string;
  /** With `isWall` nothing may rise above the limit. */
  hinges: (Hinge & { isWall?: boolean })[];
  /**
   * Number of the hinge that a load must exceed before the term is worth a plan. The distance to the first hinge, the
   * target of the plan, prevents moves for noise. Default 0.
   */
  dueFrom?: number;
  /** Default: none. */
  places?: Places[];
  /** Reasons use one of these in percent of the host. Default: the contribution of the host to the value. */
  shares?: Share[];
  /** Additional lower bound of the value, for a reason other than hinges and places. Default 0. */
  least?: number;
  /** Sum of the hinges that no placement can avoid. The value excludes it. Default 0. */
  unavoidable?: number;
  /** Name of an earlier term whose unit and points per unit this term uses. Default: 100 points are its own gain. */
  pointsLike?: string;
}

/** Factors of a term, by the operator's word. */
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
/** Terms that only count on request, with their default factor. */
export const optionalTerms = { vcpus_balance: termFactors.off, instances_balance: termFactors.off };

/**
 * Distances to the mean, in percent of capacity. Load above each of them costs. Loads only move between hosts, so load
 * below costs as much. Hosts within the first distance count as balanced. A host above the second distance triggers a
 * plan.
 */
const steps = [2, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 60, 75, 100, 130];
/** Steps up to this one are the same for all hosts. The last of them above the mean triggers a plan. */
const innerStep = 5;
/** Steps on both sides of the mean, ascending. */
const usualDistances = [...steps.map((step) => -step).reverse(), ...steps];
/** Steps of whole instances: single up to this distance from the mean, then steps that grow with the distance. */
const instancesOneByOne = 32;

/** Resource that is measured by allocations. */
export type Resource = 'vcpus' | 'memory' | 'disk';
/** Resource of a place for a flavor. */
export type PlaceResource = Resource | 'dedicatedCpus';

/** A limit that no sum reaches. */
function beyond(use: Float64Array): number {
  return 1 + use.reduce((sum, value) => sum + value, 0);
}

/** Capacity of a host for its instances in a resource. Allocations without an instance stay. */
export function roomForInstances(model: WhatIf, host: number, resource: Resource): number {
  const residents = sumOf(model.instancesOn(host).map((row) => model.needs(row)[resource]));
  return model.capacity(host)[resource] - (model.used(host)[resource] - residents);
}

const sumOf = (values: Iterable<number>): number => {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
};

/** Instances on up hosts that accept no instances. */
function disabledHosts({ snapshot, enabled }: WhatIf): Term {
  const use = new Float64Array(snapshot.instanceInfo.length).fill(1);
  const most = beyond(use);
  const limit = Float64Array.from(enabled, (accepts) => (accepts === 1 ? most : 0));
  return { level: 0, name: 'disabled_hosts', unit: 'instances', hinges: [{ weight: 1, use, limit }] };
}

/**
 * Maximum rules that a plan repairs, those with the most misplaced instances first. Each rule is a column of the
 * search.
 */
const mostBroken = 40;
const brokenTerms = {
  broken_groups: ['anti-affinity', 'affinity'],
  broken_rules: ['rule-apart', 'rule-together', 'rule-hosts'],
  misplaced: ['zone', 'aggregate-isolation'],
} as const;

/** Instances whose current place breaks a hard server group, a strict rule, a zone or an aggregate. */
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
 * Percent of its size by which a host must exceed its limit to be hot. Smaller amounts may be noise. Halved when less
 * remains up to 100.
 */
const noisePercent = 2;
/** Percent of its size below the limit to which a hot host is relieved, so that it does not become hot again soon. */
export const reliefPercent = 5;

/** Use of a resource with a limit. */
interface LimitedUse {
  use: Float64Array;
  size: Float64Array;
  limitPercent: number;
  /** Whether this load of a host has lasted. Default true. */
  lastsAt?: Loads['lastsAt'];
}

/**
 * Load of hot hosts above their relief target, in percent of the size of the cloud. Other hosts must not become hot,
 * or hotter, and are otherwise unaffected. This includes hosts with too few measurements.
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

/** Distances below the relief target, in percent of a host, above which further load costs increasingly more. */
export const headroomSteps = [0, 10, 20, 30, 40, 50];

/**
 * The aim `relief`: load of hot hosts above their relief target, in percent of the size of the cloud. Additional load
 * of other hosts costs more the closer they are to that target. Other moves gain nothing.
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
 * Whole numbers of instances as distances to their mean, in percent of twice the mean. Between the usual steps, which
 * are several instances apart, every migration would gain the same for any destination.
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
 * The distances between adjacent steps, as fractions of the capacity. With these weights, the sum of the hinges grows
 * with the square of the distance.
 */
function weightOf(distances: readonly number[], at: number): number {
  const distance = distances[at]!;
  return ((distances[at + 1] ?? distance) - (distances[at - 1] ?? distance)) / 100;
}

/**
 * Variance of the shares of the hosts that accept instances, by hinges, in percent: 20 % from the mean on all hosts
 * are 4 %. Every host has the same weight: a unit above the mean weighs less on a large host, so its outer steps are
 * further apart.
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
    // Other hosts receive no instances: they neither cost anything nor have room for a bound.
    const limit = size.map((_, host) => (counting.has(host) ? limitAt(host, distances[at]!) : loads[host]!));
    return { weight: capacity > 0 ? (100 * weightOf(distances, at)) / capacity : 0, use, limit };
  };
  // A step that no host reaches has no effect.
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
    // A balanced cloud exceeds all hinges below the mean.
    unavoidable: sumOf(hinges.map(evenCost)),
  };
}

/** Terms that every plan repairs and avoids, for any aim. */
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
 * The aim `balance`: balances CPU load and allocated memory over the hosts, and on request also allocated vcpus and
 * instances.
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
    // A host is full with twice the mean number of instances.
    evenness(model, 'instances_balance', {
      use: new Float64Array(instanceInfo.length).fill(1),
      size: new Float64Array(hostInfo.length).fill(2 * mean),
      distances: countDistances(mean, most),
    }),
  ];
}
