import type { StrategyManifest } from '#libs/plugin-kit';
import { storageCapacityBalanceParameters } from './parameters.ts';

/** What `storage_capacity_balance` says of itself. */
export const storageCapacityBalanceManifest: StrategyManifest = {
  kind: 'strategy',
  name: 'storage_capacity_balance',
  displayName: 'Storage Capacity Balance Strategy',
  goal: 'workload_balancing',
  description:
    'Brings storage pools that are filled above a threshold below it: volumes move to pools that stay below it themselves, ' +
    'by migration where their type allows it, otherwise by a change to an equal type of another backend.',
  parameters: storageCapacityBalanceParameters,
  metrics: [],
  models: ['compute', 'storage'],
  planner: 'weight',
  needsCompleteModel: true,
};
