import { type ComputeSnapshot, hostFlag } from '#libs/cluster-model';

/** Numbers of a cloud, or of its part within a scope, that plans improve. */
interface ClusterNumbers {
  hosts: number;
  hostsEnabled: number;
  /** Number of hosts without instances. */
  hostsEmpty: number;
  instances: number;
  /** Standard deviation of the allocated share of the capacity over the enabled hosts. 0: balanced. */
  vcpuShareDeviation: number;
  memoryShareDeviation: number;
}

/** Computes counts and spreads of a snapshot. */
export function clusterNumbers(snapshot: ComputeSnapshot): ClusterNumbers {
  const { hosts, hostInfo, instances } = snapshot;
  const occupied = new Set(instances.host.filter((host) => host >= 0));
  const enabled = hostInfo.flatMap((_, row) => ((hosts.flags[row] as number) & hostFlag.enabled ? row : []));
  const share = (used: Float64Array, total: Float64Array, reserved: Float64Array, ratio: Float64Array) =>
    deviation(
      enabled.flatMap((row) => {
        const capacity = ((total[row] as number) - (reserved[row] as number)) * (ratio[row] as number);
        return capacity > 0 ? (used[row] as number) / capacity : [];
      }),
    );
  return {
    hosts: hostInfo.length,
    hostsEnabled: enabled.length,
    hostsEmpty: hostInfo.length - occupied.size,
    instances: snapshot.instanceInfo.length,
    vcpuShareDeviation: share(hosts.vcpusUsed, hosts.vcpus, hosts.vcpusReserved, hosts.vcpusRatio),
    memoryShareDeviation: share(hosts.memoryUsed, hosts.memory, hosts.memoryReserved, hosts.memoryRatio),
  };
}

function deviation(values: readonly number[]): number {
  if (values.length === 0) return 0;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return Math.round(Math.sqrt(variance) * 1e6) / 1e6;
}
