import { totalCpus, type WhatIf } from '#libs/cluster-model';
import type { Loads } from './read-loads.ts';

/** Measured CPU of hosts and instances in vcpus, kept in step with moves. */
export interface MeasuredCpu {
  ofHost(host: number): number;
  ofInstance(instance: number): number;
  /** CPUs of a host, those for dedicated use included. */
  cpusOf(host: number): number;
  /** Physical CPUs that are idle; below 0 when none is. */
  free(host: number): number;
  moved(instance: number, from: number, to: number): void;
}

/** Begins with the measurements. */
export function createMeasuredCpu({ snapshot }: WhatIf, loads: Loads): MeasuredCpu {
  const cpus = totalCpus(snapshot);
  const hosts = loads.hostPercent.map((percent, row) => (percent / 100) * (cpus[row] as number));
  const instances = loads.instancePercent.map(
    (percent, row) => (percent / 100) * (snapshot.instances.vcpus[row] as number),
  );
  return {
    cpusOf: (host) => cpus[host] ?? 0,
    ofHost: (host) => hosts[host] ?? 0,
    ofInstance: (instance) => instances[instance] ?? 0,
    free: (host) => (cpus[host] as number) - (hosts[host] as number),
    moved(instance, from, to) {
      const cpu = instances[instance] as number;
      hosts[from] = (hosts[from] as number) - cpu;
      hosts[to] = (hosts[to] as number) + cpu;
    },
  };
}
