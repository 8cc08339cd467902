import type { MetricAggregate, MetricName } from '#libs/domain';
import { metricCatalogue } from '#libs/domain';

/** Where the values of one metric lie: catalogue value = stored value × scale + offset. */
export interface MetricLayout {
  /** Default: the resource type, `compute_node` or `instance`. */
  measurement: string;
  /** Default: the metric's name. */
  field: string;
  /** Tag that names the resource; default `host` for compute nodes, `resource_id` for instances. */
  resourceTag: string;
  /** Tags with fixed values that a series must have, such as `cpu: cpu-total`; default none. */
  tags: Record<string, string>;
  /** Not 0; negative for inverted metrics such as idle time. Default 1. */
  scale: number;
  /** Default 0. */
  offset: number;
}

/** Overrides per metric, for data written by other collectors. */
export type MetricMapping = Partial<Record<MetricName, Partial<MetricLayout>>>;

/** The layout of a metric: Vigil's own, changed by what the mapping says. */
export function layoutOf(metric: MetricName, mapping: MetricMapping = {}): MetricLayout {
  const { resourceType } = metricCatalogue[metric];
  return {
    measurement: resourceType,
    field: metric,
    resourceTag: resourceType === 'compute_node' ? 'host' : 'resource_id',
    tags: {},
    scale: 1,
    offset: 0,
    ...mapping[metric],
  };
}

/** The aggregate to ask the store for: an inverted metric has its maximum where the stored value has its minimum. */
export function storedAggregate(layout: MetricLayout, aggregate: MetricAggregate): MetricAggregate {
  if (layout.scale >= 0) return aggregate;
  if (aggregate === 'min') return 'max';
  return aggregate === 'max' ? 'min' : aggregate;
}

/** Turns a stored number into the catalogue's unit; counts stay as they are. */
export function toCatalogue(layout: MetricLayout, aggregate: MetricAggregate, stored: number): number {
  return aggregate === 'count' ? stored : stored * layout.scale + layout.offset;
}
