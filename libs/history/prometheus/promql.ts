import type { MetricAggregate } from '#libs/domain';
import { percentileShare } from '#libs/domain';
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
  const minuend = aggregate === 'trend' ? gaugePromql(whole, by, aggregate, window) : lastPromql(whole, by, window);
  return `${minuend} - ${measured}`;
}

function lastPromql(series: string, by: string, window: string): string {
  return `max ${by} (last_over_time(${series}${window}))`;
}

function gaugePromql(series: string, by: string, aggregate: MetricAggregate, window: string): string {
  if (aggregate === 'count') return `sum ${by} (count_over_time(${series}${window}))`;
  const share = percentileShare(aggregate);
  // Percentiles of several series of a resource can not be put together: the highest one is on the safe side.
  if (share !== undefined) return `max ${by} (quantile_over_time(${share}, ${series}${window}))`;
  if (aggregate === 'trend') return `avg ${by} (deriv(${series}${window})) * 3600`;
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
  if (aggregate === 'trend') {
    // A trend needs several rates, however short the window is.
    const shortMs = Math.max(1, Math.min(stepMs, Math.floor(rangeMs / 3)));
    return `deriv(${ratesPromql(series, by, rangeMs, shortMs)}) * 3600`;
  }
  if (aggregate === 'mean' || stepMs >= rangeMs) return `avg ${by} (rate(${series}[${rangeMs}ms]))`;
  const rates = ratesPromql(series, by, rangeMs, stepMs);
  const share = percentileShare(aggregate);
  return share === undefined ? `${aggregate}_over_time(${rates})` : `quantile_over_time(${share}, ${rates})`;
}

/** The rate over each step of the window. */
function ratesPromql(series: string, by: string, rangeMs: number, stepMs: number): string {
  return `(avg ${by} (rate(${series}[${stepMs}ms])))[${rangeMs - stepMs}ms:${stepMs}ms]`;
}
