import type { StrategyManifest } from '#libs/plugin-kit';
import { workloadStabilizationParameters } from './parameters.ts';

/** What `workload_stabilization` says of itself. */
export const workloadStabilizationManifest: StrategyManifest = {
  kind: 'strategy',
  name: 'workload_stabilization',
  displayName: 'Workload stabilization',
  goal: 'workload_balancing',
  description:
    'Evens out CPU or memory load: when the standard deviation of the load over compute nodes exceeds a threshold, it ' +
    'live migrates instances, the most useful move first, until the spread is below the thresholds and halved.',
  parameters: workloadStabilizationParameters,
  metrics: ['host_cpu_usage', 'instance_cpu_usage', 'instance_ram_usage', 'host_ram_usage'],
  models: ['compute'],
  planner: 'resource',
  needsCompleteModel: false,
};
