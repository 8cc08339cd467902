import type { StrategyManifest } from '#libs/plugin-kit';
import { zoneMigrationParameters } from './parameters.ts';

/** What `zone_migration` says of itself. */
export const zoneMigrationManifest: StrategyManifest = {
  kind: 'strategy',
  name: 'zone_migration',
  displayName: 'Zone migration',
  goal: 'hardware_maintenance',
  description:
    'Moves instances off compute nodes and volumes off storage pools, in an order of priority and some at a time: each run ' +
    'plans the next ones, within limits per plan, compute node and storage pool.',
  parameters: zoneMigrationParameters,
  metrics: [],
  models: ['compute', 'storage'],
  planner: 'weight',
  needsCompleteModel: false,
  byOrder: true,
};
