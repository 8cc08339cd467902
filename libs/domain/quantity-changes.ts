import {
  type HostBeforeAfter,
  type HostQuantity,
  type HostUse,
  hostQuantities,
  type QuantityChange,
} from './plan-hosts.ts';

/** Least change that counts, in points. Smaller changes are within the noise of measurements. */
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
 * All known quantities of the hosts, in the order of `hostQuantities`. A host counts while its compute service is
 * enabled, separately before and after the plan. A quantity without a value on any host is omitted.
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

/** Whether the plan makes the quantity worse: the fullest host becomes fuller, or the shares less even. */
export function isSideEffect({ deviation, highestBefore, fullest }: QuantityChange): boolean {
  return fullest.after - highestBefore >= leastChange || deviation.after - deviation.before >= leastChange;
}

/**
 * Whether the plan improves the quantity without a disadvantage: the fullest host less full, or the shares more even.
 */
export function isImprovement(change: QuantityChange): boolean {
  const { deviation, highestBefore, fullest } = change;
  const isBetter = highestBefore - fullest.after >= leastChange || deviation.before - deviation.after >= leastChange;
  return isBetter && !isSideEffect(change);
}
