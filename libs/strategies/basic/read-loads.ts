import { totalCpus, type WhatIf } from '#libs/cluster-model';
import type { MetricsReader } from '#libs/plugin-kit';
import type { BlockedTally } from '../blocked-tally.ts';
import { coverUse } from '../covered-use.ts';
import { MetricsMissingError } from '../errors.ts';
import { hostAt } from '../rows.ts';
import { type BasicParameters, basicWindows } from './parameters.ts';

/** Measured CPU in percent. */
export interface Loads {
  /** A host without a measurement counts by its instances. */
  hostPercent: Float64Array;
  /** What has no measurement counts by the measured mean. */
  instancePercent: Float64Array;
  /** The given hosts of which enough is measured. */
  known: readonly number[];
  notes: string[];
}

/**
 * One grouped query for hosts and one for instances. Throws MetricsMissingError when the hosts with instances, or the
 * instances, have no value at all.
 */
export async function readLoads(
  model: WhatIf,
  metrics: MetricsReader,
  parameters: BasicParameters,
  hosts: readonly number[],
  blocked: BlockedTally,
): Promise<Loads> {
  const windows = basicWindows(parameters);
  const [hostRaw, instanceRaw] = await Promise.all([
    metrics.hosts('host_cpu_usage', windows.hosts),
    metrics.instances('instance_cpu_usage', windows.instances),
  ]);
  const instances = hosts.flatMap((host) => [...model.instancesOn(host)]);
  const missing = [
    ...(hosts.length > 0 && hosts.every((host) => Number.isNaN(hostRaw[host])) ? ['host_cpu_usage'] : []),
    ...(instances.length > 0 && instances.every((row) => Number.isNaN(instanceRaw[row])) ? ['instance_cpu_usage'] : []),
  ];
  if (missing.length > 0) throw new MetricsMissingError('basic', missing, parameters.period);
  const { snapshot } = model;
  for (const host of hosts) {
    if (Number.isNaN(hostRaw[host])) blocked.add('host-without-metric', hostAt(snapshot, host).hostname);
  }
  const { vcpus } = snapshot.instances;
  const request = {
    measured: instanceRaw.map((percent, row) => (percent / 100) * (vcpus[row] as number)),
    allocated: vcpus,
    hosts,
    minimumCoverage: parameters.minimum_coverage,
    isMeasured: (host: number) => !Number.isNaN(hostRaw[host]),
  };
  const { use, known, notes } = coverUse(model, request, blocked);
  const cpus = totalCpus(snapshot);
  const percentOfInstances = (host: number) =>
    (model.instancesOn(host).reduce((sum, row) => sum + (use[row] as number), 0) / (cpus[host] as number)) * 100;
  return {
    hostPercent: hostRaw.map((value, host) => (Number.isNaN(value) ? percentOfInstances(host) : value)),
    instancePercent: use.map((value, row) => (value / (vcpus[row] as number)) * 100),
    known,
    notes,
  };
}
