import type { StrategyManifest } from '#libs/plugin-kit';
import { allocationBalanceParameters } from './parameters.ts';

/** What `allocation_balance` says of itself. */
export const allocationBalanceManifest: StrategyManifest = {
  kind: 'strategy',
  name: 'allocation_balance',
  displayName: 'Allocation Balance Strategy',
  goal: 'workload_balancing',
  description:
    'Spreads instances evenly over compute nodes by their number, or by allocated vcpus or memory, with the fewest ' +
    'migrations. It needs no metrics and spreads idle instances too, for instance after a failover piled them up.',
  parameters: allocationBalanceParameters,
  metrics: [],
  models: ['compute'],
  planner: 'resource',
  needsCompleteModel: false,
};
