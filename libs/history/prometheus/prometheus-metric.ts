import type { MetricAggregate, MetricName } from '#libs/domain';
import { metricCatalogue, mirroredAggregate } from '#libs/domain';
import type { CatalogueUnit } from '../catalogue-unit.ts';

/** How one metric is read. The unit is that of the aggregate of a gauge, or of the growth per second of a counter. */
export interface PrometheusMetric extends CatalogueUnit {
  /** Name of the series. */
  metric: string;
  /** Label values that a series must have. Default none. */
  labels: Record<string, string>;
  /** Label with the name of the host or the uuid of the instance. */
  resourceLabel: string;
  kind: 'gauge' | 'counter';
  /** Regular expressions of label values that a series must not have. */
  except?: Record<string, string>;
  /** Further counters whose growth is added. */
  plus?: readonly string[];
  /** Whether the growths of several series of a resource are added, such as those of devices. Default: their mean. */
  isSum?: boolean;
  /** Series with the value 1 and the same labels `on`, which has the label of the resource. */
  join?: { metric: string; on: readonly string[]; label: string };
  /**
   * Name of another gauge. The measured value is then its last value minus the aggregate, such as total minus available
   * memory.
   */
  subtractFrom?: string;
}

/** Series by metric. */
export type PrometheusPresetMapping = Partial<Record<MetricName, Partial<PrometheusMetric> & { metric: string }>>;

/** Changes to the mapping: a string renames the series, an object changes its fields, null removes a metric. */
export type PrometheusMapping = Partial<Record<MetricName, string | Partial<PrometheusMetric> | null>>;

export interface PrometheusLabels {
  /** Label with the name of the host. Default `fqdn`. */
  fqdnLabel: string;
  /** Label with the uuid of the instance. Default `resource`. */
  instanceLabel: string;
}

/** The mapped metrics with all fields. */
export function prometheusMetrics(
  labels: PrometheusLabels,
  builtIn: PrometheusPresetMapping,
  mapping: PrometheusMapping = {},
): ReadonlyMap<MetricName, PrometheusMetric> {
  const metrics = new Map<MetricName, PrometheusMetric>();
  for (const name of Object.keys(metricCatalogue) as MetricName[]) {
    const change = mapping[name];
    if (change === null) continue;
    const given = typeof change === 'string' ? { metric: change } : change;
    // A mapping object with `metric` starts from the defaults. A renamed series keeps the fields of the built-in one.
    const base = typeof change === 'object' && change.metric !== undefined ? undefined : builtIn[name];
    const metric = given?.metric ?? base?.metric;
    if (metric === undefined) continue;
    const ofLabels = metricCatalogue[name].resourceType === 'compute_node' ? labels.fqdnLabel : labels.instanceLabel;
    const resourceLabel = given?.join?.label ?? base?.join?.label ?? ofLabels;
    const defaults = { labels: {}, resourceLabel, kind: 'gauge' as const, scale: 1, offset: 0, perVcpu: false };
    metrics.set(name, { ...defaults, ...base, ...given, metric });
  }
  return metrics;
}

/** The aggregate to measure: the maximum of an inverted metric is the minimum of the measured value. */
export function measuredAggregate(metric: PrometheusMetric, aggregate: MetricAggregate): MetricAggregate {
  const inverted = metric.scale < 0 !== (metric.subtractFrom !== undefined);
  return inverted ? mirroredAggregate(aggregate) : aggregate;
}
