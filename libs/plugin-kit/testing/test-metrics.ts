import type { ComputeSnapshot } from '#libs/cluster-model';
import type { MetricName } from '#libs/domain';
import { InvalidInputError, metricCatalogue, nearestHint } from '#libs/domain';
import type { MetricsReader } from '../strategy.ts';

/** One number for all, numbers by name (host name, instance name or uuid), or a function of the name. */
export type TestMetric = number | Record<string, number> | ((name: string) => number | undefined);

/** Metrics of a test world by name. Other metrics have no samples. */
export type TestMetrics = Partial<Record<MetricName, TestMetric>>;

/**
 * A metrics reader that returns the same numbers for every window and aggregate. NaN for resources without a number.
 * Querying an unknown metric, or an instance metric of hosts (or the reverse), throws, as the engine's reader does.
 * @throws InvalidInputError for numbers of an unknown metric, with the nearest name
 */
export function createTestMetrics(snapshot: ComputeSnapshot, metrics: TestMetrics): MetricsReader {
  for (const name of Object.keys(metrics)) {
    if (!Object.hasOwn(metricCatalogue, name)) throw new InvalidInputError(`metrics.${name}`, unknownMetric(name));
  }
  return {
    async hosts(metric) {
      refuseOther(metric, 'compute_node');
      return finite(snapshot.hostInfo, (host) => metricOf(metrics[metric], [host.hostname, host.uuid]));
    },
    async instances(metric) {
      refuseOther(metric, 'instance');
      return finite(snapshot.instanceInfo, (instance) => metricOf(metrics[metric], [instance.name, instance.uuid]));
    },
  };
}

/** As the engine's reader: values that are not finite measure nothing. */
function finite<T>(rows: readonly T[], read: (row: T) => number): Float64Array {
  return Float64Array.from(rows, read).map((value) => (Number.isFinite(value) ? value : Number.NaN));
}

function refuseOther(metric: MetricName, resourceType: 'compute_node' | 'instance'): void {
  if (!Object.hasOwn(metricCatalogue, metric)) throw new InvalidInputError('metric', unknownMetric(metric));
  if (metricCatalogue[metric].resourceType === resourceType) return;
  throw new InvalidInputError('metric', `${metric} is not a metric of ${resourceType} resources`);
}

function unknownMetric(name: string): string {
  return `${name} is no metric of Vigil${nearestHint(name, Object.keys(metricCatalogue))}`;
}

function metricOf(metric: TestMetric | undefined, names: string[]): number {
  if (metric === undefined) return Number.NaN;
  if (typeof metric === 'number') return metric;
  for (const name of names) {
    const value = typeof metric === 'function' ? metric(name) : metric[name];
    if (value !== undefined) return value;
  }
  return Number.NaN;
}
