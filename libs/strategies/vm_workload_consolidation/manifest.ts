import type { StrategyManifest } from '#libs/plugin-kit';
import { vmWorkloadConsolidationParameters } from './parameters.ts';

/** What `vm_workload_consolidation` says of itself. */
export const vmWorkloadConsolidationManifest: StrategyManifest = {
  kind: 'strategy',
  name: 'vm_workload_consolidation',
  displayName: 'VM Workload Consolidation Strategy',
  goal: 'server_consolidation',
  description:
    'Frees compute nodes: relieves overloaded ones, then empties hosts one by one by moving all their instances to ' +
    'hosts that stay, and disables what became empty. Measured use must fit the physical size of a host, allocations ' +
    'its overcommitted capacity.',
  parameters: vmWorkloadConsolidationParameters,
  metrics: [
    'instance_ram_allocated',
    'instance_cpu_usage',
    'instance_ram_usage',
    'instance_root_disk_size',
    'host_cpu_usage',
    'host_ram_usage',
  ],
  models: ['compute'],
  planner: 'resource',
  needsCompleteModel: true,
};
