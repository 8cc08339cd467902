import type { ClusterHost } from '../../api/cluster-types.ts';
import { roundedText } from '../../components/number-text.ts';
import type { Proposal } from '../../components/proposal-dialog.tsx';
import { text } from '../../texts/texts.ts';

/** Drains a host for maintenance. */
export function emptyHost(hostname: string): Proposal {
  return {
    title: text('host.emptyTitle', { host: hostname }),
    strategy: 'host_maintenance',
    parameters: { maintenance_node: hostname },
  };
}

/** Rebuilds the instances of a fenced host on other hosts. */
export function evacuateHost(hostname: string): Proposal {
  return {
    title: text('host.evacuateTitle', { host: hostname }),
    strategy: 'failed_host_evacuation',
    parameters: { fenced_hosts: [hostname] },
  };
}

/**
 * Reduces the load of a host: every host above a threshold between its load and the mean of all gives up instances. If
 * loads are not measured, or the host is not above the mean, allocation is balanced instead.
 * @param mean CPU load of all hosts in percent. Null: unknown
 */
export function balanceLoad(
  { hostname, cpu_load: load }: Pick<ClusterHost, 'hostname' | 'cpu_load'>,
  mean: number | null,
): { proposal: Proposal; why: string } {
  const title = text('host.balanceTitle', { host: hostname });
  const even = { title, strategy: 'allocation_balance', parameters: { resource: 'vcpus' } };
  if (load === null || mean === null) return { proposal: even, why: text('host.noLoad') };
  const threshold = Math.ceil((load + mean) / 2);
  if (threshold >= load)
    return {
      proposal: even,
      why: text('host.notAbove', { load: roundedText(load), mean: roundedText(mean) }),
    };
  return {
    proposal: { title, strategy: 'workload_balance', parameters: { metrics: 'instance_cpu_usage', threshold } },
    why: text('host.above', { load: roundedText(load), mean: roundedText(mean), threshold }),
  };
}
