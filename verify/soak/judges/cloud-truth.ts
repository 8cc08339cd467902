import { type HostSample, type HostState, timeOf } from '../record.ts';

/** Room of a host, as allocations are counted. */
export interface HostRoom {
  vcpus: number;
  memoryMb: number;
}

/** Numbers by name, as an outcome has them. */
export type Numbers = Record<string, number | null>;

/** A window of time, milliseconds of the epoch. */
export interface Window {
  fromMs: number;
  toMs: number;
}

/** Largest difference between a number that Vigil shows and the cloud, in points (hundredths). */
const tolerancePoints = 1;
/** Two clocks and one period of samples, in milliseconds. */
const slackMs = 2500;

const isEnabled = ({ status }: HostState) => status === 'enabled';

/** Numbers of the cluster by their names in the outcome. */
const truths: Readonly<Record<string, (hosts: readonly HostState[], room: HostRoom) => number>> = {
  hosts: (hosts) => hosts.length,
  hosts_enabled: (hosts) => hosts.filter(isEnabled).length,
  hosts_empty: (hosts) => hosts.filter(({ servers }) => servers === 0).length,
  instances: (hosts) => hosts.reduce((sum, { servers }) => sum + servers, 0),
  vcpu_share_deviation: (hosts, { vcpus }) => deviation(hosts.filter(isEnabled).map(({ used }) => used.VCPU / vcpus)),
  memory_share_deviation: (hosts, { memoryMb }) =>
    deviation(hosts.filter(isEnabled).map(({ used }) => used.MEMORY_MB / memoryMb)),
};

/**
 * Compares numbers of the cluster with the samples around a moment, within whose range they must be: spreads within one
 * point, counts exactly.
 * @returns a reason for each number that the samples do not confirm
 */
export function clusterContradictions(
  samples: readonly HostSample[],
  cluster: Numbers,
  atMs: number,
  room: HostRoom,
): string[] {
  const near = samples.filter((sample) => Math.abs(sample.atMs - atMs) <= slackMs);
  if (near.length === 0) return [];
  return Object.entries(cluster).flatMap(([name, value]) => {
    const truth = truths[name];
    if (!truth || value === null) return [];
    const seen = near.map(({ hosts }) => truth(hosts, room));
    const limit = name.endsWith('_deviation') ? tolerancePoints / 100 : 0;
    const [least, most] = [Math.min(...seen), Math.max(...seen)];
    if (value >= least - limit && value <= most + limit) return [];
    return [`${name} is ${value}, the cloud had ${shown(least, most)}`];
  });
}

/** Compares the spread of the CPU over hosts, 0 to 1, with the means of the samples in the window. */
export function cpuContradictions(samples: readonly HostSample[], value: number, { fromMs, toMs }: Window): string[] {
  const loads = new Map<string, number[]>();
  for (const { hosts } of samples.filter(({ atMs }) => atMs >= fromMs && atMs <= toMs)) {
    for (const { name, cpu_percent } of hosts.filter((host) => host.alive && isEnabled(host))) {
      loads.set(name, [...(loads.get(name) ?? []), cpu_percent / 100]);
    }
  }
  if (loads.size === 0) return [];
  const truth = deviation([...loads.values()].map(meanOf));
  if (Math.abs(truth - value) * 100 <= tolerancePoints) return [];
  const when = `from ${timeOf(fromMs)} to ${timeOf(toMs)}`;
  return [`the deviation of CPU is ${value}, the cloud had ${truth.toFixed(4)} ${when}`];
}

const shown = (...values: number[]) => [...new Set(values.map((value) => Number(value.toFixed(4))))].join(' to ');

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function deviation(values: readonly number[]): number {
  if (values.length === 0) return 0;
  const mean = meanOf(values);
  return Math.sqrt(meanOf(values.map((value) => (value - mean) ** 2)));
}
