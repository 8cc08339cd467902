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

/** The measures of one granularity: the requested one if it exists, otherwise the finest. */
export function ofOneGranularity(measures: readonly Measure[], wanted: number | undefined): Measure[] {
  const all = new Set(measures.map((measure) => measure.granularity));
  const chosen = wanted !== undefined && all.has(wanted) ? wanted : Math.min(...all);
  return measures.filter((measure) => measure.granularity === chosen).sort((a, b) => a.at - b.at);
}

/**
 * The measures that start in the window (open start, closed end). If none does, the last one that overlaps it, so a
 * window shorter than a granule has a value.
 */
export function inWindow(measures: readonly Measure[], window: HistoryWindow): Measure[] {
  const inside = measures.filter(({ at }) => at > window.startMs && at <= window.endMs);
  if (inside.length > 0) return inside;
  return measures
    .filter(({ at, granularity }) => at <= window.endMs && at + granularity * 1000 > window.startMs)
    .slice(-1);
}

/** Combines several granules. Undefined without any. A trend needs two. */
export function combine(measures: readonly Measure[], aggregate: MetricAggregate): number | undefined {
  if (measures.length === 0) return undefined;
  if (needsSamples(aggregate)) return ofSamples(measures, aggregate);
  const values = measures.map((measure) => measure.value);
  if (aggregate === 'min') return Math.min(...values);
  if (aggregate === 'max') return Math.max(...values);
  const sum = values.reduce((total, value) => total + value, 0);
  return aggregate === 'count' ? sum : sum / values.length;
}

/** Upper limit of `toCpuPercent`. */
export const mostCpuPercent = 100;

/**
 * Converts growths of CPU time to percent of the virtual CPUs of the instance, 0 to 100. `rate:mean` is the growth
 * between two samples, so it is divided by the distance of the samples. That distance exceeds the granularity when the
 * source is polled less often.
 */
export function toCpuPercent(measures: readonly Measure[], vcpus: number): Measure[] {
  const seconds = spacingOf(measures);
  return measures.map((measure) => {
    const percent = (measure.value * 100) / (seconds * 1e9) / Math.max(1, vcpus);
    return { ...measure, value: Math.min(mostCpuPercent, Math.max(0, percent)) };
  });
}

/** A value of a resource. */
export interface ResourceValue {
  value: number;
  /**
   * Age of the newest granule at the end of the window, in seconds, if it exceeds the distance of the granules.
   * Otherwise 0.
   */
  lateSeconds: number;
}

/** The aggregate of the stored samples of one resource, in the unit of the catalogue. Undefined without a value. */
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

/** Seconds between two granules. More than the granularity when the source is polled less often. */
function spacingOf(measures: readonly Measure[]): number {
  const distances = measures.slice(1).map((measure, index) => (measure.at - (measures[index]?.at ?? 0)) / 1000);
  const apart = Math.min(...distances);
  const long = measures[0]?.granularity ?? 0;
  return Number.isFinite(apart) ? Math.max(apart, long) : long;
}
