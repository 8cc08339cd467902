import type { StrategyManifest } from '#libs/plugin-kit';
import { failedHostEvacuationParameters } from './parameters.ts';

/** What `failed_host_evacuation` says of itself. */
export const failedHostEvacuationManifest: StrategyManifest = {
  kind: 'strategy',
  name: 'failed_host_evacuation',
  displayName: 'Failed Host Evacuation Strategy',
  goal: 'cluster_maintaining',
  description:
    'Brings the instances of failed compute nodes up on others. A node counts as failed when its compute service is down and it is fenced: ' +
    'forced down in Nova, or named by the operator. One that only does not report is never evacuated, since its guests may still run.',
  parameters: failedHostEvacuationParameters,
  metrics: [],
  models: ['compute'],
  planner: 'resource',
  needsCompleteModel: false,
  byOrder: true,
};
