import type { MetricAggregate } from '#libs/domain';
import type { AggregateQuery, HistoryReader, SeriesPoint } from '#libs/history';
import { needsSamples, ofSamples } from '#libs/history';
import type { DayCloud } from './day-cloud.ts';
import { type LoadOfHosts, servedShare } from './load.ts';
import { stepSeconds } from './replay-world.ts';

/** Percent of the memory of an instance that it uses, where it is not known. */
const usedMemory = 60;

/** Samples of one moment by resource. */
type Sample = Map<string, number>;

/** Measured history of a replay: a sample of each instance and host at every step. */
export interface DayHistory extends HistoryReader {
  /** Stores the samples of a step, as an agent on the hosts measures them: no load is above the size of its host. */
  record(atMs: number, cloud: DayCloud, step: number, loads: LoadOfHosts): void;
}

/** Samples older than the longest window of any strategy are dropped. In steps: 8 days. */
const keptSteps = (8 * 86_400) / stepSeconds;

/** No samples yet. */
export function createDayHistory(): DayHistory {
  const samples: { atMs: number; byMetric: Map<string, Sample> }[] = [];

  function samplesOf(cloud: DayCloud, step: number, loads: LoadOfHosts): Map<string, Sample> {
    const [cpu, memory]: [Sample, Sample] = [new Map(), new Map()];
    const [hostCpu, hostMemory]: [Sample, Sample] = [new Map(), new Map()];
    cloud.world.hosts.forEach(({ name, vcpus, overhead }, row) => {
      if (cloud.hosts[row]?.power !== 'on' || cloud.hosts[row]?.failed) return;
      hostCpu.set(name, Math.min(100, (100 * (loads.demand[row] ?? 0)) / vcpus));
      hostMemory.set(name, 1024 * (overhead?.memoryMb[step] ?? 0));
    });
    cloud.hostOf.forEach((host, row) => {
      if (host < 0) return;
      const { uuid, memoryMb, percents, memoryPercents } = cloud.world.instances[row]!;
      const { name } = cloud.world.hosts[host]!;
      const percent = percents[step] ?? Number.NaN;
      const used = (memoryMb * (memoryPercents?.[step] ?? usedMemory)) / 100;
      if (!Number.isNaN(percent)) cpu.set(uuid, percent * servedShare(cloud, loads, host));
      if (Number.isNaN(used)) return;
      memory.set(uuid, used);
      hostMemory.set(name, (hostMemory.get(name) ?? 0) + used * 1024);
    });
    return new Map([
      ['instance_cpu_usage', cpu],
      ['instance_ram_usage', memory],
      ['host_cpu_usage', hostCpu],
      ['host_ram_usage', hostMemory],
    ]);
  }

  function within(startMs: number, endMs: number) {
    const found = samples.filter(({ atMs }) => atMs > startMs && atMs <= endMs);
    // A window shorter than a step has the newest sample, as Prometheus's staleness gives it.
    const last = samples.findLast(({ atMs }) => atMs <= endMs && atMs > endMs - 2 * stepSeconds * 1000);
    return found.length > 0 || last === undefined ? found : [last];
  }

  return {
    name: 'day',
    record(atMs, cloud, step, loads) {
      samples.push({ atMs, byMetric: samplesOf(cloud, step, loads) });
      if (samples.length > keptSteps) samples.shift();
    },
    async aggregate({ metric, aggregate, periodSeconds, endMs }: AggregateQuery) {
      const end = endMs ?? samples.at(-1)?.atMs ?? 0;
      const points = new Map<string, SeriesPoint[]>();
      for (const { atMs: at, byMetric } of within(end - periodSeconds * 1000, end)) {
        for (const [name, value] of byMetric.get(metric) ?? []) {
          const known = points.get(name);
          if (known === undefined) points.set(name, [{ at, value }]);
          else known.push({ at, value });
        }
      }
      const values = [...points].map(([name, all]) => [name, aggregated(all, aggregate)] as const);
      return new Map(values.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
    },
    async series({ metric, resource, startMs, endMs }) {
      return within(startMs, endMs).flatMap(({ atMs: at, byMetric }) => {
        const value = byMetric.get(metric)?.get(resource);
        return value === undefined ? [] : [{ at, value }];
      });
    },
    listMetrics: async () => ['host_cpu_usage', 'host_ram_usage', 'instance_cpu_usage', 'instance_ram_usage'],
    probe: async () => undefined,
    close: async () => undefined,
  };
}

function aggregated(points: readonly SeriesPoint[], aggregate: MetricAggregate): number | undefined {
  if (needsSamples(aggregate)) return ofSamples(points, aggregate);
  const values = points.map(({ value }) => value);
  switch (aggregate) {
    case 'max':
      return Math.max(...values);
    case 'min':
      return Math.min(...values);
    case 'count':
      return values.length;
    default:
      return values.reduce((sum, value) => sum + value, 0) / values.length;
  }
}
