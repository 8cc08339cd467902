import type { ComputeSnapshot } from '#libs/cluster-model';
import type { MetricName } from '#libs/domain';
import {
  type FullestHost,
  fullestHostDays,
  type HistoryFullestRequest,
  type HistoryFullestResponse,
  type RpcRefusal,
  refuse,
} from '#libs/messaging';
import { rounded } from '../model/host-summaries.ts';
import { type Loads, measureLoads } from '../model/measure-loads.ts';
import type { ClusterDeps } from './describe-cluster.ts';

const daySeconds = 86_400;
const mostHosts = 100;
const metrics = ['host_cpu_usage', 'host_ram_usage'] as const;

/** Returns `history.fullest`. Sends two queries for each metric, each over the whole period. */
export async function fullestHosts(
  { start, end, limit }: HistoryFullestRequest,
  deps: ClusterDeps,
): Promise<HistoryFullestResponse | RpcRefusal> {
  const periodSeconds = end - start;
  const now = Math.ceil(deps.clock.now() / 1000);
  if (!(periodSeconds >= 1 && periodSeconds <= fullestHostDays * daySeconds && end <= now))
    return refuse('invalid_input', `start, end: at most ${fullestHostDays} days until now`);
  if (!(limit >= 1 && limit <= mostHosts)) return refuse('invalid_input', `limit: 1 to ${mostHosts}`);
  const window = { metrics, periodSeconds, endMs: end * 1000 };
  const [mean, highest] = await Promise.all([
    measureLoads(window, deps),
    measureLoads({ ...window, aggregate: 'max' }, deps),
  ]);
  const hosts = hostsOf(memorySizes(deps.model.latest()), mean, highest);
  return {
    load: { ...mean.measurement, error: mean.measurement.error ?? highest.measurement.error },
    measured_hosts: hosts.length,
    hosts: hosts.sort((a, b) => fullness(b) - fullness(a) || (a.hostname < b.hostname ? -1 : 1)).slice(0, limit),
  };
}

/** Hosts with samples. */
function hostsOf(kibOf: ReadonlyMap<string, number>, mean: Loads, highest: Loads): FullestHost[] {
  const names = new Set(metrics.flatMap((metric) => [...mean.of(metric).keys()]));
  return [...names].map((hostname) => {
    const percent = (loads: Loads, metric: MetricName) => {
      const value = loads.of(metric).get(hostname);
      if (metric === 'host_cpu_usage' || value === undefined) return rounded(value);
      const kib = kibOf.get(hostname) ?? 0;
      return kib > 0 ? rounded((100 * value) / kib) : null;
    };
    return {
      hostname,
      cpu_mean: percent(mean, 'host_cpu_usage'),
      cpu_highest: percent(highest, 'host_cpu_usage'),
      memory_mean: percent(mean, 'host_ram_usage'),
      memory_highest: percent(highest, 'host_ram_usage'),
    };
  });
}

function fullness({ cpu_mean: cpu, memory_mean: memory }: FullestHost): number {
  return Math.max(cpu ?? 0, memory ?? 0);
}

/** Memory of each host in KiB, the unit of the metric. */
function memorySizes(snapshot: ComputeSnapshot | null): Map<string, number> {
  return new Map(
    snapshot?.hostInfo.map(({ hostname }, row) => [hostname, (snapshot.hosts.memory[row] as number) * 1024]),
  );
}
