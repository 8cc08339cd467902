import type { StrategyManifest } from '#libs/plugin-kit';
import { actuatorParameters } from './parameters.ts';

/** What `actuator` says of itself. */
export const actuatorManifest: StrategyManifest = {
  kind: 'strategy',
  name: 'actuator',
  displayName: 'Actuator',
  goal: 'unclassified',
  description:
    'Proposes exactly the actions that its parameters list, so that people can have a plan of their own executed.',
  parameters: actuatorParameters,
  metrics: [],
  models: ['compute'],
  planner: 'weight',
  needsCompleteModel: false,
  byOrder: true,
};
