import type { ComputeSnapshot } from '#libs/cluster-model';
import type { MetricsReader } from '#libs/plugin-kit';

interface PlainHost {
  name: string;
  load: number;
  vcpus: number;
}

interface PlainInstance {
  host: string;
  use: number;
}

/**
 * The yardstick of the strategies bench: one full search for the best move (every instance to every host) over plain
 * objects in Maps, with the same O(1) judgement of a move. Returns the lowest deviation found.
 */
export async function fullSearchOverObjects(snapshot: ComputeSnapshot, metrics: MetricsReader): Promise<number> {
  const window = { periodSeconds: 600, aggregate: 'mean' } as const;
  const cpu = await metrics.instances('instance_cpu_usage', window);
  const loads = await metrics.hosts('host_cpu_usage', window);
  const hosts = new Map<string, PlainHost>();
  snapshot.hostInfo.forEach(({ hostname }, row) => {
    hosts.set(hostname, { name: hostname, load: (loads[row] || 0) / 100, vcpus: snapshot.hosts.vcpus[row] ?? 1 });
  });
  const names = snapshot.hostInfo.map(({ hostname }) => hostname);
  const instances = snapshot.instanceInfo.flatMap((_, row): PlainInstance[] => {
    const host = names[snapshot.instances.host[row] ?? -1];
    // Instances without a measurement count as 0.
    return host === undefined ? [] : [{ host, use: ((cpu[row] || 0) / 100) * (snapshot.instances.vcpus[row] ?? 0) }];
  });
  return lowestDeviation(hosts, instances);
}

function lowestDeviation(hosts: Map<string, PlainHost>, instances: PlainInstance[]): number {
  let sum = 0;
  let squares = 0;
  for (const { load } of hosts.values()) {
    sum += load;
    squares += load * load;
  }
  let best = Number.POSITIVE_INFINITY;
  for (const { host, use } of instances) {
    const source = hosts.get(host) as PlainHost;
    const left = source.load - use / source.vcpus;
    for (const name of hosts.keys()) {
      const destination = hosts.get(name) as PlainHost;
      const filled = destination.load + use / destination.vcpus;
      const mean = (sum - source.load - destination.load + left + filled) / hosts.size;
      const total = squares - source.load ** 2 - destination.load ** 2 + left ** 2 + filled ** 2;
      best = Math.min(best, Math.sqrt(Math.max(0, total / hosts.size - mean * mean)));
    }
  }
  return best;
}
