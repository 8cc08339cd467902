import type { WhatIf } from '#libs/cluster-model';
import type { MetricsReader } from '#libs/plugin-kit';
import type { BlockedTally } from '../blocked-tally.ts';
import { MetricsMissingError } from '../errors.ts';
import { hostAt, instanceAt, instanceLabel } from '../rows.ts';
import { type BasicParameters, basicWindows } from './parameters.ts';

/** Measured CPU in percent; what has no measurement counts as fully used, as Watcher does it. */
export interface Loads {
  hostPercent: Float64Array;
  instancePercent: Float64Array;
}

const assumed = 100;

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
  for (const row of instances) {
    if (Number.isNaN(instanceRaw[row]))
      blocked.add('instance-without-metric', instanceLabel(instanceAt(snapshot, row)));
  }
  const filled = (column: Float64Array) => column.map((value) => (Number.isNaN(value) ? assumed : value));
  return { hostPercent: filled(hostRaw), instancePercent: filled(instanceRaw) };
}
