import type { ComputeSnapshot } from '#libs/cluster-model';
import type { MetricAggregate } from '#libs/domain';

/** Standard deviations above the mean for quantiles of a normal distribution. */
const deviationsOf: Partial<Record<MetricAggregate, number>> = { p50: 0, p90: 1.2816, p95: 1.6449, p99: 2.3263 };

/**
 * Variance of the load of an unknown instance, as a fraction of the variance of a load that is either zero or full. It
 * replaces missing samples. Hours of measured clouds have 0.06 to 0.15. The upper end is used, because an overfilled
 * host causes unmet demand and further moves.
 */
const unknownVariance = 0.14;
/** Range of the load of an instance without a history, as fractions of its vcpus. */
const leastShare = 0.02;

/** Expected CPU load of hosts: the percentile of the sum of their instances, in vcpus. Moves update it. */
export interface ExpectedCpu {
  /** Mean load of an instance. */
  mean(instance: number): number;
  /** Percentile of the load of a host with one more instance. */
  level(host: number, instance?: number): number;
  /**
   * Load of the current instances of the host, by sample, the newest first. Contains the samples that all instances
   * have.
   */
  samples(host: number): number[];
  moved(instance: number, from: number, to: number): void;
}

/** Whether the aggregate is a percentile that sums can have. Other aggregates are used unchanged. */
export function hasDistribution(aggregate: MetricAggregate): boolean {
  return deviationsOf[aggregate] !== undefined;
}

interface Columns {
  /** Mean, variance, and the variance for missing samples. */
  mean: Float64Array;
  variance: Float64Array;
  unknown: Float64Array;
  /** Samples of an instance, with its mean for missing ones. */
  filled: Float64Array[];
}

function columnsOf({ instances }: ComputeSnapshot, use: Float64Array, samples: readonly Float64Array[]): Columns {
  const count = samples.length;
  const columns: Columns = {
    mean: use.slice(),
    variance: new Float64Array(use.length),
    unknown: new Float64Array(use.length),
    filled: samples.filter((column) => column.some((value) => !Number.isNaN(value))).map((column) => column.slice()),
  };
  for (let row = 0; row < use.length; row += 1) {
    const own = samples.flatMap((column) => (Number.isNaN(column[row]) ? [] : (column[row] as number)));
    if (own.length > 0) {
      const mean = own.reduce((sum, value) => sum + value, 0) / own.length;
      const size = instances.vcpus[row] as number;
      const share = size > 0 ? Math.min(1 - leastShare, Math.max(leastShare, mean / size)) : 0;
      const squares = own.reduce((sum, value) => sum + (value - mean) ** 2, 0);
      columns.mean[row] = mean;
      columns.unknown[row] = unknownVariance * size ** 2 * share * (1 - share);
      const missing = count - own.length;
      columns.variance[row] =
        ((missing * columns.unknown[row]! + squares) / (count - 1)) *
        (missing > 0 || squares > 0 ? 1 + 1 / own.length : 1);
    }
    for (const column of columns.filled) if (Number.isNaN(column[row])) column[row] = columns.mean[row]!;
  }
  return columns;
}

/**
 * Starts with the placement of the snapshot. The variance of a host is the larger of two: the sum of the variances of
 * its instances, and the variance of the sum of their samples, which includes correlated loads.
 * @param use load in vcpus of an instance without a sample
 * @param samples loads in vcpus of each instance, the newest first. NaN: not measured. At least two
 */
export function createExpectedCpu(
  snapshot: ComputeSnapshot,
  use: Float64Array,
  samples: readonly Float64Array[],
  aggregate: MetricAggregate,
): ExpectedCpu {
  const deviations = deviationsOf[aggregate] ?? 0;
  const { mean, variance, unknown, filled } = columnsOf(snapshot, use, samples);
  const hosts = snapshot.hostInfo.length;
  const sums = { mean: new Float64Array(hosts), variance: new Float64Array(hosts), unknown: new Float64Array(hosts) };
  const columns = filled.map(() => new Float64Array(hosts));
  const known = filled.length;
  const missing = samples.length - known;

  function add(host: number, instance: number, sign: 1 | -1): void {
    sums.mean[host]! += sign * mean[instance]!;
    sums.variance[host]! += sign * variance[instance]!;
    sums.unknown[host]! += sign * unknown[instance]!;
    columns.forEach((column, at) => {
      column[host]! += sign * filled[at]![instance]!;
    });
  }

  /** Variance of the sum of the samples of a host. */
  function ofSums(host: number, instance: number | undefined): number {
    const more = (column: Float64Array) => (instance === undefined ? 0 : column[instance]!);
    const middle = sums.mean[host]! + more(mean);
    let squares = missing * (sums.unknown[host]! + more(unknown));
    for (let at = 0; at < known; at += 1) squares += (columns[at]![host]! + more(filled[at]!) - middle) ** 2;
    if (missing === 0 && squares < 1e-12) return 0;
    return (squares / (samples.length - 1)) * (1 + 1 / Math.max(1, known));
  }

  snapshot.instances.host.forEach((host, row) => {
    if (host >= 0) add(host, row, 1);
  });
  return {
    mean: (instance) => mean[instance]!,
    level(host, instance) {
      const [more, varies] = instance === undefined ? [0, 0] : [mean[instance]!, variance[instance]!];
      const own = Math.max(sums.variance[host]! + varies, deviations === 0 ? 0 : ofSums(host, instance), 0);
      return sums.mean[host]! + more + deviations * Math.sqrt(own);
    },
    samples: (host) => columns.map((column) => column[host]!),
    moved(instance, from, to) {
      add(from, instance, -1);
      add(to, instance, 1);
    },
  };
}
