import type { MetricAggregate } from '#libs/domain';
import { needsSamples, ofSamples } from '../of-samples.ts';
import type { HistoryWindow } from '../window.ts';
import type { GnocchiMetric } from './gnocchi-metric.ts';

/** An aggregate over the `granularity` seconds that start at `at` (milliseconds). */
export interface Measure {
  at: number;
  granularity: number;
  value: number;
}

/** The measures of one granularity: the wanted one if there is any of it, else the finest. */
export function ofOneGranularity(measures: readonly Measure[], wanted: number | undefined): Measure[] {
  const all = new Set(measures.map((measure) => measure.granularity));
  const chosen = wanted !== undefined && all.has(wanted) ? wanted : Math.min(...all);
  return measures.filter((measure) => measure.granularity === chosen).sort((a, b) => a.at - b.at);
}

/**
 * The measures that start in the window (open start, closed end). If none does, the last one that reaches into it, so
 * that a window that is shorter than a granule has a value.
 */
export function inWindow(measures: readonly Measure[], window: HistoryWindow): Measure[] {
  const inside = measures.filter(({ at }) => at > window.startMs && at <= window.endMs);
  if (inside.length > 0) return inside;
  return measures
    .filter(({ at, granularity }) => at <= window.endMs && at + granularity * 1000 > window.startMs)
    .slice(-1);
}

/** One number for several granules, or undefined without any. A trend needs two. */
export function combine(measures: readonly Measure[], aggregate: MetricAggregate): number | undefined {
  if (measures.length === 0) return undefined;
  if (needsSamples(aggregate)) return ofSamples(measures, aggregate);
  const values = measures.map((measure) => measure.value);
  if (aggregate === 'min') return Math.min(...values);
  if (aggregate === 'max') return Math.max(...values);
  const sum = values.reduce((total, value) => total + value, 0);
  return aggregate === 'count' ? sum : sum / values.length;
}

/**
 * Growths of CPU time as percent of the instance's virtual CPUs, 0 to 100. Gnocchi's `rate:mean` is the growth from one
 * sample to the next, so it is divided by the distance of the samples: that of the granules, which may be farther apart
 * than they are long when the source is polled less often.
 */
export function toCpuPercent(measures: readonly Measure[], vcpus: number): Measure[] {
  const seconds = spacingOf(measures);
  return measures.map((measure) => {
    const percent = (measure.value * 100) / (seconds * 1e9) / Math.max(1, vcpus);
    return { ...measure, value: Math.min(100, Math.max(0, percent)) };
  });
}

/** A value of a resource. */
export interface ResourceValue {
  value: number;
  /**
   * Age of its newest granule at the end of the window, seconds, when that is more than the granules are apart. Else 0.
   */
  lateSeconds: number;
}

/** The aggregate of the stored samples of one resource, in the catalogue's unit. Undefined without a value. */
export function resourceValue(
  metric: GnocchiMetric,
  measures: readonly Measure[],
  query: { aggregate: MetricAggregate; granularitySeconds?: number; vcpus: number | undefined; window: HistoryWindow },
): ResourceValue | undefined {
  const chosen = ofOneGranularity(measures, query.granularitySeconds);
  const counting = query.aggregate === 'count';
  const isGauge = metric.kind === 'gauge' || counting;
  if (!isGauge && query.vcpus === undefined) return undefined;
  const used = inWindow(isGauge ? chosen : toCpuPercent(chosen, query.vcpus ?? 0), query.window);
  const value = combine(used, query.aggregate);
  if (value === undefined) return undefined;
  const scale = metric.kind === 'gauge' && !counting ? metric.scale : 1;
  return { value: value * scale, lateSeconds: lateSeconds(used, spacingOf(chosen), query.window.endMs) };
}

function lateSeconds(used: readonly Measure[], spacing: number, endMs: number): number {
  const newest = used.at(-1);
  const age = newest ? (endMs - newest.at) / 1000 - newest.granularity : 0;
  return age > spacing ? age : 0;
}

/** Seconds from one granule to the next: more than they are long when the source is polled less often. */
function spacingOf(measures: readonly Measure[]): number {
  const distances = measures.slice(1).map((measure, index) => (measure.at - (measures[index]?.at ?? 0)) / 1000);
  const apart = Math.min(...distances);
  const long = measures[0]?.granularity ?? 0;
  return Number.isFinite(apart) ? Math.max(apart, long) : long;
}
