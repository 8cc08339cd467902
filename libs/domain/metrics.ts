/**
 * Watcher's abstract metric names with their resource and unit. Vigil adds `host_cpu_pressure`, `instance_cpu_steal`,
 * and `…_disk_io` and `…_network_io` (both directions together). A sample above `most` is impossible and counts as
 * missing: it is a fault of a sensor, a counter or a unit.
 */
export const metricCatalogue = {
  host_cpu_usage: { resourceType: 'compute_node', unit: '%', most: 110 },
  host_ram_usage: { resourceType: 'compute_node', unit: 'KiB', most: 100_000_000_000 },
  host_outlet_temp: { resourceType: 'compute_node', unit: '°C', most: 150 },
  host_inlet_temp: { resourceType: 'compute_node', unit: '°C', most: 150 },
  host_airflow: { resourceType: 'compute_node', unit: '0.1 CFM', most: 1_000_000 },
  host_power: { resourceType: 'compute_node', unit: 'W', most: 100_000 },
  host_cpu_pressure: { resourceType: 'compute_node', unit: '%', most: 110 },
  host_disk_io: { resourceType: 'compute_node', unit: 'B/s', most: 1_000_000_000_000 },
  host_network_io: { resourceType: 'compute_node', unit: 'B/s', most: 1_000_000_000_000 },
  instance_cpu_usage: { resourceType: 'instance', unit: '%', most: 1000 },
  instance_ram_usage: { resourceType: 'instance', unit: 'MB', most: 100_000_000 },
  instance_ram_allocated: { resourceType: 'instance', unit: 'MB', most: 100_000_000 },
  instance_l3_cache_usage: { resourceType: 'instance', unit: 'B', most: 10_000_000_000 },
  instance_cpu_steal: { resourceType: 'instance', unit: '%', most: 110 },
  instance_disk_io: { resourceType: 'instance', unit: 'B/s', most: 1_000_000_000_000 },
  instance_network_io: { resourceType: 'instance', unit: 'B/s', most: 1_000_000_000_000 },
  instance_root_disk_size: { resourceType: 'instance', unit: 'GB', most: 10_000_000 },
} as const;

export type MetricName = keyof typeof metricCatalogue;
/** Kind of resource that a metric belongs to. */
export type MetricResourceType = 'compute_node' | 'instance';

/**
 * Aggregates over a window. `mean`, `min`, `max` and `count` are Watcher's. `p95` is the 95th percentile with linear
 * interpolation between the two nearest samples, `trend` the slope of the straight line through the samples (least
 * squares) in units of the metric per hour. It needs samples at two different times.
 */
export const metricAggregates = [
  'mean',
  'min',
  'max',
  'count',
  'p1',
  'p5',
  'p10',
  'p50',
  'p90',
  'p95',
  'p99',
  'trend',
] as const;
export type MetricAggregate = (typeof metricAggregates)[number];

/** The share of samples below a percentile, such as 0.95 for `p95`. Undefined for other aggregates. */
export function percentileShare(aggregate: MetricAggregate): number | undefined {
  return aggregate.startsWith('p') ? Number(aggregate.slice(1)) / 100 : undefined;
}

const mirrored: Partial<Record<MetricAggregate, MetricAggregate>> = {
  min: 'max',
  max: 'min',
  p1: 'p99',
  p5: 'p95',
  p10: 'p90',
  p90: 'p10',
  p95: 'p5',
  p99: 'p1',
};

/**
 * The aggregate for values that are multiplied by a negative number: their minimum is the maximum of the original
 * values.
 */
export function mirroredAggregate(aggregate: MetricAggregate): MetricAggregate {
  return mirrored[aggregate] ?? aggregate;
}

/**
 * Part of the demanded processor time that an instance gets, 0 to 1. NaN: unknown.
 * @param used percent of time in which it runs; NaN: not measured
 * @param waited percent of time in which it waits for CPUs (steal, ready time); NaN: not measured
 */
export function servedPart(used: number, waited: number): number {
  if (Number.isNaN(used) || Number.isNaN(waited)) return Number.NaN;
  return waited > 0 ? used / (used + waited) : 1;
}
