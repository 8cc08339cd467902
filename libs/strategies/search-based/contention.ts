import type { WhatIf } from '#libs/cluster-model';
import { counted, servedPart } from '#libs/domain';
import type { MetricsReader, MetricsWindow } from '#libs/plugin-kit';
import { hostAt, instanceAt, instanceLabel, shortNumber } from '../shared/hosts/rows.ts';

/** Reports omit instances that get at least this fraction of their demanded processor time. */
const wellServed = 0.95;
/** CPU pressure of a host, in percent of time, above which reports name the host. */
const namedPressure = 10;
const examples = 5;

/** Processor time for which instances wait. */
export interface Contention {
  /** Percent of the vcpus of each instance, by row. 0 when it is not measured. */
  waiting: Float64Array;
  /** Fraction of the demanded processor time that each instance gets, 0 to 1, by row. NaN: unknown. */
  served: Float64Array;
  notes: string[];
}

/**
 * Reads steal and ready time of instances in a window, and scores each instance. They count as load without a separate
 * term: an instance waits for CPUs that its host lacks, and a term would count this twice. Notes report when no data
 * source has them. CPU pressure of hosts (PSI) is only in the notes, because it cannot be divided among instances.
 */
export async function readContention(
  model: WhatIf,
  metrics: MetricsReader,
  window: MetricsWindow,
): Promise<Contention> {
  const steal = await metrics.instances('instance_cpu_steal', window);
  const unknown = new Float64Array(steal.length).fill(Number.NaN);
  if (steal.every(Number.isNaN))
    return {
      waiting: new Float64Array(steal.length),
      served: unknown,
      notes: pressureNotes(model, await metrics.hosts('host_cpu_pressure', window)),
    };
  const mean = { ...window, aggregate: 'mean' } as const;
  const [used, waited] = await Promise.all([
    metrics.instances('instance_cpu_usage', mean),
    metrics.instances('instance_cpu_steal', mean),
  ]);
  const served = used.map((percent, row) => servedPart(percent, waited[row]!));
  const waiting = steal.map((percent) => (Number.isNaN(percent) ? 0 : percent));
  return { waiting, served, notes: servedNotes(model, served) };
}

function servedNotes(model: WhatIf, served: Float64Array): string[] {
  const { snapshot, hostOf } = model;
  const placed = [...served.keys()].filter((row) => hostOf[row]! >= 0);
  const poor = placed.filter((row) => served[row]! < wellServed).sort((a, b) => served[a]! - served[b]! || a - b);
  const missing = placed.filter((row) => Number.isNaN(served[row])).length;
  const scoreOf = (row: number) =>
    `${instanceLabel(instanceAt(snapshot, row))} on ${hostAt(snapshot, hostOf[row]!).hostname} ` +
    `${shortNumber(100 * served[row]!)} %`;
  return [
    ...(poor.length > 0
      ? [
          `${counted(poor.length, 'instance', ['gets', 'get'])} ` +
            `less than ${100 * wellServed} % of the demanded processor time: ` +
            `${poor.slice(0, examples).map(scoreOf).join(', ')}; the rest counts as load`,
        ]
      : []),
    ...(missing > 0
      ? [`the part of the demanded processor time that ${counted(missing, 'instance', ['gets', 'get'])} is unknown`]
      : []),
  ];
}

function pressureNotes({ snapshot }: WhatIf, pressure: Float64Array): string[] {
  const hosts = [...pressure.keys()]
    .filter((host) => pressure[host]! >= namedPressure)
    .sort((a, b) => pressure[b]! - pressure[a]! || a - b);
  if (hosts.length === 0)
    return snapshot.instanceInfo.length === 0
      ? []
      : [
          'the part of the demanded processor time that instances get is unknown: no source measures steal or ready time',
        ];
  const textOf = (host: number) => `${hostAt(snapshot, host).hostname} ${shortNumber(pressure[host]!)} %`;
  return [
    `instances wait for CPUs on ${counted(hosts.length, 'host')} (part of the time: ` +
      `${hosts.slice(0, examples).map(textOf).join(', ')}); which of them is unknown without steal or ready time`,
  ];
}
