import type { WhatIf } from '#libs/cluster-model';
import type { AllocationBalanceParameters } from './parameters.ts';

/** Quantity to balance: a level per host, and the share of an instance in it. */
export interface Levels {
  /** Quantity and unit, for explanations. */
  readonly quantity: string;
  /** Text after a level in a sentence. */
  readonly words: string;
  /** The quantity without a number: `allocated vcpus`. */
  readonly noun: string;
  readonly unit: string;
  /** Hosts within these bounds are left unchanged. */
  readonly low: number;
  readonly high: number;
  of(host: number): number;
  /** Must be called for every move in the model from or to a host. */
  update(host: number): void;
  /** Amount that an instance adds to the level of a host. */
  weight(instance: number, host: number): number;
  /**
   * Order in which the instances of a host are tried: those that are cheap to move, or with the largest effect, first.
   */
  compare(a: number, b: number): number;
  /** Unit of `deviation`. Undefined for counts. */
  readonly deviationUnit?: 'fraction';
  /** Population standard deviation over the hosts. Counts are absolute, shares are fractions. */
  deviation(): number;
  /**
   * Whether the deviation falls when the levels of two hosts change by these amounts. A host that moves within the
   * bounds may push a host of another size further from the mean. O(1).
   */
  narrows(from: number, lost: number, to: number, gained: number): boolean;
}

/** Tolerance for rounding of levels. */
const rounding = 1e-9;

function deviationOf(values: number[]): number {
  if (values.length === 0) return 0;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
}

/**
 * Bounds with the distance `difference` that need the fewest moves: the larger of the amounts above and below them.
 * Only bounds around the mean can hold all instances.
 */
function countBounds(counts: number[], difference: number): { low: number; high: number } {
  const mean = counts.reduce((sum, count) => sum + count, 0) / Math.max(1, counts.length);
  let best = { low: Math.floor(mean), high: Math.floor(mean) + difference, moves: Number.POSITIVE_INFINITY };
  for (let low = Math.floor(mean); low >= Math.max(0, Math.ceil(mean - difference)); low--) {
    const high = low + difference;
    const above = counts.reduce((sum, count) => sum + Math.max(0, count - high), 0);
    const below = counts.reduce((sum, count) => sum + Math.max(0, low - count), 0);
    const moves = Math.max(above, below);
    if (moves < best.moves) best = { low, high, moves };
  }
  return best;
}

/** Levels by row, read from the model on request, and their sum. */
function kept(count: number, hosts: readonly number[], read: (host: number) => number) {
  const levels = new Float64Array(count);
  let sum = 0;
  const of = (host: number): number => levels[host] as number;
  const update = (host: number): void => {
    const level = read(host);
    sum += level - of(host);
    levels[host] = level;
  };
  for (const host of hosts) update(host);
  return {
    of,
    update,
    narrows(from: number, lost: number, to: number, gained: number): boolean {
      const squares = gained * (2 * of(to) + gained) - lost * (2 * of(from) - lost);
      const shift = gained - lost;
      return squares - (shift * (2 * sum + shift)) / hosts.length < -rounding;
    },
  };
}

function countLevels(model: WhatIf, hosts: readonly number[], difference: number): Levels {
  const levels = kept(model.enabled.length, hosts, (host) => model.instancesOn(host).length);
  const { of } = levels;
  const { memory } = model.snapshot.instances;
  return {
    quantity: 'instances',
    words: 'instances',
    noun: 'instances',
    unit: '',
    ...countBounds(hosts.map(of), difference),
    ...levels,
    weight: () => 1,
    compare: (a, b) => (memory[a] as number) - (memory[b] as number) || a - b,
    deviation: () => deviationOf(hosts.map(of)),
  };
}

function shareLevels(model: WhatIf, hosts: readonly number[], resource: 'vcpus' | 'memory', tolerance: number): Levels {
  const capacities = Float64Array.from(model.enabled, (_, host) => model.capacity(host)[resource]);
  const levels = kept(model.enabled.length, hosts, (host) => {
    const size = capacities[host] as number;
    return size > 0 ? (model.used(host)[resource] / size) * 100 : 0;
  });
  const capacity = hosts.reduce((sum, host) => sum + (capacities[host] as number), 0);
  const used = hosts.reduce((sum, host) => sum + model.used(host)[resource], 0);
  const mean = capacity > 0 ? (used / capacity) * 100 : 0;
  const sizes = Float64Array.from(model.hostOf, (_, instance) => model.needs(instance)[resource]);
  return {
    quantity: `${resource}_allocated_share`,
    words: `of ${resource} allocated`,
    noun: resource === 'vcpus' ? 'allocated vcpus' : 'allocated memory',
    deviationUnit: 'fraction',
    unit: '%',
    low: mean - tolerance,
    high: mean + tolerance,
    ...levels,
    weight: (instance, host) => ((sizes[instance] as number) / (capacities[host] as number)) * 100,
    compare: (a, b) => (sizes[b] as number) - (sizes[a] as number) || a - b,
    deviation: () => deviationOf(hosts.map(levels.of)) / 100,
  };
}

/** Creates levels of the given hosts. They follow moves in the model. The bounds stay constant. */
export function createLevels(model: WhatIf, hosts: readonly number[], parameters: AllocationBalanceParameters): Levels {
  const { resource, instance_difference: difference, share_tolerance: tolerance } = parameters;
  if (resource === 'instances') return countLevels(model, hosts, difference);
  return shareLevels(model, hosts, resource, tolerance);
}
