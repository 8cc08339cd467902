import type { StrategyManifest } from '#libs/plugin-kit';
import { dummyWithResizeParameters } from './parameters.ts';

/** What `dummy_with_resize` says of itself. */
export const dummyWithResizeManifest: StrategyManifest = {
  kind: 'strategy',
  name: 'dummy_with_resize',
  displayName: 'Dummy strategy with resize',
  goal: 'dummy',
  description:
    'Proposes messages, a sleep, and migrations and a resize of two instances that no cloud has. It shows how a plan ' +
    'orders such actions; the applier skips those whose instance does not exist.',
  parameters: dummyWithResizeParameters,
  metrics: [],
  models: ['compute'],
  planner: 'weight',
  needsCompleteModel: false,
};
