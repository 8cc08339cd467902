import type { StrategyManifest } from '#libs/plugin-kit';
import { workloadBalanceParameters } from './parameters.ts';

/** What `workload_balance` says of itself. */
export const workloadBalanceManifest: StrategyManifest = {
  kind: 'strategy',
  name: 'workload_balance',
  displayName: 'Workload Balance Migration Strategy',
  goal: 'workload_balancing',
  description:
    'Relieves compute nodes whose CPU or memory load, summed over their instances, has reached a threshold: instances ' +
    'move live to the least loaded nodes that stay below it.',
  parameters: workloadBalanceParameters,
  metrics: ['instance_cpu_usage', 'instance_ram_usage'],
  models: ['compute'],
  planner: 'resource',
  needsCompleteModel: false,
};
