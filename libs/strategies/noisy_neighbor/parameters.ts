import type { JsonObject, MetricAggregate } from '#libs/domain';
import { aggregationMethodSchema } from '../aggregation-method.ts';

/** Parameters of `noisy_neighbor`. */
export type NoisyNeighborParameters = {
  /** Percent by which the use of the L3 cache must have fallen or risen; default 35. */
  cache_threshold: number;
  /** Seconds; the last period is compared with the one before; default 100. */
  period: number;
  /** How samples of the window become one value; default mean. */
  aggregation_method?: MetricAggregate;
};

/** JSON Schema (draft 4) of the parameters. */
export const noisyNeighborParameters: JsonObject = {
  type: 'object',
  properties: {
    cache_threshold: {
      description: 'Performance drop in L3 cache threshold for migration, in percent.',
      type: 'number',
      minimum: 0,
      default: 35.0,
    },
    period: {
      description: 'Aggregate time period of the cache use, in seconds.',
      type: 'number',
      minimum: 1,
      default: 100.0,
    },
    aggregation_method: aggregationMethodSchema,
  },
};
