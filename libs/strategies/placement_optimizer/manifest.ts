import type { StrategyManifest } from '#libs/plugin-kit';
import { placementOptimizerParameters } from './parameters.ts';

/** Describes `placement_optimizer`. */
export const placementOptimizerManifest: StrategyManifest = {
  kind: 'strategy',
  name: 'placement_optimizer',
  displayName: 'Placement Optimizer',
  goal: 'placement_optimization',
  description:
    'Searches for the best placement by a preset: balance, consolidate, or repair_only. Levels are compared in order: what is broken, what is a risk, the aim, ' +
    'the price of the migrations. It tells how far the plan is from the best there is.',
  parameters: placementOptimizerParameters,
  // Without measurements it counts allocations.
  metrics: [],
  models: ['compute'],
  planner: 'resource',
  needsCompleteModel: true,
  replans: true,
  starts: 2,
};
