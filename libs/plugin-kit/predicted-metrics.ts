import { messageOf, metricCatalogue } from '#libs/domain';
import type { MetricsSource } from './metrics-reader.ts';

type Query = Parameters<MetricsSource['aggregate']>[0];
type Result = Awaited<ReturnType<NonNullable<MetricsSource['aggregateFrom']>>>;

/** A source whose means are those that are expected some time from now. */
export interface PredictedMetrics {
  source: MetricsSource;
  /** For the report of an audit: the predicted metrics, and those without a prediction. */
  notes(): string[];
}

/**
 * Extrapolates every mean along its trend, from the middle of its window to `horizonSeconds` after its end. The horizon
 * is at most the length of the window, because a short window says little about the far future. Percentages stay within
 * 0 and 100, amounts at or above 0. Without a trend, for one resource or for all, the mean stays as measured. Other
 * aggregates always do.
 */
export function predictMetrics(history: MetricsSource, horizonSeconds: number): PredictedMetrics {
  const notes = new Set<string>();

  async function request(query: Query): Promise<Result> {
    if (history.aggregateFrom !== undefined) return await history.aggregateFrom(query);
    return { values: await history.aggregate(query), source: history.name ?? null, passedOver: [] };
  }

  async function trendsOf(query: Query): Promise<Map<string, number>> {
    try {
      return (await request({ ...query, aggregate: 'trend' })).values;
    } catch (error) {
      notes.add(`${query.metric} is as measured, not as expected: no trend of it could be had: ${messageOf(error)}`);
      return new Map();
    }
  }

  async function aggregateFrom(query: Query): Promise<Result> {
    if (query.aggregate !== 'mean') return await request(query);
    const [measured, trends] = await Promise.all([request(query), trendsOf(query)]);
    const aheadSeconds = Math.min(horizonSeconds, query.periodSeconds);
    const hours = (query.periodSeconds / 2 + aheadSeconds) / 3600;
    const values = new Map<string, number>();
    for (const [resource, value] of measured.values) {
      values.set(resource, possible(query.metric, value + (trends.get(resource) ?? 0) * hours));
    }
    if (trends.size > 0) notes.add(`${query.metric} is the value expected in ${aheadSeconds} s, by its trend`);
    return { ...measured, values };
  }

  return {
    source: { name: history.name, aggregateFrom, aggregate: async (query) => (await aggregateFrom(query)).values },
    notes: () => [...notes],
  };
}

function possible(metric: Query['metric'], value: number): number {
  const { unit } = metricCatalogue[metric];
  if (unit === '°C') return value;
  return unit === '%' ? Math.min(100, Math.max(0, value)) : Math.max(0, value);
}
