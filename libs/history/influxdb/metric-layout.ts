import type { MetricAggregate, MetricName } from '#libs/domain';
import { metricCatalogue, mirroredAggregate } from '#libs/domain';
import type { CatalogueUnit } from '../catalogue-unit.ts';

/** Location of the values of one metric. */
export interface MetricLayout extends CatalogueUnit {
  /** Default: the resource type, `compute_node` or `instance`. */
  measurement: string;
  /** Default: the metric's name. */
  field: string;
  /** Tag that names the resource. Default `host` for compute nodes, `resource_id` for instances. */
  resourceTag: string;
  /** Tags with fixed values that a series must have, such as `cpu: cpu-total`. Default none. */
  tags: Record<string, string>;
  /** The stored data: values (the default), or a counter whose growth per second is the value. */
  kind: 'gauge' | 'counter';
}

/** Overrides per metric, for data of other collectors: another field, or other properties. Null removes a metric. */
export type MetricMapping = Partial<Record<MetricName, string | Partial<MetricLayout> | null>>;

/** Predefined mappings: the layout of Vigil, and the names of the Telegraf plugins `cpu`, `mem` and `libvirt`. */
export type InfluxLayoutName = 'vigil' | 'telegraf';

const layouts: Record<InfluxLayoutName, MetricMapping> = {
  vigil: {},
  telegraf: {
    host_cpu_usage: { measurement: 'cpu', field: 'usage_idle', tags: { cpu: 'cpu-total' }, scale: -1, offset: 100 },
    // Bytes to KiB.
    host_ram_usage: { measurement: 'mem', field: 'used', scale: 1 / 1024 },
    // Nanoseconds of CPU time to percent of one CPU. Telegraf calls the field `time`, which InfluxDB refuses, so it
    // must be renamed before.
    instance_cpu_usage: {
      measurement: 'libvirt_cpu',
      field: 'cpu_time',
      resourceTag: 'domain_name',
      kind: 'counter',
      scale: 100 / 1e9,
      perVcpu: true,
      least: 0,
      most: 100,
    },
    // KiB to MiB.
    instance_ram_usage: { measurement: 'libvirt_balloon', field: 'rss', resourceTag: 'domain_name', scale: 1 / 1024 },
    instance_ram_allocated: {
      measurement: 'libvirt_balloon',
      field: 'maximum',
      resourceTag: 'domain_name',
      scale: 1 / 1024,
    },
  },
};

/** A predefined mapping with changes: they replace single properties, unless they name another measurement. */
export function influxMapping(name: InfluxLayoutName, changes: MetricMapping = {}): MetricMapping {
  const mapping: MetricMapping = { ...layouts[name] };
  for (const [metric, change] of Object.entries(changes) as [MetricName, MetricMapping[MetricName]][]) {
    const ready = overridesOf(mapping[metric]);
    const isWhole = change === null || (typeof change === 'object' && change.measurement !== undefined);
    mapping[metric] = isWhole ? change : { ...ready, ...overridesOf(change) };
  }
  return mapping;
}

function overridesOf(change: MetricMapping[MetricName]): Partial<MetricLayout> {
  return typeof change === 'string' ? { field: change } : (change ?? {});
}

/** Whether the mapping contains the metric. */
export function isMapped(metric: MetricName, mapping: MetricMapping = {}): boolean {
  return mapping[metric] !== null;
}

/** The layout of a metric: the default layout with the changes of the mapping. */
export function layoutOf(metric: MetricName, mapping: MetricMapping = {}): MetricLayout {
  const { resourceType } = metricCatalogue[metric];
  return {
    measurement: resourceType,
    field: metric,
    resourceTag: resourceType === 'compute_node' ? 'host' : 'resource_id',
    tags: {},
    kind: 'gauge',
    scale: 1,
    offset: 0,
    perVcpu: false,
    ...overridesOf(mapping[metric]),
  };
}

/** The aggregate to request from the store: the maximum of an inverted metric is the minimum of the stored value. */
export function storedAggregate(layout: MetricLayout, aggregate: MetricAggregate): MetricAggregate {
  return layout.scale < 0 ? mirroredAggregate(aggregate) : aggregate;
}
