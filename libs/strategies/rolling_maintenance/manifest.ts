import type { StrategyManifest } from '#libs/plugin-kit';
import { rollingMaintenanceParameters } from './parameters.ts';

/** What `rolling_maintenance` says of itself. */
export const rollingMaintenanceManifest: StrategyManifest = {
  kind: 'strategy',
  name: 'rolling_maintenance',
  displayName: 'Rolling Maintenance Strategy',
  goal: 'cluster_maintaining',
  description:
    'Empties compute nodes one after the other, for people or tools to work on: the next one when the service of the one ' +
    'before was enabled again. Run it as a CONTINUOUS audit. It stops when actions failed or a node cannot be emptied, and ' +
    'keeps to a time of day.',
  parameters: rollingMaintenanceParameters,
  metrics: [],
  models: ['compute'],
  planner: 'resource',
  needsCompleteModel: true,
  byOrder: true,
  readsPast: true,
};
