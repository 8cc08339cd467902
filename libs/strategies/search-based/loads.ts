import { createWhatIf, hostFlag, type WhatIf, withoutLoads } from '#libs/cluster-model';
import { counted, type MetricAggregate } from '#libs/domain';
import type { MetricsReader } from '#libs/plugin-kit';
import { coverUse, defaultCoverage } from '../shared/hosts/covered-use.ts';
import { lastsAt } from '../shared/hosts/past-use.ts';
import { acceptingHosts, hostAt } from '../shared/hosts/rows.ts';
import { earlierFreedHosts } from '../shared/moves/actions.ts';
import { hotSamples, readSamples, usualWindow } from '../shared/relief/measured-use.ts';
import { type BlockedTally, createBlockedTally } from '../shared/report/blocked-tally.ts';
import { readContention } from './contention.ts';
import { type HotLimits, hotLimitsOf } from './hot-limits.ts';

/** Use of hosts by their instances. */
export interface Loads {
  /** CPU load of each instance in vcpus: CPUs in use, and CPUs for which it waits. */
  cpu: Float64Array;
  /** Measured memory of each instance in MiB. Null when not requested or not measured. */
  memory: Float64Array | null;
  /** Whether the CPU load of a host was at least this number of vcpus in enough of its samples. */
  lastsAt(host: number, vcpus: number): boolean;
  /** Fraction of samples in which the CPU load of a host was at least this number of vcpus. 1 without samples. */
  shareAt(host: number, vcpus: number): number;
  /** For the report: the estimates, and the hosts that receive no instances. */
  notes: string[];
}

/** Parameters of a search for reading loads. */
interface LoadParameters {
  period: number;
  aggregation_method: MetricAggregate;
  hot_limit: number | Partial<HotLimits>;
  minimum_coverage?: number;
}

/** Use of every instance (null without measurements), and the hosts with too few measurements. */
interface Covered {
  use: Float64Array | null;
  unknown: number[];
  notes: string[];
}

/** Whether enough of the load of a host is known, see `readLoads`. */
export function isMeasured({ snapshot }: WhatIf, host: number): boolean {
  return ((snapshot.hosts.flags[host] as number) & hostFlag.unmeasured) === 0;
}

/** Names of the hosts whose load is not known, see `readLoads`. */
export function unmeasuredHosts(model: WhatIf): string[] {
  return model.snapshot.hostInfo.flatMap(({ hostname }, host) => (isMeasured(model, host) ? [] : hostname));
}

/**
 * Reads the CPU load of every instance, and its memory when that has a limit. With steal or ready time, the load
 * includes the CPUs for which an instance waits. An instance without a measurement has the measured mean share of
 * allocations. Without any measurement, allocations are used and the notes report it. A host with less than
 * `minimum_coverage` measured may be full. In the returned model it receives no instances.
 */
export async function readLoads(
  model: WhatIf,
  metrics: MetricsReader,
  parameters: LoadParameters,
  blocked: BlockedTally,
): Promise<{ loads: Loads; model: WhatIf }> {
  const {
    period: periodSeconds,
    aggregation_method: aggregate,
    minimum_coverage: coverage = defaultCoverage,
  } = parameters;
  const window = { periodSeconds, aggregate };
  const { vcpus, memory: size } = model.snapshot.instances;
  const percent = await metrics.instances('instance_cpu_usage', window);
  const { waiting, notes: contentionNotes } = await readContention(model, metrics, window);
  const requested = percent.map((value, row) => Math.max(value, Math.min(100, value + waiting[row]!)));
  const measured = requested.map((value, row) => (value / 100) * (vcpus[row] as number));
  const cpu = covered(model, measured, vcpus, coverage);
  const granularity = usualWindow.granularity;
  const request = { period: periodSeconds, granularity, aggregation_method: aggregate };
  const samples = await readSamples({ model, metrics, parameters: request });
  const hasLimit = hotLimitsOf(parameters).memory !== undefined;
  const memory: Covered = hasLimit
    ? covered(model, await metrics.instances('instance_ram_usage', window), size, coverage)
    : { use: null, unknown: [], notes: [] };
  const unknown = new Set([...cpu.unknown, ...memory.unknown]);
  for (const host of unknown) blocked.add('coverage', hostAt(model.snapshot, host).hostname);
  const loads: Loads = {
    cpu: cpu.use ?? vcpus,
    ...createHeat(model, cpu.use ?? vcpus, withWaiting(model, samples ?? [], waiting)),
    memory: memory.use,
    notes: [
      ...(cpu.use === null && percent.length > 0 ? ['no CPU load is measured: allocated vcpus count instead'] : []),
      ...(hasLimit && memory.use === null ? ['no use of memory is measured: its hot limit counts for nothing'] : []),
      ...cpu.notes,
      ...contentionNotes,
      ...memory.notes,
      ...(unknown.size > 0
        ? [
            `${counted(unknown.size, 'host', ['takes', 'take'])} no instance, and ${unknown.size === 1 ? 'gives' : 'give'} none for the sake of load: less than ${coverage} % of the allocations there is measured`,
          ]
        : []),
    ],
  };
  return { loads, model: unknown.size > 0 ? createWhatIf(withoutLoads(model.snapshot, unknown)) : model };
}

/** Samples of CPU use in vcpus with the CPUs for which instances wait, limited to the vcpus of the instance. */
function withWaiting(
  { snapshot: { instances } }: WhatIf,
  samples: readonly Float64Array[],
  waiting: Float64Array,
): readonly Float64Array[] {
  if (waiting.every((percent) => percent === 0)) return samples;
  const most = (row: number, use: number) => Math.max(use, instances.vcpus[row]!);
  return samples.map((column) =>
    column.map((use, row) => Math.min(most(row, use), use + (waiting[row]! / 100) * instances.vcpus[row]!)),
  );
}

/** Evaluates the sum of the samples of a host's instances. Without samples, every load counts as lasting. */
function createHeat(
  model: WhatIf,
  cpu: Float64Array,
  samples: readonly Float64Array[],
): Pick<Loads, 'lastsAt' | 'shareAt'> {
  const known = samples.filter((column) => column.some((value) => !Number.isNaN(value)));
  const loadIn = (column: Float64Array, host: number) =>
    model.instancesOn(host).reduce((sum, row) => sum + (Number.isNaN(column[row]!) ? cpu[row]! : column[row]!), 0);
  const loadsOf = (host: number) => known.map((column) => loadIn(column, host));
  return {
    lastsAt(host, vcpus) {
      const loads = loadsOf(host);
      return lastsAt(vcpus, loads, Math.min(hotSamples, loads.length));
    },
    shareAt(host, vcpus) {
      const loads = loadsOf(host);
      return loads.length === 0 ? 1 : loads.filter((load) => load >= vcpus).length / loads.length;
    },
  };
}

function covered(model: WhatIf, measured: Float64Array, allocated: Float64Array, minimumCoverage: number): Covered {
  const unmeasured = measured.reduce((count, value) => count + (Number.isNaN(value) ? 1 : 0), 0);
  if (unmeasured === measured.length) return { use: null, unknown: [], notes: [] };
  const hosts = [...acceptingHosts(model), ...earlierFreedHosts(model)];
  // Unmeasured instances may move, so they are not blocked.
  const { use, known } = coverUse(model, { measured, allocated, hosts, minimumCoverage }, createBlockedTally());
  const isKnown = new Set(known);
  // Without measurements of running instances there is no mean, and allocations are used.
  const hasMean = !use.some(Number.isNaN);
  return {
    use: hasMean ? use : use.map((value, row) => (Number.isNaN(value) ? (allocated[row] as number) : value)),
    unknown: hasMean ? hosts.filter((host) => !isKnown.has(host)) : [],
    notes:
      unmeasured === 0
        ? []
        : [
            `${counted(unmeasured, 'unmeasured instance')} of ${measured.length} ${unmeasured === 1 ? 'counts' : 'count'} by the mean of the measured ones`,
          ],
  };
}
