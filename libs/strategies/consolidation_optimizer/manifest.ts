import type { StrategyManifest } from '#libs/plugin-kit';
import { consolidationOptimizerParameters } from './parameters.ts';

/** Describes `consolidation_optimizer`. */
export const consolidationOptimizerManifest: StrategyManifest = {
  kind: 'strategy',
  name: 'consolidation_optimizer',
  displayName: 'Consolidation Optimizer',
  goal: 'server_consolidation',
  description:
    'Searches for the plan that frees most hosts within a number of migrations, and of those plans the one that moves the least memory. It leaves the ' +
    'reserve for failures, makes no host hot, and tells how many hosts no plan can do without.',
  parameters: consolidationOptimizerParameters,
  // Without measurements it counts allocations.
  metrics: [],
  models: ['compute'],
  planner: 'resource',
  needsCompleteModel: true,
  replans: true,
  starts: 2,
};
