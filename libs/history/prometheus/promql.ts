import type { MetricAggregate } from '#libs/domain';
import { percentileShare } from '#libs/domain';
import type { StoredBound } from '../catalogue-unit.ts';
import type { PrometheusMetric } from './prometheus-metric.ts';

/** Default spacing of the rates for the minimum or maximum of a counter. Seconds. */
const defaultRateSeconds = 60;

/** Quotes a label value. PromQL has the escapes of Go, which are those of JSON. */
function quoted(text: string): string {
  return JSON.stringify(text);
}

/** One resource, several, or those whose names match a pattern, in the syntax of RE2. */
export type ResourceChoice = string | readonly string[] | { pattern: string };

/** A pattern, in the syntax of RE2, of just this text. */
export function patternOf(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|-]/g, '\\$&');
}

/** Matcher of the chosen resources. A pattern matches the whole value. */
function resourceMatcher(label: string, resource: ResourceChoice): string {
  if (typeof resource === 'string') return `${label}=${quoted(resource)}`;
  return `${label}=~${quoted('pattern' in resource ? resource.pattern : resource.map(patternOf).join('|'))}`;
}

/** A selector of all series of a metric, or of those of the chosen resources. */
export function selector(metric: PrometheusMetric, name: string, resource?: ResourceChoice): string {
  const isOwn = name === metric.metric || (metric.plus?.includes(name) ?? false);
  const labels = isOwn ? Object.entries(metric.labels) : [];
  const matchers = labels.map(([label, value]) => `${label}=${quoted(value)}`);
  if (resource !== undefined && metric.join === undefined)
    matchers.push(resourceMatcher(metric.resourceLabel, resource));
  if (isOwn) {
    for (const [label, pattern] of Object.entries(metric.except ?? {})) matchers.push(`${label}!~${quoted(pattern)}`);
  }
  return matchers.length === 0 ? name : `${name}{${matchers.join(',')}}`;
}

/** Spacing of rates in seconds, and the resources whose series are read. Default: a minute, and all. */
interface SeriesChoice {
  granularitySeconds?: number;
  /** Only values beyond it are needed. Default: all values are. */
  bound?: StoredBound;
  resource?: ResourceChoice;
}

/**
 * One value per resource over the `rangeMs` milliseconds before the evaluation, for all resources. Ranges of Prometheus
 * 2 are closed on both sides, so one millisecond less makes the start open.
 */
export function aggregatePromql(
  metric: PrometheusMetric,
  aggregate: MetricAggregate,
  rangeMs: number,
  options: SeriesChoice = {},
): string {
  const promql = ofAllPromql(metric, aggregate, rangeMs, options);
  const { bound } = options;
  return bound === undefined ? promql : `(${promql}) ${bound.operator} ${bound.value}`;
}

function ofAllPromql(
  metric: PrometheusMetric,
  aggregate: MetricAggregate,
  rangeMs: number,
  options: SeriesChoice,
): string {
  const window = `[${Math.max(1, rangeMs - 1)}ms]`;
  const { join } = metric;
  if (join === undefined)
    return unjoinedPromql(metric, `by (${metric.resourceLabel})`, aggregate, rangeMs, window, options);
  const measured = unjoinedPromql(metric, `by (${join.on.join(',')})`, aggregate, rangeMs, window, options);
  const matcher = options.resource === undefined ? '' : `{${resourceMatcher(join.label, options.resource)}}`;
  const names = `max by (${[...join.on, join.label].join(',')}) (last_over_time(${join.metric}${matcher}${window}))`;
  // A migrated instance is on two hosts within the window. The higher value is the safe one.
  const together = aggregate === 'count' ? 'sum' : 'max';
  return `${together} by (${join.label}) ((${measured}) * on (${join.on.join(',')}) group_left (${join.label}) ${names})`;
}

function unjoinedPromql(
  metric: PrometheusMetric,
  by: string,
  aggregate: MetricAggregate,
  rangeMs: number,
  window: string,
  { granularitySeconds = defaultRateSeconds, resource }: SeriesChoice,
): string {
  const series = selector(metric, metric.metric, resource);
  if (metric.kind === 'counter') {
    if (aggregate === 'count') return `max ${by} (count_over_time(${series}${window}))`;
    const all = [metric.metric, ...(metric.plus ?? [])].map((name) => selector(metric, name, resource));
    const together = metric.isSum ? 'sum' : 'avg';
    const growth = (ms: number) => all.map((one) => `${together} ${by} (rate(${one}[${ms}ms]))`).join(' + ');
    return counterPromql(growth, aggregate, rangeMs, granularitySeconds);
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
  // Percentiles of several series of a resource cannot be combined. The highest is the safe one.
  if (share !== undefined) return `max ${by} (quantile_over_time(${share}, ${series}${window}))`;
  if (aggregate === 'trend') return `avg ${by} (deriv(${series}${window})) * 3600`;
  if (aggregate !== 'mean') return `${aggregate} ${by} (${aggregate}_over_time(${series}${window}))`;
  // Weighted by samples, because each of several series may cover only a part of the window.
  return `sum ${by} (sum_over_time(${series}${window})) / sum ${by} (count_over_time(${series}${window}))`;
}

/** @param growth returns the growth per second over a number of milliseconds */
function counterPromql(
  growth: (ms: number) => string,
  aggregate: MetricAggregate,
  rangeMs: number,
  granularitySeconds: number,
): string {
  const stepMs = Math.round(granularitySeconds * 1000);
  const rates = (ms: number) => `(${growth(ms)})[${rangeMs - ms}ms:${ms}ms]`;
  if (aggregate === 'trend') {
    // A trend needs several rates, also in a short window.
    const shortMs = Math.max(1, Math.min(stepMs, Math.floor(rangeMs / 3)));
    return `deriv(${rates(shortMs)}) * 3600`;
  }
  if (aggregate === 'mean' || stepMs >= rangeMs) return growth(rangeMs);
  const share = percentileShare(aggregate);
  return share === undefined
    ? `${aggregate}_over_time(${rates(stepMs)})`
    : `quantile_over_time(${share}, ${rates(stepMs)})`;
}
