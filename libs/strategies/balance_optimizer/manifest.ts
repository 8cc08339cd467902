import type { StrategyManifest } from '#libs/plugin-kit';
import { balanceOptimizerParameters } from './parameters.ts';

/** Describes `balance_optimizer`. */
export const balanceOptimizerManifest: StrategyManifest = {
  kind: 'strategy',
  name: 'balance_optimizer',
  displayName: 'Balance Optimizer',
  goal: 'workload_balancing',
  description:
    'Searches for the best balance of CPU load and memory that a number of migrations can bring, relieves hot hosts first, and tells how ' +
    'far the plan is from the best there is. Every part of the plan improves the balance, so it may be stopped at any time.',
  parameters: balanceOptimizerParameters,
  // Without measurements it counts allocations.
  metrics: [],
  models: ['compute'],
  planner: 'resource',
  needsCompleteModel: false,
  replans: true,
  starts: 2,
};
