import type { StrategyManifest } from '#libs/plugin-kit';
import { basicParameters } from './parameters.ts';

/** What `basic` says of itself. */
export const basicManifest: StrategyManifest = {
  kind: 'strategy',
  name: 'basic',
  displayName: 'Basic offline consolidation',
  goal: 'server_consolidation',
  description:
    'Frees compute nodes: beginning with the least loaded one, all instances of a host move to the most loaded hosts ' +
    'that take them, and the host is disabled. A host that can not be emptied completely is left alone.',
  parameters: basicParameters,
  metrics: ['host_cpu_usage', 'instance_cpu_usage'],
  models: ['compute'],
  planner: 'resource',
  needsCompleteModel: true,
};
