import { totalCpus, type WhatIf } from '#libs/cluster-model';
import type { MetricsReader } from '#libs/plugin-kit';
import { coverUse } from '../shared/hosts/covered-use.ts';
import { hostAt } from '../shared/hosts/rows.ts';
import type { BlockedTally } from '../shared/report/blocked-tally.ts';
import { MetricsMissingError } from '../shared/report/errors.ts';
import { type BasicParameters, basicWindows } from './parameters.ts';

/** Measured CPU in percent. */
export interface Loads {
  /** A host without a measurement has the sum of its instances. */
  hostPercent: Float64Array;
  /** Load of each instance. An instance without a measurement has the measured mean. */
  instancePercent: Float64Array;
  /** The given hosts with enough measurements. */
  known: readonly number[];
  notes: string[];
  /** The 95th percentiles, or the means when they are higher. Hosts are filled by loads that are rarely exceeded. */
  hostPeak: Float64Array;
  instancePeak: Float64Array;
}

/**
 * Sends two grouped queries for hosts and two for instances. Throws MetricsMissingError when the hosts with instances,
 * or the instances, have no value.
 */
export async function readLoads(
  model: WhatIf,
  metrics: MetricsReader,
  parameters: BasicParameters,
  hosts: readonly number[],
  blocked: BlockedTally,
): Promise<Loads> {
  const windows = basicWindows(parameters);
  const [hostRaw, instanceRaw, hostHigh, instanceHigh] = await Promise.all([
    metrics.hosts('host_cpu_usage', windows.hosts),
    metrics.instances('instance_cpu_usage', windows.instances),
    metrics.hosts('host_cpu_usage', { ...windows.hosts, aggregate: 'p95' }),
    metrics.instances('instance_cpu_usage', { ...windows.instances, aggregate: 'p95' }),
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
  const hostPercent = hostRaw.map((value, host) => (Number.isNaN(value) ? percentOfInstances(host) : value));
  const instancePercent = use.map((value, row) => (value / (vcpus[row] as number)) * 100);
  const higher = (column: Float64Array, other: Float64Array) =>
    column.map((value, row) => Math.max(value, other[row] || 0));
  return {
    hostPercent,
    instancePercent,
    hostPeak: higher(hostPercent, hostHigh),
    instancePeak: higher(instancePercent, instanceHigh),
    known,
    notes,
  };
}
