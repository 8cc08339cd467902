import type { MetricAggregate } from '#libs/domain';
import type { PrometheusMetric } from './prometheus-metric.ts';

/** Spacing of the rates that the minimum or maximum of a counter is taken of, when the query does not say; seconds. */
const defaultRateSeconds = 60;

/** Quotes a label value. JSON's escapes are Go's, which PromQL uses. */
function quoted(text: string): string {
  return JSON.stringify(text);
}

/** A selector of all series of a metric, or of those of one resource. */
export function selector(metric: PrometheusMetric, name: string, resource?: string): string {
  const labels = Object.entries(name === metric.metric ? metric.labels : {});
  if (resource !== undefined) labels.push([metric.resourceLabel, resource]);
  const matchers = labels.map(([label, value]) => `${label}=${quoted(value)}`);
  return matchers.length === 0 ? name : `${name}{${matchers.join(',')}}`;
}

/**
 * One value per resource over the `rangeMs` milliseconds before the time of evaluation, all resources in one query.
 * Ranges of Prometheus 2 are closed on both sides: one millisecond less makes them open at their start.
 */
export function aggregatePromql(
  metric: PrometheusMetric,
  aggregate: MetricAggregate,
  rangeMs: number,
  options: { granularitySeconds?: number; resource?: string } = {},
): string {
  const { resource } = options;
  const series = selector(metric, metric.metric, resource);
  const by = `by (${metric.resourceLabel})`;
  const window = `[${Math.max(1, rangeMs - 1)}ms]`;
  if (metric.kind === 'counter') {
    return counterPromql(series, by, aggregate, rangeMs, window, options.granularitySeconds ?? defaultRateSeconds);
  }
  const measured = gaugePromql(series, by, aggregate, window);
  if (metric.subtractFrom === undefined || aggregate === 'count') return measured;
  const whole = selector(metric, metric.subtractFrom, resource);
  return `max ${by} (last_over_time(${whole}${window})) - ${measured}`;
}

function gaugePromql(series: string, by: string, aggregate: MetricAggregate, window: string): string {
  if (aggregate === 'count') return `sum ${by} (count_over_time(${series}${window}))`;
  if (aggregate !== 'mean') return `${aggregate} ${by} (${aggregate}_over_time(${series}${window}))`;
  // Weighted by samples: a resource may have several series that each cover a part of the window.
  return `sum ${by} (sum_over_time(${series}${window})) / sum ${by} (count_over_time(${series}${window}))`;
}

function counterPromql(
  series: string,
  by: string,
  aggregate: MetricAggregate,
  rangeMs: number,
  window: string,
  granularitySeconds: number,
): string {
  if (aggregate === 'count') return `max ${by} (count_over_time(${series}${window}))`;
  const stepMs = Math.round(granularitySeconds * 1000);
  if (aggregate === 'mean' || stepMs >= rangeMs) return `avg ${by} (rate(${series}[${rangeMs}ms]))`;
  return `${aggregate}_over_time((avg ${by} (rate(${series}[${stepMs}ms])))[${rangeMs - stepMs}ms:${stepMs}ms])`;
}
