import type { StrategyManifest } from '#libs/plugin-kit';
import { hostMaintenanceParameters } from './parameters.ts';

/** What `host_maintenance` says of itself. */
export const hostMaintenanceManifest: StrategyManifest = {
  kind: 'strategy',
  name: 'host_maintenance',
  displayName: 'Host Maintenance Strategy',
  goal: 'cluster_maintaining',
  description:
    'Empties one compute node so that people can work on it: its service is disabled, then every instance is moved to ' +
    'the backup node or to where Nova finds room. Instances that can not leave are reported.',
  parameters: hostMaintenanceParameters,
  metrics: [],
  models: ['compute'],
  planner: 'resource',
  needsCompleteModel: false,
  byOrder: true,
};
