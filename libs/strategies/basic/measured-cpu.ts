import { totalCpus, type WhatIf } from '#libs/cluster-model';

/** Measured CPU of hosts and instances in vcpus, updated by moves. */
export interface MeasuredCpu {
  ofHost(host: number): number;
  ofInstance(instance: number): number;
  /** CPUs of a host, including those for dedicated use. */
  cpusOf(host: number): number;
  /** Idle physical CPUs up to the target. Negative when the host is above the target. */
  free(host: number): number;
  moved(instance: number, from: number, to: number): void;
}

/**
 * Creates it from the measurements, in percent by row.
 * @param target maximum percent to which hosts are filled. Default 100
 */
export function createMeasuredCpu(
  { snapshot }: WhatIf,
  hostPercent: Float64Array,
  instancePercent: Float64Array,
  target = 100,
): MeasuredCpu {
  const cpus = totalCpus(snapshot);
  const hosts = hostPercent.map((percent, row) => (percent / 100) * (cpus[row] as number));
  const instances = instancePercent.map((percent, row) => (percent / 100) * (snapshot.instances.vcpus[row] as number));
  return {
    cpusOf: (host) => cpus[host] ?? 0,
    ofHost: (host) => hosts[host] ?? 0,
    ofInstance: (instance) => instances[instance] ?? 0,
    free: (host) => ((cpus[host] as number) * target) / 100 - (hosts[host] as number),
    moved(instance, from, to) {
      const cpu = instances[instance] as number;
      hosts[from] = (hosts[from] as number) - cpu;
      hosts[to] = (hosts[to] as number) + cpu;
    },
  };
}
