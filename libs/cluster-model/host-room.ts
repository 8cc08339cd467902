import type { ComputeSnapshot } from './compute-snapshot.ts';
import { createDedicatedCpus } from './dedicated-cpus.ts';
import { unitRefusal } from './unit-rules.ts';
import type { ConstraintName, WhatIf } from './what-if.ts';

/** Slack against rounding when fractional ratios are multiplied. */
const tolerance = 1e-6;

/** Capacity and use of each host, kept in step with moves. */
export interface HostRoom extends Pick<WhatIf, 'capacity' | 'used' | 'free' | 'freeDedicatedCpus' | 'needs'> {
  /** The resource that the host lacks for one more such instance, or null. */
  refusal(instance: number, host: number): ConstraintName | null;
  /** A host of −1 is none. */
  moved(instance: number, from: number, to: number): void;
}

function usableCapacity(total: Float64Array, reserved: Float64Array, ratio: Float64Array): Float64Array {
  return Float64Array.from(total, (value, row) => (value - (reserved[row] as number)) * (ratio[row] as number));
}

/**
 * Computes the room of the hosts from the snapshot. Besides free capacity a host must be at least as big as the
 * instance (Nova's `max_unit` is the physical total).
 */
export function createHostRoom(snapshot: ComputeSnapshot): HostRoom {
  const { hosts, instances, hostInfo } = snapshot;
  const vcpusUsed = hosts.vcpusUsed.slice();
  const memoryUsed = hosts.memoryUsed.slice();
  const diskUsed = hosts.diskUsed.slice();
  const vcpusCapacity = usableCapacity(hosts.vcpus, hosts.vcpusReserved, hosts.vcpusRatio);
  const memoryCapacity = usableCapacity(hosts.memory, hosts.memoryReserved, hosts.memoryRatio);
  const diskCapacity = usableCapacity(hosts.disk, hosts.diskReserved, hosts.diskRatio);
  const cpus = createDedicatedCpus(snapshot);
  /** Three numbers for each host: the common case of a refusal is one array access for each resource. */
  const largest = new Float64Array(3 * hostInfo.length);
  for (let host = 0; host < hostInfo.length; host++) measure(host);

  /** The most that one more instance may need of each resource of the host. */
  function measure(host: number): void {
    const { vcpus, memory, disk } = hostInfo[host]?.units ?? {};
    const most = (unit = Number.POSITIVE_INFINITY, total: Float64Array, capacity: Float64Array, used: Float64Array) =>
      Math.min(unit, total[host] as number, (capacity[host] as number) - (used[host] as number) + tolerance);
    largest[3 * host] = most(vcpus?.most, hosts.vcpus, vcpusCapacity, vcpusUsed);
    largest[3 * host + 1] = most(memory?.most, hosts.memory, memoryCapacity, memoryUsed);
    largest[3 * host + 2] = most(disk?.most, hosts.disk, diskCapacity, diskUsed);
  }

  function account(instance: number, host: number, sign: 1 | -1): void {
    if (host < 0) return;
    vcpusUsed[host] = (vcpusUsed[host] as number) + sign * cpus.sharedOf(instance);
    memoryUsed[host] = (memoryUsed[host] as number) + sign * (instances.memory[instance] as number);
    diskUsed[host] = (diskUsed[host] as number) + sign * (instances.disk[instance] as number);
    measure(host);
  }

  return {
    capacity: (host) => ({
      vcpus: vcpusCapacity[host] ?? 0,
      memory: memoryCapacity[host] ?? 0,
      disk: diskCapacity[host] ?? 0,
    }),
    used: (host) => ({ vcpus: vcpusUsed[host] ?? 0, memory: memoryUsed[host] ?? 0, disk: diskUsed[host] ?? 0 }),
    free: (host) => ({
      vcpus: (vcpusCapacity[host] ?? 0) - (vcpusUsed[host] ?? 0),
      memory: (memoryCapacity[host] ?? 0) - (memoryUsed[host] ?? 0),
      disk: (diskCapacity[host] ?? 0) - (diskUsed[host] ?? 0),
    }),
    freeDedicatedCpus: cpus.freeOn,
    needs: (instance) => ({
      vcpus: cpus.sharedOf(instance),
      dedicatedCpus: cpus.dedicatedOf(instance),
      memory: instances.memory[instance] as number,
      disk: instances.disk[instance] as number,
    }),
    refusal(instance, host) {
      const vcpus = cpus.sharedOf(instance);
      if (vcpus !== 0 && vcpus > (largest[3 * host] as number)) return 'vcpu';
      if (cpus.lacksRoom(instance, host)) return 'dedicated-cpu';
      const memory = instances.memory[instance] as number;
      if (memory !== 0 && memory > (largest[3 * host + 1] as number)) return 'memory';
      const disk = instances.disk[instance] as number;
      if (disk !== 0 && disk > (largest[3 * host + 2] as number)) return 'disk';
      const units = hostInfo[host]?.units;
      return units === undefined
        ? null
        : unitRefusal(units, { vcpus, dedicatedCpus: cpus.dedicatedOf(instance), memory, disk });
    },
    moved(instance, from, to) {
      account(instance, from, -1);
      account(instance, to, 1);
      cpus.moved(instance, from, to);
    },
  };
}
