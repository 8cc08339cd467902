import type { MetricAggregate } from '#libs/domain';
import type { AggregateQuery, HistoryReader, SeriesPoint } from '#libs/history';
import { needsSamples, ofSamples } from '#libs/history';
import type { DayCloud } from './day-cloud.ts';
import { loadOfHosts, runningHosts, servedShares } from './load.ts';
import { stepSeconds } from './replay-world.ts';

/** Percentage of its memory that an instance uses, when unknown. */
const usedMemory = 60;

/** Measured metrics, and whether their resources are hosts. */
const metrics = {
  instance_cpu_usage: false,
  instance_ram_usage: false,
  host_cpu_usage: true,
  host_ram_usage: true,
} as const;
type Measured = keyof typeof metrics;

/** Samples of one step, by row of the instance or host. NaN: not measured. */
type Samples = Readonly<Record<Measured, Float32Array>>;

/** A step, and the state of the cloud for its samples. Steps without a change share it. */
interface Moment {
  atMs: number;
  step: number;
  cloud: DayCloud;
  hostOf: Int32Array;
  running: Uint8Array;
}

/** Names of the resources by row, and rows by name. */
interface Resources {
  names: readonly string[];
  rows: ReadonlyMap<string, number>;
}

/** Measured history of a replay: a sample of each instance and host at every step. */
export interface DayHistory extends HistoryReader {
  /**
   * Stores the samples of a step, as an agent on the hosts measures them. A load is limited to the size of its host.
   * The load of a running host is the sum of its instances and its other load. A host without a measured other load
   * has no sample, since it had no agent.
   */
  record(atMs: number, cloud: DayCloud, step: number): void;
}

/** Number of steps that are kept: 8 days, the longest window of any strategy. */
const keptSteps = (8 * 86_400) / stepSeconds;
/** Number of steps whose samples stay cached: a day. */
const computedSteps = 86_400 / stepSeconds;

/** Creates an empty history. Samples are computed on request, since most steps are in no window of a run. */
export function createDayHistory(): DayHistory {
  const moments: Moment[] = [];
  const computed = new Map<Moment, Samples>();
  let [instances, hosts] = [resourcesOf([]), resourcesOf([])];

  function within(startMs: number, endMs: number): Moment[] {
    const end = moments.findLastIndex(({ atMs }) => atMs <= endMs) + 1;
    const found = moments.slice(moments.findLastIndex(({ atMs }) => atMs <= startMs) + 1, end);
    // A window shorter than a step contains the newest sample, as with Prometheus's staleness.
    const last = moments[end - 1];
    const isStale = last === undefined || last.atMs <= endMs - 2 * stepSeconds * 1000;
    return found.length > 0 || isStale ? found : [last];
  }

  function samplesAt(moment: Moment): Samples {
    const known = computed.get(moment);
    if (known !== undefined) return known;
    const samples = samplesOf(moment);
    computed.set(moment, samples);
    const [oldest] = computed.keys();
    if (computed.size > computedSteps && oldest !== undefined) computed.delete(oldest);
    return samples;
  }

  return {
    name: 'day',
    record(atMs, cloud, step) {
      const { world } = cloud;
      if (instances.names.length !== world.instances.length) {
        instances = resourcesOf(world.instances.map(({ uuid }) => uuid));
        hosts = resourcesOf(world.hosts.map(({ name }) => name));
      }
      const [last, running] = [moments.at(-1), runningHosts(cloud)];
      const hostOf = isEqual(last?.hostOf, cloud.hostOf) ? last.hostOf : cloud.hostOf.slice();
      moments.push({ atMs, step, cloud, hostOf, running: isEqual(last?.running, running) ? last.running : running });
      if (moments.length > keptSteps) moments.shift();
    },
    async aggregate({ metric, aggregate, periodSeconds, endMs }: AggregateQuery) {
      const found = new Map<string, number>();
      if (!isMeasured(metric)) return found;
      const end = endMs ?? moments.at(-1)?.atMs ?? 0;
      const columns = within(end - periodSeconds * 1000, end).map((moment) => ({
        at: moment.atMs,
        values: samplesAt(moment)[metric],
      }));
      for (const [row, name] of (metrics[metric] ? hosts : instances).names.entries()) {
        const value = aggregated(columns, row, aggregate);
        if (value !== undefined) found.set(name, value);
      }
      return found;
    },
    async series({ metric, resource, startMs, endMs }) {
      if (!isMeasured(metric)) return [];
      const row = (metrics[metric] ? hosts : instances).rows.get(resource);
      if (row === undefined) return [];
      const columns = within(startMs, endMs).map((moment) => ({
        at: moment.atMs,
        values: samplesAt(moment)[metric],
      }));
      return pointsOf(columns, row);
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

function isEqual<Values extends Int32Array | Uint8Array>(one: Values | undefined, other: Values): one is Values {
  const bytes = ({ buffer, byteOffset, byteLength }: Values) => Buffer.from(buffer, byteOffset, byteLength);
  return one !== undefined && bytes(one).equals(bytes(other));
}

interface Column {
  at: number;
  values: Float32Array;
}

/** The measured samples of a resource. */
function pointsOf(columns: readonly Column[], row: number): SeriesPoint[] {
  const points: SeriesPoint[] = [];
  for (const { at, values } of columns) {
    const value = values[row] as number;
    if (!Number.isNaN(value)) points.push({ at, value });
  }
  return points;
}

/** Percent of CPU, MiB of memory of instances and KiB of memory of hosts in use at a step. */
function samplesOf({ cloud, step, hostOf, running }: Moment): Samples {
  const { world, memoryMb: sizes } = cloud;
  const loads = loadOfHosts(cloud, step, hostOf);
  const shares = servedShares(cloud, loads, running);
  const load = cloud.loadAt(step);
  const unmeasured = (length: number) => new Float32Array(length).fill(Number.NaN);
  const [cpu, memory] = [unmeasured(hostOf.length), unmeasured(hostOf.length)];
  const [hostCpu, hostMemory] = [unmeasured(world.hosts.length), unmeasured(world.hosts.length)];
  for (const [row, { vcpus }] of world.hosts.entries()) {
    if (running[row] === 0) continue;
    const isMissing = Number.isNaN(load.overheadCpu?.[row]);
    if (!isMissing) hostCpu[row] = Math.min(100, (100 * (loads.demand[row] as number)) / vcpus);
    hostMemory[row] = 1024 * (load.overheadMemoryMb?.[row] ?? 0);
  }
  for (let row = 0; row < hostOf.length; row += 1) {
    const host = hostOf[row] as number;
    if (host < 0) continue;
    const used = ((sizes[row] as number) * (load.memory?.[row] ?? usedMemory)) / 100;
    cpu[row] = (load.cpu[row] as number) * (shares[host] as number);
    memory[row] = used;
    if (!Number.isNaN(used)) hostMemory[host] = (hostMemory[host] as number) + used * 1024;
  }
  return { instance_cpu_usage: cpu, instance_ram_usage: memory, host_cpu_usage: hostCpu, host_ram_usage: hostMemory };
}

/** The aggregate of the measured samples of a resource. Undefined without any. */
function aggregated(columns: readonly Column[], row: number, aggregate: MetricAggregate): number | undefined {
  if (needsSamples(aggregate)) {
    const points = pointsOf(columns, row);
    return points.length === 0 ? undefined : ofSamples(points, aggregate);
  }
  let [count, sum, least, most] = [0, 0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { values } of columns) {
    const value = values[row] as number;
    if (Number.isNaN(value)) continue;
    count += 1;
    sum += value;
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  if (count === 0) return undefined;
  switch (aggregate) {
    case 'max':
      return most;
    case 'min':
      return least;
    case 'count':
      return count;
    default:
      return sum / count;
  }
}
