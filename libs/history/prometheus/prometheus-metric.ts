import type { MetricAggregate, MetricName } from '#libs/domain';
import { metricCatalogue, mirroredAggregate } from '#libs/domain';

/**
 * How one metric is read: catalogue value = measured × scale + offset, kept within `least` and `most`. What is measured
 * is the aggregate of a gauge, or of the growth per second of a counter.
 */
export interface PrometheusMetric {
  /** Name of the series. */
  metric: string;
  /** Label values that a series must have; default none. */
  labels: Record<string, string>;
  /** Label that names the host or the instance. */
  resourceLabel: string;
  kind: 'gauge' | 'counter';
  /** Name of another gauge; measured is then its last value minus the aggregate, such as total minus available memory. */
  subtractFrom?: string;
  /** Not 0; default 1. */
  scale: number;
  /** Default 0. */
  offset: number;
  /** The value is divided by the virtual CPUs of the instance. */
  perVcpu: boolean;
  /** Limits of the catalogue value; default none. */
  least?: number;
  most?: number;
}

/** Changes of how metrics are read: a text renames the series, an object changes what it says, null removes a metric. */
export type PrometheusMapping = Partial<Record<MetricName, string | Partial<PrometheusMetric> | null>>;

export interface PrometheusLabels {
  /** Label with the name of the host; default `fqdn`. */
  fqdnLabel: string;
  /** Label with the uuid of the instance; default `resource`. */
  instanceLabel: string;
}

/** Watcher's mapping: node_exporter for hosts, Ceilometer for instances. */
const builtIn: Partial<Record<MetricName, Partial<PrometheusMetric> & { metric: string }>> = {
  host_cpu_usage: {
    metric: 'node_cpu_seconds_total',
    labels: { mode: 'idle' },
    kind: 'counter',
    scale: -100,
    offset: 100,
    least: 0,
    most: 100,
  },
  host_ram_usage: {
    metric: 'node_memory_MemAvailable_bytes',
    subtractFrom: 'node_memory_MemTotal_bytes',
    scale: 1 / 1024,
  },
  // Seconds in which something waited for a CPU.
  host_cpu_pressure: {
    metric: 'node_pressure_cpu_waiting_seconds_total',
    kind: 'counter',
    scale: 100,
    least: 0,
    most: 100,
  },
  instance_cpu_usage: {
    metric: 'ceilometer_cpu',
    kind: 'counter',
    // Nanoseconds per second to percent of one CPU.
    scale: 100 / 1e9,
    perVcpu: true,
    least: 0,
    most: 100,
  },
  instance_ram_usage: { metric: 'ceilometer_memory_usage' },
  instance_ram_allocated: { metric: 'ceilometer_memory' },
  instance_root_disk_size: { metric: 'ceilometer_disk_root_size' },
};

/** The metrics that can be read, with everything filled in. */
export function prometheusMetrics(
  labels: PrometheusLabels,
  mapping: PrometheusMapping = {},
): ReadonlyMap<MetricName, PrometheusMetric> {
  const metrics = new Map<MetricName, PrometheusMetric>();
  for (const name of Object.keys(metricCatalogue) as MetricName[]) {
    const change = mapping[name];
    if (change === null) continue;
    const given = typeof change === 'string' ? { metric: change } : change;
    // Another series with its own meaning starts from nothing; a renamed one keeps the shape of the built-in one.
    const base = typeof change === 'object' && change.metric !== undefined ? undefined : builtIn[name];
    const metric = given?.metric ?? base?.metric;
    if (metric === undefined) continue;
    const resourceLabel =
      metricCatalogue[name].resourceType === 'compute_node' ? labels.fqdnLabel : labels.instanceLabel;
    const defaults = { labels: {}, resourceLabel, kind: 'gauge' as const, scale: 1, offset: 0, perVcpu: false };
    metrics.set(name, { ...defaults, ...base, ...given, metric });
  }
  return metrics;
}

/** The aggregate to measure: what is inverted has its maximum where the measured value has its minimum. */
export function measuredAggregate(metric: PrometheusMetric, aggregate: MetricAggregate): MetricAggregate {
  const inverted = metric.scale < 0 !== (metric.subtractFrom !== undefined);
  return inverted ? mirroredAggregate(aggregate) : aggregate;
}

/**
 * A measured number in the catalogue's unit; counts stay as they are, trends have neither offset nor limits. Undefined when it is no number, or when it would
 * have to be divided by virtual CPUs that are not known.
 */
export function toCatalogue(
  metric: PrometheusMetric,
  aggregate: MetricAggregate,
  measured: number,
  vcpus: number | undefined,
): number | undefined {
  if (!Number.isFinite(measured)) return undefined;
  if (aggregate === 'count') return measured;
  if (metric.perVcpu && vcpus === undefined) return undefined;
  const share = metric.perVcpu ? Math.max(1, vcpus ?? 1) : 1;
  if (aggregate === 'trend') return (measured * metric.scale) / share;
  const value = (measured * metric.scale) / share + metric.offset;
  return Math.min(metric.most ?? value, Math.max(metric.least ?? value, value));
}
