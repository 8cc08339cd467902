import type { StrategyManifest } from '#libs/plugin-kit';
import { dummyParameters } from './parameters.ts';

/** What `dummy` says of itself. */
export const dummyManifest: StrategyManifest = {
  kind: 'strategy',
  name: 'dummy',
  displayName: 'Dummy strategy',
  goal: 'dummy',
  description: 'Proposes two messages and a short sleep. It touches nothing and shows that the whole chain works.',
  parameters: dummyParameters,
  metrics: [],
  models: ['compute'],
  planner: 'weight',
  needsCompleteModel: false,
};
