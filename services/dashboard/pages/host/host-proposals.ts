import type { ClusterHost } from '../../api/cluster-types.ts';
import { roundedText } from '../../components/number-text.ts';
import type { Proposal } from '../../components/proposal-dialog.tsx';
import { text } from '../../texts/texts.ts';

/** Empties a host so that people can work on it. */
export function emptyHost(hostname: string): Proposal {
  return {
    title: text('host.emptyTitle', { host: hostname }),
    strategy: 'host_maintenance',
    parameters: { maintenance_node: hostname },
  };
}

/** Starts the instances of a fenced host elsewhere. */
export function evacuateHost(hostname: string): Proposal {
  return {
    title: text('host.evacuateTitle', { host: hostname }),
    strategy: 'failed_host_evacuation',
    parameters: { fenced_hosts: [hostname] },
  };
}

/**
 * Takes load off a host: every host above a threshold between its load and the mean of all gives instances away. Where
 * loads are not measured, or the host is not above the mean, what is allocated is evened out instead.
 * @param mean CPU load of all hosts in percent. Null: not known
 */
export function balanceAway(
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
