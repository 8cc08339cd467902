import type { ComputeSnapshot } from './compute-snapshot.ts';

/**
 * CPUs of each host, shared and dedicated ones together: what a CPU load in percent is a part of. Placement counts the two
 * apart, so that a host with dedicated CPUs only has no VCPU at all.
 */
export function totalCpus({ hosts, hostInfo }: ComputeSnapshot): Float64Array {
  return hosts.vcpus.map((vcpus, row) => vcpus + (hostInfo[row]?.dedicatedCpus?.total ?? 0));
}
