import type { ComputeSnapshot, InstanceInfo } from './compute-snapshot.ts';
import { cpuNeed } from './instance-demands.ts';

/** CPUs of instances, and the dedicated ones that are in use on hosts, kept in step with moves. */
export interface DedicatedCpus {
  /** The instance's use of the host's VCPU. */
  sharedOf(instance: number): number;
  dedicatedOf(instance: number): number;
  /** Free dedicated CPUs of the host. 0 without any. */
  freeOn(host: number): number;
  lacksRoom(instance: number, host: number): boolean;
  moved(instance: number, from: number, to: number): void;
}

/** Hosts without known dedicated CPUs accept no instance that needs some. */
export function createDedicatedCpus({ hostInfo, instances, instanceInfo }: ComputeSnapshot): DedicatedCpus {
  const dedicated = new Float64Array(instanceInfo.length);
  const shared = new Float64Array(instanceInfo.length);
  instanceInfo.forEach((info, row) => {
    const need = cpuNeed(info, instances.vcpus[row] as number);
    dedicated[row] = need.dedicated;
    shared[row] = need.shared;
  });
  const used = Float64Array.from(hostInfo, ({ dedicatedCpus }) => dedicatedCpus?.used ?? 0);

  function add(host: number, amount: number): void {
    if (host >= 0) used[host] = (used[host] as number) + amount;
  }

  return {
    sharedOf: (instance) => shared[instance] as number,
    dedicatedOf: (instance) => dedicated[instance] as number,
    freeOn: (host) => (hostInfo[host]?.dedicatedCpus?.capacity ?? 0) - (used[host] as number),
    lacksRoom(instance, host) {
      const need = dedicated[instance] as number;
      if (need === 0) return false;
      const cpus = hostInfo[host]?.dedicatedCpus;
      return cpus === undefined || need > cpus.total || need > cpus.capacity - (used[host] as number);
    },
    moved(instance, from, to) {
      const need = dedicated[instance] as number;
      if (need === 0) return;
      add(from, -need);
      add(to, need);
    },
  };
}

/** The resources that an instance uses on its host, CPUs by their kind. Equals `WhatIf.needs`. */
export function needsOf(
  { instances, instanceInfo }: Pick<ComputeSnapshot, 'instances' | 'instanceInfo'>,
  row: number,
): { vcpus: number; dedicatedCpus: number; memory: number; disk: number } {
  const { shared, dedicated } = cpuNeed(instanceInfo[row] as InstanceInfo, instances.vcpus[row] as number);
  return {
    ...{ vcpus: shared, dedicatedCpus: dedicated },
    ...{ memory: instances.memory[row] as number, disk: instances.disk[row] as number },
  };
}

/**
 * CPUs of each host, shared and dedicated together: the base of a CPU load in percent. Placement counts them
 * separately, so a host with only dedicated CPUs has no VCPU.
 */
export function totalCpus({ hosts, hostInfo }: ComputeSnapshot): Float64Array {
  return hosts.vcpus.map((vcpus, row) => vcpus + (hostInfo[row]?.dedicatedCpus?.total ?? 0));
}
