import type { WhatIf } from '#libs/cluster-model';

/** Loads of hosts as sums over their instances, in vcpus or MiB, kept in step with moves. */
export interface Loads {
  /** Load that an instance adds; NaN when it was not measured. */
  ofInstance(instance: number): number;
  ofHost(host: number): number;
  /** Load of a host in percent of its physical size. */
  percent(host: number): number;
  /** Load of a host if every host had the same share. The sum of loads does not change by moves. */
  fairShare(host: number): number;
  size(host: number): number;
  /** Mean load of the hosts, in the unit of the loads. */
  average: number;
  /** Population standard deviation of the shares of the hosts, as a fraction. */
  deviation(): number;
  moved(instance: number, from: number, to: number): void;
}

/**
 * Sums the use of instances over the given hosts. Instances without a measurement (NaN) count by their estimate in
 * `use`.
 */
export function createLoads(
  model: WhatIf,
  hosts: readonly number[],
  { measured, use }: { measured: Float64Array; use: Float64Array },
  size: Float64Array,
): Loads {
  const load = new Float64Array(size.length);
  let total = 0;
  let totalSize = 0;
  for (const host of hosts) {
    for (const instance of model.instancesOn(host)) load[host] = (load[host] as number) + (use[instance] as number);
    total += load[host] as number;
    totalSize += size[host] as number;
  }
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
    moved(instance, from, to) {
      const value = use[instance] as number;
      load[from] = (load[from] as number) - value;
      load[to] = (load[to] as number) + value;
    },
  };
}
