import { type Clock, type MetricAggregate, type MetricName, messageOf } from '#libs/domain';
import type { AggregateQuery, HistoryReader, MetricResponse } from '#libs/history';
import type { LoadMeasurement } from '#libs/messaging';

/** Values by resource for each requested metric, and their data source. */
export interface Loads {
  of(metric: MetricName): ReadonlyMap<string, number>;
  measurement: LoadMeasurement;
}

/** Aggregates of metrics over a period that ends now or at `endMs`. */
export interface LoadRequest {
  metrics: readonly MetricName[];
  periodSeconds: number;
  /** Default: the mean. */
  aggregate?: MetricAggregate;
  /** End of the window, milliseconds since 1970. Default: now. */
  endMs?: number;
  /** Virtual CPUs by instance, for metrics of instances. */
  vcpus?: ReadonlyMap<string, number>;
  /** Hosts and instances whose values are needed. Default: all. */
  resources?: readonly string[];
}

/** Requests one aggregate of several metrics. A metric has no values when its data source does not respond. */
export async function measureLoads(
  { metrics, periodSeconds, aggregate = 'mean', endMs: end, vcpus, resources }: LoadRequest,
  { history, clock }: { history: HistoryReader; clock: Clock },
): Promise<Loads> {
  const endMs = end ?? clock.now();
  const requested = await Promise.allSettled(
    metrics.map((metric) => request(history, { metric, aggregate, periodSeconds, endMs: end, vcpus, resources })),
  );
  const responses = new Map<MetricName, MetricResponse>();
  const reasons: string[] = [];
  requested.forEach((result, index) => {
    if (result.status === 'fulfilled') responses.set(metrics[index] as MetricName, result.value);
    else reasons.push(messageOf(result.reason));
  });
  const sources = [...responses.values()].flatMap(({ source, values }) => (source && values.size > 0 ? [source] : []));
  return {
    of: (metric) => responses.get(metric)?.values ?? new Map(),
    measurement: {
      at: new Date(endMs).toISOString(),
      period_seconds: periodSeconds,
      sources: [...new Set(sources)],
      error: reasons.length > 0 ? [...new Set(reasons)].join('; ') : null,
    },
  };
}

async function request(history: HistoryReader, query: AggregateQuery): Promise<MetricResponse> {
  if (history.aggregateFrom) return history.aggregateFrom(query);
  return { values: await history.aggregate(query), source: history.name, passedOver: [] };
}
