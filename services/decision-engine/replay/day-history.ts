import type { MetricAggregate } from '#libs/domain';
import type { AggregateQuery, HistoryReader, SeriesPoint } from '#libs/history';
import { needsSamples, ofSamples } from '#libs/history';
import type { DayCloud } from './day-cloud.ts';
import { type LoadOfHosts, servedShare } from './load.ts';
import { stepSeconds } from './replay-world.ts';

/** Percent of the memory of an instance that it uses, where it is not known. */
const usedMemory = 60;

/** Measured metrics, and whether their resources are hosts. */
const metrics = {
  instance_cpu_usage: false,
  instance_ram_usage: false,
  host_cpu_usage: true,
  host_ram_usage: true,
} as const;
type Measured = keyof typeof metrics;

/** Samples of one moment, by row of the instance or host. NaN: not measured. */
interface Moment {
  atMs: number;
  values: Readonly<Record<Measured, Float32Array>>;
}

/** Names of the resources by row, and rows by name. */
interface Resources {
  names: readonly string[];
  rows: ReadonlyMap<string, number>;
}

/** Measured history of a replay: a sample of each instance and host at every step. */
export interface DayHistory extends HistoryReader {
  /**
   * Stores the samples of a step, as an agent on the hosts measures them: no load is above the size of its host. A host
   * that runs is measured as the sum of its instances and its load beside them. It has no sample where that load was
   * not measured, since no agent was there.
   */
  record(atMs: number, cloud: DayCloud, step: number, loads: LoadOfHosts): void;
}

/** Samples older than the longest window of any strategy are dropped. In steps: 8 days. */
const keptSteps = (8 * 86_400) / stepSeconds;

/** No samples yet. */
export function createDayHistory(): DayHistory {
  const moments: Moment[] = [];
  let [instances, hosts] = [resourcesOf([]), resourcesOf([])];

  function within(startMs: number, endMs: number): Moment[] {
    const found = moments.filter(({ atMs }) => atMs > startMs && atMs <= endMs);
    // A window shorter than a step has the newest sample, as Prometheus's staleness gives it.
    const last = moments.findLast(({ atMs }) => atMs <= endMs && atMs > endMs - 2 * stepSeconds * 1000);
    return found.length > 0 || last === undefined ? found : [last];
  }

  return {
    name: 'day',
    record(atMs, cloud, step, loads) {
      const { world } = cloud;
      if (instances.names.length !== world.instances.length) {
        instances = resourcesOf(world.instances.map(({ uuid }) => uuid));
        hosts = resourcesOf(world.hosts.map(({ name }) => name));
      }
      moments.push({ atMs, values: samplesOf(cloud, step, loads) });
      if (moments.length > keptSteps) moments.shift();
    },
    async aggregate({ metric, aggregate, periodSeconds, endMs }: AggregateQuery) {
      const found = new Map<string, number>();
      if (!isMeasured(metric)) return found;
      const end = endMs ?? moments.at(-1)?.atMs ?? 0;
      const window = within(end - periodSeconds * 1000, end);
      for (const [row, name] of (metrics[metric] ? hosts : instances).names.entries()) {
        const points = pointsOf(window, metric, row);
        const value = points.length === 0 ? undefined : aggregated(points, aggregate);
        if (value !== undefined) found.set(name, value);
      }
      return found;
    },
    async series({ metric, resource, startMs, endMs }) {
      if (!isMeasured(metric)) return [];
      const row = (metrics[metric] ? hosts : instances).rows.get(resource);
      return row === undefined ? [] : pointsOf(within(startMs, endMs), metric, row);
    },
    listMetrics: async () => (Object.keys(metrics) as Measured[]).sort(),
    probe: async () => undefined,
    close: async () => undefined,
  };
}

function isMeasured(metric: string): metric is Measured {
  return metric in metrics;
}

function resourcesOf(names: readonly string[]): Resources {
  return { names, rows: new Map(names.map((name, row) => [name, row])) };
}

/** The measured samples of a resource. */
function pointsOf(moments: readonly Moment[], metric: Measured, row: number): SeriesPoint[] {
  const points: SeriesPoint[] = [];
  for (const { atMs: at, values } of moments) {
    const value = values[metric][row] as number;
    if (!Number.isNaN(value)) points.push({ at, value });
  }
  return points;
}

/** Percent of CPU, MiB of memory of instances and KiB of memory of hosts in use at a step. */
function samplesOf(cloud: DayCloud, step: number, loads: LoadOfHosts): Moment['values'] {
  const { world, hosts, hostOf } = cloud;
  const unmeasured = (length: number) => new Float32Array(length).fill(Number.NaN);
  const [cpu, memory] = [unmeasured(hostOf.length), unmeasured(hostOf.length)];
  const [hostCpu, hostMemory] = [unmeasured(world.hosts.length), unmeasured(world.hosts.length)];
  world.hosts.forEach(({ vcpus, overhead }, row) => {
    if (hosts[row]?.power !== 'on' || hosts[row]?.failed) return;
    if (!Number.isNaN(overhead?.cpu[step])) hostCpu[row] = Math.min(100, (100 * (loads.demand[row] ?? 0)) / vcpus);
    hostMemory[row] = overhead === undefined ? 0 : 1024 * (overhead.memoryMb[step] as number);
  });
  hostOf.forEach((host, row) => {
    if (host < 0) return;
    const { memoryMb, percents, memoryPercents } = world.instances[row]!;
    const percent = percents[step] ?? Number.NaN;
    const used = (memoryMb * (memoryPercents?.[step] ?? usedMemory)) / 100;
    if (!Number.isNaN(percent)) cpu[row] = percent * servedShare(cloud, loads, host);
    if (Number.isNaN(used)) return;
    memory[row] = used;
    hostMemory[host] = (hostMemory[host] as number) + used * 1024;
  });
  return { instance_cpu_usage: cpu, instance_ram_usage: memory, host_cpu_usage: hostCpu, host_ram_usage: hostMemory };
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
