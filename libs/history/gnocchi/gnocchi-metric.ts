import type { MetricAggregate, MetricName } from '#libs/domain';
import { metricCatalogue } from '#libs/domain';
import { needsSamples } from '../of-samples.ts';

/** How one metric is read: catalogue value = measured × scale. */
export interface GnocchiMetric {
  /** Name of the metric in Gnocchi. */
  metric: string;
  /** Resource type of the query. Default `instance`, and `generic` (any type) for hosts. */
  resourceType: string;
  /**
   * The stored data: values, or a cumulative count of nanoseconds of CPU time, which becomes percent of the instance's
   * virtual CPUs.
   */
  kind: 'gauge' | 'cpu_time';
  /** Default 1. */
  scale: number;
}

/** Changes to the mapping: a string renames the metric, an object changes its fields, null removes it. */
export type GnocchiMapping = Partial<Record<MetricName, string | Partial<GnocchiMetric> | null>>;

/** The mapping of Watcher, with the names of Ceilometer. */
const builtIn: Partial<Record<MetricName, Partial<GnocchiMetric> & { metric: string }>> = {
  host_cpu_usage: { metric: 'compute.node.cpu.percent' },
  host_ram_usage: { metric: 'hardware.memory.used' },
  host_outlet_temp: { metric: 'hardware.ipmi.node.outlet_temperature' },
  host_inlet_temp: { metric: 'hardware.ipmi.node.temperature' },
  host_airflow: { metric: 'hardware.ipmi.node.airflow', scale: 10 },
  host_power: { metric: 'hardware.ipmi.node.power' },
  instance_cpu_usage: { metric: 'cpu', kind: 'cpu_time' },
  instance_ram_usage: { metric: 'memory.resident' },
  instance_ram_allocated: { metric: 'memory' },
  instance_l3_cache_usage: { metric: 'cpu_l3_cache' },
  instance_root_disk_size: { metric: 'disk.root.size' },
};

/** The mapped metrics with all fields. */
export function gnocchiMetrics(mapping: GnocchiMapping = {}): ReadonlyMap<MetricName, GnocchiMetric> {
  const metrics = new Map<MetricName, GnocchiMetric>();
  for (const name of Object.keys(metricCatalogue) as MetricName[]) {
    const change = mapping[name];
    if (change === null) continue;
    const given = typeof change === 'string' ? { metric: change } : change;
    // A mapping object with `metric` starts from the defaults. A renamed metric keeps the fields of the built-in one.
    const isWhole = typeof change === 'object' && change.metric !== undefined;
    const base = isWhole ? undefined : builtIn[name];
    const metric = given?.metric ?? base?.metric;
    if (metric === undefined) continue;
    const ofHosts = metricCatalogue[name].resourceType === 'compute_node';
    const defaults = { resourceType: ofHosts ? 'generic' : 'instance', kind: 'gauge' as const, scale: 1 };
    metrics.set(name, { ...defaults, ...base, ...given, metric });
  }
  return metrics;
}

/**
 * Gnocchi's name of the stored aggregate for the request. Percentiles and trends use the means of the granules, because
 * percentiles of granules cannot be combined and few archive policies store them.
 */
export function storedAggregation(metric: GnocchiMetric, aggregate: MetricAggregate): string {
  if (metric.kind === 'cpu_time' && aggregate !== 'count') return 'rate:mean';
  return needsSamples(aggregate) ? 'mean' : aggregate;
}
