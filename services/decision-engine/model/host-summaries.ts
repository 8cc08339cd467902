import { type ComputeSnapshot, hostFlag } from '#libs/cluster-model';
import type { ClusterTotals, HostSummary, ResourceUse } from '#libs/messaging';
import type { Loads } from './measure-loads.ts';

/** One summary for each host, in the order of the snapshot's rows. */
export function hostSummaries(snapshot: ComputeSnapshot, loads: Loads): HostSummary[] {
  const { hosts, hostInfo, instances, aggregates, zones } = snapshot;
  const counts = new Uint32Array(hostInfo.length);
  for (const host of instances.host) if (host >= 0) counts[host] = (counts[host] as number) + 1;
  const measured = hostLoads(snapshot, loads);
  return hostInfo.map((info, row) => {
    const flags = hosts.flags[row] as number;
    return {
      uuid: info.uuid,
      hostname: info.hostname,
      state: flags & hostFlag.up ? 'up' : 'down',
      status: flags & hostFlag.enabled ? 'enabled' : 'disabled',
      disabled_reason: info.disabledReason,
      zone: zones[hosts.zone[row] as number] ?? '',
      aggregates: info.aggregates.flatMap((index) => aggregates[index]?.id ?? []),
      instances: counts[row] as number,
      vcpus: useOf(row, hosts.vcpus, hosts.vcpusReserved, hosts.vcpusRatio, hosts.vcpusUsed),
      memory: useOf(row, hosts.memory, hosts.memoryReserved, hosts.memoryRatio, hosts.memoryUsed),
      disk: useOf(row, hosts.disk, hosts.diskReserved, hosts.diskRatio, hosts.diskUsed),
      ...(measured[row] as HostLoads),
    };
  });
}

/** Measured loads of a host in percent. Null when they are not measured. */
export type HostLoads = Pick<HostSummary, 'cpu_load' | 'memory_load'>;

/** The loads of each host, in the order of the snapshot's rows. */
export function hostLoads({ hosts, hostInfo }: ComputeSnapshot, loads: Loads): HostLoads[] {
  const cpu = loads.of('host_cpu_usage');
  const ram = loads.of('host_ram_usage');
  return hostInfo.map(({ hostname }, row) => ({
    cpu_load: rounded(cpu.get(hostname)),
    memory_load: shareOf(ram.get(hostname), hosts.memory[row] as number),
  }));
}

/** Sums and spreads over host summaries. */
export function totalsOf(hosts: readonly HostSummary[]): ClusterTotals {
  const usable = hosts.filter(({ state, status }) => state === 'up' && status === 'enabled');
  return {
    hosts: hosts.length,
    hosts_up: hosts.filter(({ state }) => state === 'up').length,
    hosts_enabled: hosts.filter(({ status }) => status === 'enabled').length,
    hosts_empty: hosts.filter(({ instances }) => instances === 0).length,
    instances: hosts.reduce((sum, { instances }) => sum + instances, 0),
    vcpus: sumOf(usable.map(({ vcpus }) => vcpus)),
    memory: sumOf(usable.map(({ memory }) => memory)),
    disk: sumOf(usable.map(({ disk }) => disk)),
    cpu_load: spreadOf(hosts.flatMap(({ cpu_load: load }) => load ?? [])),
  };
}

/** Mean, standard deviation and extremes of values, to two decimals. Null without values. */
export function spreadOf(values: readonly number[]): ClusterTotals['cpu_load'] {
  if (values.length === 0) return null;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  const extremes = values.reduce(({ min, max }, value) => ({ min: Math.min(min, value), max: Math.max(max, value) }), {
    min: Number.POSITIVE_INFINITY,
    max: Number.NEGATIVE_INFINITY,
  });
  return {
    mean: twoDecimals(mean),
    deviation: twoDecimals(Math.sqrt(variance)),
    min: twoDecimals(extremes.min),
    max: twoDecimals(extremes.max),
    hosts: values.length,
  };
}

/** A measured value to two decimals. Null when there is none. */
export function rounded(value: number | undefined): number | null {
  return value === undefined ? null : twoDecimals(value);
}

/** Percentage of `kib` in `totalMib`. */
function shareOf(kib: number | undefined, totalMib: number): number | null {
  return kib === undefined || totalMib <= 0 ? null : twoDecimals((kib / 1024 / totalMib) * 100);
}

function twoDecimals(value: number): number {
  return Math.round(value * 100) / 100;
}

function useOf(
  row: number,
  totals: Float64Array,
  reserved: Float64Array,
  ratio: Float64Array,
  used: Float64Array,
): ResourceUse {
  const total = totals[row] as number;
  return {
    total,
    capacity: twoDecimals((total - (reserved[row] as number)) * (ratio[row] as number)),
    used: used[row] as number,
  };
}

function sumOf(uses: readonly ResourceUse[]): ResourceUse {
  return uses.reduce(
    (sum, { total, capacity, used }) => ({
      total: sum.total + total,
      capacity: twoDecimals(sum.capacity + capacity),
      used: sum.used + used,
    }),
    { total: 0, capacity: 0, used: 0 },
  );
}
