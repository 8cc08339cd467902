import type { StrategyManifest } from '#libs/plugin-kit';
import { dummyWithScorerParameters } from './parameters.ts';

/** What `dummy_with_scorer` says of itself. */
export const dummyWithScorerManifest: StrategyManifest = {
  kind: 'strategy',
  name: 'dummy_with_scorer',
  displayName: 'Dummy Strategy using sample Scoring Engines',
  goal: 'dummy',
  description:
    'Asks the sample scoring engines about made-up telemetry and proposes messages with what they answer. It shows how ' +
    'a strategy uses scoring engines.',
  parameters: dummyWithScorerParameters,
  metrics: [],
  models: ['compute'],
  planner: 'weight',
  needsCompleteModel: false,
};
