import type { StrategyManifest } from '#libs/plugin-kit';
import { noisyNeighborParameters } from './parameters.ts';

/** What `noisy_neighbor` says of itself. */
export const noisyNeighborManifest: StrategyManifest = {
  kind: 'strategy',
  name: 'noisy_neighbor',
  displayName: 'Noisy Neighbor',
  goal: 'noisy_neighbor',
  description:
    'Where an instance of high priority loses L3 cache while one of lower priority on the same host takes more of it, the ' +
    'latter moves away. Priority is the metadata watcher-priority: lower numbers matter more. Deprecated, as in Watcher.',
  parameters: noisyNeighborParameters,
  metrics: ['instance_l3_cache_usage'],
  models: ['compute'],
  planner: 'resource',
  needsCompleteModel: false,
};
