import { totalCpus, type WhatIf } from '#libs/cluster-model';
import { InvalidInputError, type MetricName, metricCatalogue } from '#libs/domain';
import type { MetricsReader } from '#libs/plugin-kit';
import { MetricsMissingError } from '../shared/report/errors.ts';
import type { LoadMetric } from './load-table.ts';
import { type BalancedMetric, type WorkloadStabilizationParameters, windowsOf } from './parameters.ts';

/** Host metrics for the same load as a metric of instances, unless the parameters name another. */
const hostMetrics: Record<BalancedMetric, MetricName> = {
  instance_cpu_usage: 'host_cpu_usage',
  instance_ram_usage: 'host_ram_usage',
  instance_disk_io: 'host_disk_io',
  instance_network_io: 'host_network_io',
  instance_cpu_steal: 'host_cpu_pressure',
};

function hostMetricOf(parameters: WorkloadStabilizationParameters, metric: BalancedMetric): MetricName {
  const name = parameters.instance_metrics[metric] ?? hostMetrics[metric];
  if (!(name in metricCatalogue) || metricCatalogue[name as MetricName].resourceType !== 'compute_node') {
    throw new InvalidInputError(`instance_metrics.${metric}`, `${name} is not a metric of compute nodes`);
  }
  return name as MetricName;
}

/**
 * Host loads as fractions of: percent, KiB of a host with a known size in MiB, or bytes per second of the size in
 * `sizes`.
 */
function hostFractions(hostMetric: MetricName, raw: Float64Array, model: WhatIf, sizes: Float64Array): Float64Array {
  const { memory } = model.snapshot.hosts;
  const { unit } = metricCatalogue[hostMetric];
  if (unit === 'KiB') return raw.map((value, row) => value / 1024 / (memory[row] as number));
  return unit === 'B/s' ? raw.map((value, row) => value / (sizes[row] as number)) : raw.map((value) => value / 100);
}

/** Sizes of hosts in the unit of `instanceUse`. */
function hostSizes(metric: BalancedMetric, model: WhatIf, full: WorkloadStabilizationParameters['full_load']) {
  const { memory } = model.snapshot.hosts;
  if (metric === 'instance_ram_usage') return memory;
  const isRate = metric === 'instance_disk_io' || metric === 'instance_network_io';
  return isRate ? new Float64Array(memory.length).fill(full[metric]) : totalCpus(model.snapshot);
}

/** Use of instances: CPUs in use or waited for, MiB, or bytes per second. */
function instanceUse(metric: BalancedMetric, raw: Float64Array, model: WhatIf): Float64Array {
  if (metricCatalogue[metric].unit !== '%') return raw;
  const { vcpus } = model.snapshot.instances;
  return raw.map((value, row) => (value / 100) * (vcpus[row] as number));
}

/** Sends two grouped queries per metric. Throws MetricsMissingError when a host metric has no value. */
export async function readLoads(
  model: WhatIf,
  metrics: MetricsReader,
  parameters: WorkloadStabilizationParameters,
): Promise<LoadMetric[]> {
  const windows = windowsOf(parameters);
  return Promise.all(
    [...new Set(parameters.metrics)].map(async (metric): Promise<LoadMetric> => {
      const hostMetric = hostMetricOf(parameters, metric);
      const hostSize = hostSizes(metric, model, parameters.full_load);
      const [hosts, instances] = await Promise.all([
        metrics.hosts(hostMetric, windows.hosts),
        metrics.instances(metric, windows.instances),
      ]);
      if (hosts.length > 0 && hosts.every(Number.isNaN)) {
        throw new MetricsMissingError('workload_stabilization', [hostMetric], windows.hosts.periodSeconds);
      }
      if (instances.length > 0 && instances.every(Number.isNaN)) {
        throw new MetricsMissingError('workload_stabilization', [metric], windows.instances.periodSeconds);
      }
      return {
        name: hostMetric,
        weight: parameters.weights[`${metric}_weight`] ?? 1,
        hostLoad: hostFractions(hostMetric, hosts, model, hostSize),
        hostSize,
        use: instanceUse(metric, instances, model),
      };
    }),
  );
}
