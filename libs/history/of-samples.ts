import type { MetricAggregate } from '#libs/domain';
import { percentileShare } from '#libs/domain';
import type { SeriesPoint } from './history-port.ts';

const hourMs = 3_600_000;

/**
 * Computes a percentile or the trend of samples, for sources that cannot. The port defines them. Undefined without
 * samples, and for a trend without two different times.
 */
export function ofSamples(points: readonly SeriesPoint[], aggregate: MetricAggregate): number | undefined {
  const share = percentileShare(aggregate);
  return share === undefined
    ? trendOf(points)
    : percentileOf(
        points.map((point) => point.value),
        share,
      );
}

/** Whether `ofSamples` computes the aggregate. */
export function needsSamples(aggregate: MetricAggregate): boolean {
  return aggregate === 'trend' || percentileShare(aggregate) !== undefined;
}

function percentileOf(values: number[], share: number): number | undefined {
  const sorted = Float64Array.from(values).sort();
  const rank = share * (sorted.length - 1);
  const [below, above] = [sorted[Math.floor(rank)], sorted[Math.ceil(rank)]];
  if (below === undefined || above === undefined) return undefined;
  return below + (above - below) * (rank - Math.floor(rank));
}

function trendOf(points: readonly SeriesPoint[]): number | undefined {
  const [first] = points;
  if (first === undefined) return undefined;
  const times = points.map(({ at }) => (at - first.at) / hourMs);
  const middle = mean(times);
  const level = mean(points.map(({ value }) => value));
  let [covariance, variance] = [0, 0];
  for (const [index, time] of times.entries()) {
    covariance += (time - middle) * ((points[index]?.value ?? level) - level);
    variance += (time - middle) ** 2;
  }
  return variance > 0 ? covariance / variance : undefined;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
