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

/** Seconds between two values of a load that the simulator stores, of which Vigil's averages are made. */
export const soakSampleSeconds = 5;

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

/**
 * Compares the spread of the CPU over the hosts in use at `atMs`, 0 to 1, with their means over the window. It must be
 * within one point of the range of the means of one sample in five seconds, which depend on the first one. A window
 * without samples for longer than that is not compared.
 */
export function cpuContradictions(
  samples: readonly HostSample[],
  value: number,
  { fromMs, toMs }: Window,
  atMs: number,
): string[] {
  const within = samples.filter((sample) => sample.atMs >= fromMs && sample.atMs <= toMs);
  const near = samples.filter((sample) => Math.abs(sample.atMs - atMs) <= slackMs);
  if (near.length === 0 || longestGapMs(within, { fromMs, toMs }) > soakSampleSeconds * 1000) return [];
  const truths = phasesOf(within, fromMs).flatMap((phase) => {
    const loads = meanLoads(phase);
    return near.map(({ hosts }) => deviation(hosts.filter(isInUse).flatMap(({ name }) => loads.get(name) ?? [])));
  });
  const [least, most] = [Math.min(...truths), Math.max(...truths)];
  const limit = tolerancePoints / 100;
  if (value >= least - limit && value <= most + limit) return [];
  const when = `from ${timeOf(fromMs)} to ${timeOf(toMs)}`;
  return [`the deviation of CPU is ${value}, the cloud had ${shown(least, most)} ${when}`];
}

const isInUse = (host: HostState) => host.alive && isEnabled(host);

function longestGapMs(samples: readonly HostSample[], { fromMs, toMs }: Window): number {
  const times = [fromMs, ...samples.map(({ atMs }) => atMs), toMs];
  return Math.max(...times.slice(1).map((time, place) => time - (times[place] as number)));
}

/** The samples as a history may have them that stores one in five seconds, by its first second. */
function phasesOf(samples: readonly HostSample[], fromMs: number): HostSample[][] {
  const phaseOf = ({ atMs }: HostSample) => Math.floor((atMs - fromMs) / 1000) % soakSampleSeconds;
  const phases = Array.from({ length: soakSampleSeconds }, (_, phase) =>
    samples.filter((sample) => phaseOf(sample) === phase),
  );
  return phases.filter((phase) => phase.length > 0);
}

/** Mean CPU of each host while it was alive, 0 to 1. */
function meanLoads(samples: readonly HostSample[]): Map<string, number> {
  const loads = new Map<string, number[]>();
  for (const { hosts } of samples) {
    for (const { name, cpu_percent } of hosts.filter(({ alive }) => alive)) {
      loads.set(name, [...(loads.get(name) ?? []), cpu_percent / 100]);
    }
  }
  return new Map([...loads].map(([name, values]) => [name, meanOf(values)]));
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
