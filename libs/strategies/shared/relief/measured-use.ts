import { type ComputeSnapshot, totalCpus } from '#libs/cluster-model';
import type { MetricAggregate, MetricName } from '#libs/domain';
import type { StrategyContext } from '#libs/plugin-kit';
import { type CoveredUse, coverUse } from '../hosts/covered-use.ts';
import { type LoadThresholds, thresholdsAbove } from '../hosts/load-thresholds.ts';
import { lastsAt, readTumblingWindows } from '../hosts/past-use.ts';
import { type TargetUtilization, targetOf } from '../hosts/target-utilization.ts';
import type { BlockedTally } from '../report/blocked-tally.ts';
import { createExpectedCpu, type ExpectedCpu, hasDistribution } from './expected-cpu.ts';

/** Measured use of instances and hosts, updated by planned moves. CPU in vcpus, memory in MiB. */
export interface MeasuredUse {
  instanceCpu(instance: number): number;
  hostCpu(host: number): number;
  /** Whether the CPU use of the host has lasted above the threshold `hot`, in fractions of its physical CPUs. */
  overloaded(host: number): boolean;
  /** CPU use above the threshold `relief`, 0 without any. An overloaded host is relieved to this threshold. */
  excessCpu(host: number): number;
  /** CPU use that the host may still receive up to the target, in vcpus. Negative above the target. */
  freeCpu(host: number): number;
  /** Physical CPUs minus reserved CPUs. */
  cpuCapacity(host: number): number;
  /** Whether the measured CPU and memory of the instance fit on the physical host up to the target. */
  fits(instance: number, host: number): boolean;
  moved(instance: number, from: number, to: number): void;
}

const slack = 1e-9;
/** Larger than rounding errors of sums. A load exactly at the threshold is not hot. */
const hotSlack = 1e-6;
/** Samples of the period. */
const comparedSamples = 12;
/** Number of samples that must be hot. With fewer samples, all of them. */
export const hotSamples = 2;
/** Fewer samples than this do not show the distribution of a load. */
const fewestSamples = 4;
const none = new Float64Array();

/** A missing value counts as the flavor's size. A measured 0 is a 0. */
function measured(values: Float64Array, row: number, otherwise: number): number {
  const value = values[row];
  return value === undefined || Number.isNaN(value) ? otherwise : value;
}

function physical(total: Float64Array, reserved: Float64Array): Float64Array {
  return total.map((value, row) => value - (reserved[row] as number));
}

interface Measurements {
  instanceCpu: Float64Array;
  /** Replaces missing values of `instanceCpu`, in percent. NaN or absent: 100 %. */
  instanceCpuEstimate?: Float64Array;
  instanceRam: Float64Array;
  instanceRamAllocated: Float64Array;
  hostCpu: Float64Array;
  hostRam: Float64Array;
  /** Distribution of CPU use. Null when only one value per instance is known. */
  expected?: ExpectedCpu | null;
}

/**
 * The larger of the host's own value and the sum of its instances. Estimates are ignored when the host has a value.
 */
function hostUse(
  snapshot: ComputeSnapshot,
  perInstance: Float64Array,
  hostValue: (host: number) => number,
  isMeasured: (instance: number) => boolean = () => true,
) {
  const own = Float64Array.from(snapshot.hostInfo, (_, host) => hostValue(host));
  const use = new Float64Array(snapshot.hostInfo.length);
  snapshot.instances.host.forEach((host, row) => {
    if (host < 0 || (!Number.isNaN(own[host]) && !isMeasured(row))) return;
    use[host] = (use[host] as number) + (perInstance[row] as number);
  });
  return use.map((sum, host) => (Number.isNaN(own[host]) ? sum : Math.max(sum, own[host] as number)));
}

/** Combines measurements with the snapshot. */
export function createMeasuredUse(
  snapshot: ComputeSnapshot,
  values: Measurements,
  target: Pick<TargetUtilization, 'vcpus' | 'memory'>,
): MeasuredUse {
  const { hosts, instances } = snapshot;
  const cpus = totalCpus(snapshot);
  const estimate = (row: number) => measured(values.instanceCpuEstimate ?? none, row, 100);
  const cpu = instances.vcpus.map((vcpus, row) => (vcpus * measured(values.instanceCpu, row, estimate(row))) / 100);
  const ram = instances.memory.map((memory, row) =>
    measured(values.instanceRam, row, measured(values.instanceRamAllocated, row, memory)),
  );
  const cpuCapacity = physical(cpus, hosts.vcpusReserved);
  const ramCapacity = physical(hosts.memory, hosts.memoryReserved);
  const hostCpu = hostUse(
    snapshot,
    cpu,
    (row) => ((values.hostCpu[row] as number) * (cpus[row] as number)) / 100,
    (row) => !Number.isNaN(values.instanceCpu[row]),
  );
  const hostRam = hostUse(snapshot, ram, (row) => (values.hostRam[row] as number) / 1024);
  const thresholds: LoadThresholds = thresholdsAbove(target.vcpus);
  const cpuLimit = cpuCapacity.map((cpus) => (cpus * thresholds.target) / 100);
  const reliefLimit = cpuCapacity.map((cpus) => (cpus * thresholds.relief) / 100);
  const hotLimit = cpuCapacity.map((cpus) => (cpus * thresholds.hot) / 100 + hotSlack);
  const ramLimit = ramCapacity.map((mib) => (mib * target.memory) / 100);

  const { expected = null } = values;
  const cpuOf = expected === null ? (instance: number) => cpu[instance] as number : expected.mean;
  const levelOf = expected === null ? (host: number) => hostCpu[host] as number : expected.level;

  /** The measurement of the host lags behind moves, so it counts for arrivals, not for relief. */
  function cpuWith(instance: number, host: number): number {
    const own = (hostCpu[host] as number) + cpuOf(instance);
    return expected === null ? own : Math.max(own, expected.level(host, instance));
  }

  function hasLasted(host: number): boolean {
    if (expected === null) return (hostCpu[host] as number) > (hotLimit[host] as number);
    const samples = expected.samples(host);
    return lastsAt(hotLimit[host] as number, samples, Math.min(hotSamples, samples.length));
  }

  return {
    instanceCpu: cpuOf,
    hostCpu: levelOf,
    cpuCapacity: (host) => cpuCapacity[host] as number,
    freeCpu: (host) => (cpuLimit[host] as number) - Math.max(hostCpu[host] as number, levelOf(host)),
    excessCpu: (host) => Math.max(0, levelOf(host) - (reliefLimit[host] as number)),
    overloaded: hasLasted,
    fits: (instance, host) =>
      cpuWith(instance, host) <= (cpuLimit[host] as number) + slack &&
      (hostRam[host] as number) + (ram[instance] as number) <= (ramLimit[host] as number) + slack,
    moved(instance, from, to) {
      expected?.moved(instance, from, to);
      hostCpu[from] = (hostCpu[from] as number) - cpuOf(instance);
      hostCpu[to] = (hostCpu[to] as number) + cpuOf(instance);
      hostRam[from] = (hostRam[from] as number) - (ram[instance] as number);
      hostRam[to] = (hostRam[to] as number) + (ram[instance] as number);
    },
  };
}

/** Window of the measurements, and limits, by the names of parameters. */
export interface UseParameters {
  /** Seconds. */
  period: number;
  /** Seconds. */
  granularity: number;
  /** Default `p95`. */
  aggregation_method?: MetricAggregate;
  /** Percent. */
  minimum_coverage?: number;
  /** Default 80 % of each resource. */
  target_utilization?: Partial<TargetUtilization>;
}

/** Window of strategies without parameters for it, in seconds. */
export const usualWindow = { period: 3600, granularity: 300 };

/** Source of the measurements. */
export type UseContext = Pick<StrategyContext, 'model' | 'metrics'> & { parameters: UseParameters };

/** Measured use, and the hosts with enough known use. */
export interface KnownUse extends Pick<CoveredUse, 'known' | 'notes'> {
  use: MeasuredUse;
}

/**
 * Samples of the CPU use of each instance in vcpus, the newest first, as means over equal parts of the period. Null
 * when the aggregate is no percentile, or the period has few samples.
 */
export async function readSamples({
  model,
  metrics,
  parameters: { period, granularity, aggregation_method: aggregate = 'p95' },
}: UseContext): Promise<Float64Array[] | null> {
  const count = Math.min(comparedSamples, Math.floor(period / Math.max(1, granularity)));
  if (!hasDistribution(aggregate) || count < fewestSamples) return null;
  const window = { periodSeconds: period / count, granularitySeconds: granularity, aggregate: 'mean' } as const;
  const columns = await readTumblingWindows(metrics, 'instance_cpu_usage', window, count);
  const { vcpus } = model.snapshot.instances;
  return columns.map((column) => column.map((percent, row) => (percent / 100) * (vcpus[row] as number)));
}

/**
 * Sends five grouped queries, and one for each sample of the distribution. Hosts with too few measurements count as
 * blocked. Null when neither instances nor hosts have a CPU value.
 */
export async function readMeasuredUse(
  context: UseContext,
  all: readonly number[],
  blocked: BlockedTally,
): Promise<KnownUse | null> {
  const { model, metrics, parameters } = context;
  const window = {
    periodSeconds: parameters.period,
    granularitySeconds: parameters.granularity,
    aggregate: parameters.aggregation_method ?? 'p95',
  };
  const instances = (name: MetricName) => metrics.instances(name, window);
  const hosts = (name: MetricName) => metrics.hosts(name, window);
  const [instanceCpu, instanceRam, instanceRamAllocated, hostCpu, hostRam] = await Promise.all([
    instances('instance_cpu_usage'),
    instances('instance_ram_usage'),
    instances('instance_ram_allocated'),
    hosts('host_cpu_usage'),
    hosts('host_ram_usage'),
  ]);
  const cpuValues = [...instanceCpu, ...hostCpu];
  if (cpuValues.length > 0 && cpuValues.every(Number.isNaN)) return null;
  const { vcpus } = model.snapshot.instances;
  const request = {
    measured: instanceCpu.map((percent, row) => (percent / 100) * (vcpus[row] as number)),
    allocated: vcpus,
    hosts: all,
    minimumCoverage: parameters.minimum_coverage,
    isMeasured: (host: number) => !Number.isNaN(hostCpu[host]),
  };
  const { use, known, notes } = coverUse(model, request, blocked);
  const instanceCpuEstimate = use.map((value, row) => (value / (vcpus[row] as number)) * 100);
  const samples = await readSamples(context);
  const cpu = instanceCpuEstimate.map(
    (percent, row) => (measured(instanceCpu, row, percent) / 100) * (vcpus[row] as number),
  );
  const hasSamples = samples?.some((column) => column.some((value) => !Number.isNaN(value))) ?? false;
  const expected = hasSamples
    ? createExpectedCpu(model.snapshot, cpu, samples ?? [], parameters.aggregation_method ?? 'p95')
    : null;
  const values = { instanceCpu, instanceCpuEstimate, instanceRam, instanceRamAllocated, hostCpu, hostRam, expected };
  const measuredUse = createMeasuredUse(model.snapshot, values, targetOf(parameters.target_utilization));
  return { use: measuredUse, known, notes };
}
