import type { ClusterHost } from '../../api/cluster-types.ts';
import type { Proposal } from '../../components/proposal-dialog.tsx';

/** Empties a host so that people can work on it. */
export function emptyHost(hostname: string): Proposal {
  return {
    title: `Empty ${hostname} for maintenance`,
    strategy: 'host_maintenance',
    parameters: { maintenance_node: hostname },
  };
}

/** Starts the instances of a fenced host elsewhere. */
export function evacuateHost(hostname: string): Proposal {
  return {
    title: `Evacuate ${hostname}`,
    strategy: 'failed_host_evacuation',
    parameters: { fenced_hosts: [hostname] },
  };
}

/**
 * Takes load off a host: every host above a threshold between its load and the mean of all gives instances away. Where loads are not
 * measured, or the host is not above the mean, what is allocated is evened out instead.
 * @param mean CPU load of all hosts in percent; null: not known
 */
export function balanceAway(
  { hostname, cpu_load: load }: Pick<ClusterHost, 'hostname' | 'cpu_load'>,
  mean: number | null,
): { proposal: Proposal; why: string } {
  const title = `Balance load away from ${hostname}`;
  const even = { title, strategy: 'allocation_balance', parameters: { resource: 'vcpus' } };
  if (load === null || mean === null)
    return { proposal: even, why: 'Its load is not measured: allocated vCPUs are evened out over the hosts.' };
  const threshold = Math.ceil((load + mean) / 2);
  if (threshold >= load)
    return {
      proposal: even,
      why: `Its CPU load of ${load.toFixed(0)} % is not above that of the others (${mean.toFixed(0)} %): allocated vCPUs are evened out over the hosts.`,
    };
  return {
    proposal: { title, strategy: 'workload_balance', parameters: { metrics: 'instance_cpu_usage', threshold } },
    why: `Its CPU load is ${load.toFixed(0)} %, the mean of all hosts ${mean.toFixed(0)} %: every host above ${threshold} % gives instances to hosts that stay below.`,
  };
}
