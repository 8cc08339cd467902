import {
  type HostBeforeAfter,
  type HostQuantity,
  type HostUse,
  hostQuantities,
  type QuantityChange,
} from './plan-hosts.ts';

/** Least change, in points, that counts. Smaller ones are within the noise of measurements. */
const leastChange = 1;

/**
 * Share of a host in percent of its capacity, from 0. Undefined without a capacity, or for a CPU load that was not
 * measured.
 */
export function hostShare(
  quantity: HostQuantity,
  use: HostUse,
  capacity: HostBeforeAfter['capacity'],
): number | undefined {
  if (quantity === 'cpu_load') return use.cpuLoad;
  return capacity[quantity] > 0 ? (100 * use[quantity]) / capacity[quantity] : undefined;
}

/**
 * Every quantity that is known of the hosts, in the order of `hostQuantities`. A host counts before, and after, while
 * its compute service is enabled. A quantity that no host has is left out.
 */
export function quantityChanges(hosts: readonly HostBeforeAfter[]): QuantityChange[] {
  return hostQuantities.flatMap((quantity) => {
    const shares = hosts.flatMap(({ hostname, capacity, before, after }) => {
      const [from, to] = [hostShare(quantity, before, capacity), hostShare(quantity, after, capacity)];
      return from === undefined || to === undefined
        ? []
        : { hostname, from, to, before: before.enabled, after: after.enabled };
    });
    const starts = shares.filter(({ before }) => before).map(({ from }) => from);
    const ends = shares.filter(({ after }) => after);
    const fullest = ends.reduce<(typeof ends)[number] | undefined>(
      (most, host) => (most === undefined || host.to > most.to ? host : most),
      undefined,
    );
    if (fullest === undefined || starts.length === 0) return [];
    return {
      quantity,
      deviation: { before: deviationOf(starts), after: deviationOf(ends.map(({ to }) => to)) },
      highestBefore: starts.reduce((most, share) => Math.max(most, share), 0),
      fullest: { hostname: fullest.hostname, before: fullest.from, after: fullest.to },
    };
  });
}

function deviationOf(shares: readonly number[]): number {
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  return Math.sqrt(shares.reduce((sum, share) => sum + (share - mean) ** 2, 0) / shares.length);
}

/** Whether the plan makes the quantity worse: by a fuller host, or by shares that are less even. */
export function isSideEffect({ deviation, highestBefore, fullest }: QuantityChange): boolean {
  return fullest.after - highestBefore >= leastChange || deviation.after - deviation.before >= leastChange;
}

/** Whether the plan makes the quantity better and in nothing worse: fullest host less full, or shares more even. */
export function isImprovement(change: QuantityChange): boolean {
  const { deviation, highestBefore, fullest } = change;
  const isBetter = highestBefore - fullest.after >= leastChange || deviation.before - deviation.after >= leastChange;
  return isBetter && !isSideEffect(change);
}
