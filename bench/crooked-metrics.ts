import type { ComputeSnapshot } from '#libs/cluster-model';
import type { MetricName, RandomSource } from '#libs/domain';
import { createMetricsReader, type MetricsReader, type MetricsSource } from '#libs/plugin-kit';

/** Percent by which the 95th percentile of a load is above its mean. */
const peak = 1.2;

/** CPU load in percent above which a host counts as hot. Strategies relieve such hosts. */
export const hotPercent = 85;

/** Draws hosts with enough vCPUs and raises the loads of all their instances to `hotPercent` of the host or more. */
function heat(
  { hosts, instances }: ComputeSnapshot,
  cpu: Float64Array,
  { random, hotShare }: { random: RandomSource; hotShare: number },
): void {
  const used = hosts.vcpus.map(() => 0);
  const most = hosts.vcpus.map(() => 0);
  instances.host.forEach((host, row) => {
    if (host < 0) return;
    const share = (instances.vcpus[row] as number) / (hosts.vcpus[host] as number);
    used[host] = (used[host] as number) + (cpu[row] as number) * share;
    most[host] = (most[host] as number) + 100 * share;
  });
  const drawn = [...hosts.vcpus.keys()]
    .filter((host) => (most[host] as number) >= 100)
    .map((host) => ({ host, order: random() }))
    .sort((a, b) => a.order - b.order)
    .slice(0, Math.round(hotShare * hosts.vcpus.length));
  const rise = hosts.vcpus.map(() => 0);
  for (const { host } of drawn) {
    const [from, to] = [used[host] as number, most[host] as number];
    const wanted = hotPercent + (100 - hotPercent) * random();
    if (from < wanted) rise[host] = (wanted - from) / (to - from);
  }
  instances.host.forEach((host, row) => {
    if (host >= 0) cpu[row] = (cpu[row] as number) + (100 - (cpu[row] as number)) * (rise[host] as number);
  });
}

/**
 * Loads of instances, and of hosts as the sums over their instances: CPU in percent, memory in MiB (of hosts in KiB).
 * @param hotShare share of the hosts that become hot, if enough hosts have the vCPUs for it
 */
export function crookedLoads(snapshot: ComputeSnapshot, random: RandomSource, hotShare = 0) {
  const { hosts, instances } = snapshot;
  const activity = hosts.vcpus.map(() => 5 + 45 * random());
  const cpu = instances.vcpus.map((_, row) =>
    Math.min(100, (activity[Math.max(0, instances.host[row] as number)] as number) * 2 * random()),
  );
  const ram = instances.memory.map((memory) => memory * (0.2 + 0.6 * random()));
  if (hotShare > 0) heat(snapshot, cpu, { random, hotShare });
  const hostCpu = new Float64Array(hosts.vcpus.length);
  const hostRam = new Float64Array(hosts.vcpus.length);
  instances.host.forEach((host, row) => {
    if (host < 0) return;
    const used = ((cpu[row] as number) * (instances.vcpus[row] as number)) / (hosts.vcpus[host] as number);
    hostCpu[host] = Math.min(100, (hostCpu[host] as number) + used);
    hostRam[host] = (hostRam[host] as number) + (ram[row] as number) * 1024;
  });
  return { cpu, ram, hostCpu, hostRam };
}

/**
 * Metrics of a snapshot through the reader that audits use. Its store returns maps by name, without some hosts and
 * every hundredth instance. Every host has a separate level of activity, so that the load is uneven.
 */
export function crookedMetrics(
  snapshot: ComputeSnapshot,
  random: RandomSource,
  { cpu, ram, hostCpu, hostRam } = crookedLoads(snapshot, random),
): MetricsReader {
  const cache = cpu.map(() => 1e6 * (0.2 + random()));
  const earlier = cache.map((bytes) => bytes * (0.6 + random()));
  const perInstance: Partial<Record<MetricName, Float64Array>> = {
    instance_cpu_usage: cpu,
    instance_ram_usage: ram,
    instance_ram_allocated: snapshot.instances.memory,
    instance_root_disk_size: snapshot.instances.disk,
    instance_l3_cache_usage: cache,
  };
  const perHost: Partial<Record<MetricName, Float64Array>> = {
    host_cpu_usage: hostCpu,
    host_ram_usage: hostRam,
    host_outlet_temp: hostCpu.map(() => 20 + 25 * random()),
    host_airflow: hostCpu.map(() => 200 + 300 * random()),
    host_inlet_temp: hostCpu.map(() => 20 + 5 * random()),
    host_power: hostCpu.map(() => 150 + 150 * random()),
  };
  const measured = snapshot.instanceInfo.map(() => random() >= 0.01);
  const hostNames = snapshot.hostInfo.map(({ hostname }) => hostname);
  const uuids = snapshot.instanceInfo.map(({ uuid }) => uuid);

  function byName(values: Float64Array | undefined, names: readonly string[], change: (value: number) => number) {
    const found = new Map<string, number>();
    values?.forEach((value, row) => {
      if (names === hostNames || measured[row]) found.set(names[row] as string, change(value));
    });
    return found;
  }

  const history: MetricsSource = {
    name: 'bench',
    async aggregate({ metric, aggregate, endMs = 0 }) {
      const isEarlier = metric === 'instance_l3_cache_usage' && endMs < 0;
      const isPeak = aggregate === 'p95' && metric.endsWith('cpu_usage');
      const change = (value: number) => (isPeak ? Math.min(100, value * peak) : value);
      if (metric in perHost) return byName(perHost[metric], hostNames, change);
      return byName(isEarlier ? earlier : perInstance[metric], uuids, change);
    },
  };
  return createMetricsReader({ history, snapshot, endMs: 0 }).reader;
}
