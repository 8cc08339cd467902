import type { StrategyContext } from '#libs/plugin-kit';
import { MetricsMissingError } from '../errors.ts';
import type { NoisyNeighborParameters } from './parameters.ts';

/** Mean use of the L3 cache in the last period and the one before, bytes per instance row; NaN where not known. */
export interface CacheUse {
  current: Float64Array;
  previous: Float64Array;
}

/**
 * Two grouped queries: the mean of the last period, and that of two periods, from which the one before follows:
 * previous = 2 × both − current, at least 0. Throws MetricsMissingError when no instance has a value.
 */
export async function readCacheUse(context: StrategyContext<NoisyNeighborParameters>): Promise<CacheUse> {
  const { metrics, parameters } = context;
  const over = (periodSeconds: number) =>
    metrics.instances('instance_l3_cache_usage', { periodSeconds, aggregate: 'mean' });
  const [current, both] = await Promise.all([over(parameters.period), over(2 * parameters.period)]);
  if (current.length > 0 && current.every(Number.isNaN))
    throw new MetricsMissingError('noisy_neighbor', ['instance_l3_cache_usage'], parameters.period);
  return { current, previous: both.map((mean, row) => Math.max(0, 2 * mean - (current[row] as number))) };
}
