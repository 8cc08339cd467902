import type { WhatIf } from '#libs/cluster-model';

/** Loads of hosts as sums over their instances, in vcpus or MiB, updated by moves. */
export interface Loads {
  /** Load of an instance. NaN: not measured. */
  ofInstance(instance: number): number;
  ofHost(host: number): number;
  /** Load of a host in percent of its physical size. */
  percent(host: number): number;
  /** Load of a host if every host had the same share. Moves do not change the sum of loads. */
  fairShare(host: number): number;
  size(host: number): number;
  /** Mean load of the hosts, in the unit of the loads. */
  average: number;
  /**
   * Whether a host stays below a limit in percent, including the load of `instance` and variation: two standard
   * deviations of the sum of its instances, which vary independently.
   */
  staysBelow(percent: number, host: number, instance?: number): boolean;
  /** Load that fits on a host below a limit in percent, including that variation. Negative above it. */
  room(percent: number, host: number): number;
  /** Population standard deviation of the shares of the hosts, as a fraction. */
  deviation(): number;
  moved(instance: number, from: number, to: number): void;
}

/** Number of standard deviations by which the load of a host stays below the threshold after a plan. */
const deviationsKept = 2;

/**
 * Sums the use of instances over the given hosts. Unmeasured instances (NaN) count by their estimate in `use`.
 * `variance`: of the use of each instance over time.
 */
export function createLoads(
  model: WhatIf,
  hosts: readonly number[],
  { measured, use, variance }: { measured: Float64Array; use: Float64Array; variance: Float64Array },
  size: Float64Array,
): Loads {
  const load = new Float64Array(size.length);
  const hostVariance = new Float64Array(size.length);
  let total = 0;
  let totalSize = 0;
  for (const host of hosts) {
    for (const instance of model.instancesOn(host)) add(host, instance, 1);
    total += load[host] as number;
    totalSize += size[host] as number;
  }
  function add(host: number, instance: number, sign: 1 | -1): void {
    load[host] = (load[host] as number) + sign * (use[instance] as number);
    // A rounding error below zero has no root.
    hostVariance[host] = Math.max(0, (hostVariance[host] as number) + sign * (variance[instance] as number));
  }

  const margin = (host: number, instance?: number) =>
    deviationsKept *
    Math.sqrt((hostVariance[host] as number) + (instance === undefined ? 0 : (variance[instance] ?? 0)));
  const sizeOf = (host: number) => size[host] ?? 0;
  const share = (host: number) => (sizeOf(host) === 0 ? 0 : (load[host] as number) / sizeOf(host));
  return {
    ofInstance: (instance) => measured[instance] ?? Number.NaN,
    ofHost: (host) => load[host] ?? 0,
    percent: (host) => share(host) * 100,
    fairShare: (host) => (totalSize === 0 ? 0 : (total / totalSize) * sizeOf(host)),
    size: sizeOf,
    average: hosts.length === 0 ? 0 : total / hosts.length,
    deviation() {
      if (hosts.length === 0) return 0;
      const mean = hosts.reduce((sum, host) => sum + share(host), 0) / hosts.length;
      return Math.sqrt(hosts.reduce((sum, host) => sum + (share(host) - mean) ** 2, 0) / hosts.length);
    },
    staysBelow(percent, host, instance) {
      const more = instance === undefined ? 0 : (use[instance] as number);
      return (load[host] as number) + more + margin(host, instance) < (percent / 100) * sizeOf(host);
    },
    room: (percent, host) => (percent / 100) * sizeOf(host) - (load[host] as number) - margin(host),
    moved(instance, from, to) {
      add(from, instance, -1);
      add(to, instance, 1);
    },
  };
}
