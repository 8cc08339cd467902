import type { CloudHost, CloudState } from './simulated-cloud.ts';

/** Quantities of hosts, in the order in which Vigil reports them. */
export const shownQuantities = ['cpu_load', 'memory', 'vcpus', 'disk'] as const;
export type ShownQuantity = (typeof shownQuantities)[number];

/** Percent of the capacity of a host. */
export function shareOf(host: CloudHost, quantity: ShownQuantity): number {
  return quantity === 'cpu_load' ? host.cpuLoad : (100 * host[quantity]) / host.capacity[quantity];
}

/** Population standard deviation. 0 for no values. */
export function deviationOf(values: readonly number[]): number {
  if (values.length === 0) return 0;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
}

/** Whether the demand of a host's instances may exceed all of its CPUs: the cloud shows 100 %, and Vigil their sum. */
export const isSaturated = ({ cpuLoad }: CloudHost) => cpuLoad > 99.9;

/** Deviation over, and highest share of, the enabled hosts, in points and percent. A load has a host that runs. */
export function spreadOf({ hosts }: CloudState, quantity: ShownQuantity): { deviation: number; highest: number } {
  const counted = hosts.filter(({ enabled, alive }) => enabled && (alive || quantity !== 'cpu_load'));
  const shares = counted.map((host) => shareOf(host, quantity));
  return { deviation: deviationOf(shares), highest: Math.max(0, ...shares) };
}

/** Numbers of the cluster by their names in the outcome of a plan: counts, and deviations as parts of 1. */
export function clusterOf(state: CloudState): Record<string, number> {
  const { hosts, servers } = state;
  const enabled = hosts.filter((host) => host.enabled);
  const deviation = (quantity: ShownQuantity) => deviationOf(enabled.map((host) => shareOf(host, quantity))) / 100;
  return {
    hosts: hosts.length,
    hosts_enabled: enabled.length,
    hosts_empty: hosts.filter(({ instances }) => instances === 0).length,
    instances: servers.length,
    vcpu_share_deviation: deviation('vcpus'),
    memory_share_deviation: deviation('memory'),
  };
}
