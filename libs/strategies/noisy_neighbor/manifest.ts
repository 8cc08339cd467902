import type { StrategyManifest } from '#libs/plugin-kit';
import { noisyNeighborParameters } from './parameters.ts';

/** What `noisy_neighbor` says of itself. */
export const noisyNeighborManifest: StrategyManifest = {
  kind: 'strategy',
  name: 'noisy_neighbor',
  displayName: 'Noisy Neighbor',
  goal: 'noisy_neighbor',
  description:
    'Where an instance of high priority waits for CPUs (steal, ready time or pressure) that one of lower priority on the same ' +
    'host uses, the latter moves away; without such a measurement, where it loses L3 cache that the other takes. Priority is the metadata watcher-priority: lower numbers matter more. Deprecated, as in Watcher.',
  parameters: noisyNeighborParameters,
  metrics: ['instance_l3_cache_usage'],
  models: ['compute'],
  planner: 'resource',
  needsCompleteModel: false,
};
