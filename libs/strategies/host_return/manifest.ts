import type { StrategyManifest } from '#libs/plugin-kit';
import { hostReturnParameters } from './parameters.ts';

/** What `host_return` says of itself. */
export const hostReturnManifest: StrategyManifest = {
  kind: 'strategy',
  name: 'host_return',
  displayName: 'Return from Maintenance Strategy',
  goal: 'cluster_maintaining',
  description:
    'The way back from host_maintenance: enables compute nodes again and, if wanted, moves back the instances that left ' +
    'them. Nodes that are down, or that somebody else disabled, are reported and left alone.',
  parameters: hostReturnParameters,
  metrics: [],
  models: ['compute'],
  planner: 'resource',
  needsCompleteModel: false,
  byOrder: true,
  readsPast: true,
};
