/** Watcher's abstract metric names with the resource they belong to and their unit. */
export const metricCatalogue = {
  host_cpu_usage: { resourceType: 'compute_node', unit: '%' },
  host_ram_usage: { resourceType: 'compute_node', unit: 'KiB' },
  host_outlet_temp: { resourceType: 'compute_node', unit: '°C' },
  host_inlet_temp: { resourceType: 'compute_node', unit: '°C' },
  host_airflow: { resourceType: 'compute_node', unit: '0.1 CFM' },
  host_power: { resourceType: 'compute_node', unit: 'W' },
  instance_cpu_usage: { resourceType: 'instance', unit: '%' },
  instance_ram_usage: { resourceType: 'instance', unit: 'MB' },
  instance_ram_allocated: { resourceType: 'instance', unit: 'MB' },
  instance_l3_cache_usage: { resourceType: 'instance', unit: 'B' },
  instance_root_disk_size: { resourceType: 'instance', unit: 'GB' },
} as const;

export type MetricName = keyof typeof metricCatalogue;
export type MetricResourceType = 'compute_node' | 'instance';

/** Aggregates over a window; `mean`, `min`, `max` and `count` are Watcher's. */
export const metricAggregates = ['mean', 'min', 'max', 'count'] as const;
export type MetricAggregate = (typeof metricAggregates)[number];
