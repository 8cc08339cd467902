import { totalCpus, type WhatIf } from '#libs/cluster-model';
import { InvalidInputError, type MetricName, metricCatalogue } from '#libs/domain';
import type { MetricsReader } from '#libs/plugin-kit';
import { MetricsMissingError } from '../errors.ts';
import type { LoadMetric } from './load-table.ts';
import { type BalancedMetric, type WorkloadStabilizationParameters, windowsOf } from './parameters.ts';

function hostMetricOf(parameters: WorkloadStabilizationParameters, metric: BalancedMetric): MetricName {
  const fallback = metric === 'instance_cpu_usage' ? 'host_cpu_usage' : 'host_ram_usage';
  const name = parameters.instance_metrics[metric] ?? fallback;
  if (!(name in metricCatalogue) || metricCatalogue[name as MetricName].resourceType !== 'compute_node') {
    throw new InvalidInputError(`instance_metrics.${metric}`, `${name} is not a metric of compute nodes`);
  }
  return name as MetricName;
}

/** Host loads as fractions: CPU comes in percent, memory in KiB of a host that knows its size in MiB. */
function hostFractions(hostMetric: MetricName, raw: Float64Array, model: WhatIf): Float64Array {
  const { memory } = model.snapshot.hosts;
  if (metricCatalogue[hostMetric].unit !== 'KiB') return raw.map((value) => value / 100);
  return raw.map((value, row) => value / 1024 / (memory[row] as number));
}

/** Use of instances in vcpus or MiB. */
function instanceUse(metric: BalancedMetric, raw: Float64Array, model: WhatIf): Float64Array {
  if (metric === 'instance_ram_usage') return raw;
  const { vcpus } = model.snapshot.instances;
  return raw.map((value, row) => (value / 100) * (vcpus[row] as number));
}

/** Two grouped queries per metric. Throws MetricsMissingError when a host metric has no value at all. */
export async function readLoads(
  model: WhatIf,
  metrics: MetricsReader,
  parameters: WorkloadStabilizationParameters,
): Promise<LoadMetric[]> {
  const windows = windowsOf(parameters);
  return Promise.all(
    [...new Set(parameters.metrics)].map(async (metric): Promise<LoadMetric> => {
      const hostMetric = hostMetricOf(parameters, metric);
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
        hostLoad: hostFractions(hostMetric, hosts, model),
        hostSize: metric === 'instance_cpu_usage' ? totalCpus(model.snapshot) : model.snapshot.hosts.memory,
        use: instanceUse(metric, instances, model),
      };
    }),
  );
}
