import type { StrategyContext } from '#libs/plugin-kit';
import { MetricsMissingError } from '../shared/report/errors.ts';
import type { NoisyNeighborParameters } from './parameters.ts';

/** L3 cache use in the last period and the previous one, bytes per instance row. NaN: unknown. */
export interface CacheUse {
  current: Float64Array;
  previous: Float64Array;
}

/**
 * Sends two grouped queries. Uses Watcher's means: of the last period and of two periods, where previous = 2 × both −
 * current, at least 0. Other aggregates are queried for each period separately. Throws MetricsMissingError when no
 * instance has a value.
 */
export async function readCacheUse(context: StrategyContext<NoisyNeighborParameters>): Promise<CacheUse> {
  const { metrics, parameters } = context;
  const { period, aggregation_method: aggregate = 'mean' } = parameters;
  const isMean = aggregate === 'mean';
  const before = isMean ? { periodSeconds: 2 * period } : { periodSeconds: period, endsSecondsAgo: period };
  const over = (window: { periodSeconds: number; endsSecondsAgo?: number }) =>
    metrics.instances('instance_l3_cache_usage', { ...window, aggregate });
  const [current, earlier] = await Promise.all([over({ periodSeconds: period }), over(before)]);
  if (current.length > 0 && current.every(Number.isNaN))
    throw new MetricsMissingError('noisy_neighbor', ['instance_l3_cache_usage'], period);
  if (!isMean) return { current, previous: earlier };
  return { current, previous: earlier.map((both, row) => Math.max(0, 2 * both - (current[row] as number))) };
}
