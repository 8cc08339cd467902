import type { DayCloud } from './day-cloud.ts';

/** Demanded CPU of each host in vcpus, by row. */
export interface LoadOfHosts {
  demand: Float64Array;
}

/**
 * Sums the demand of the instances at a step over their hosts, and adds the load of the hosts beside it, where it is
 * known.
 */
export function loadOfHosts({ world, hostOf }: DayCloud, step: number): LoadOfHosts {
  const demand = new Float64Array(world.hosts.length);
  hostOf.forEach((host, row) => {
    if (host < 0) return;
    const { vcpus, percents } = world.instances[row]!;
    demand[host] = (demand[host] ?? 0) + (vcpus * (percents[step] || 0)) / 100;
  });
  for (const [row, { vcpus, overhead }] of world.hosts.entries()) {
    if (overhead === undefined) continue;
    demand[row] = Math.max(0, (demand[row] ?? 0) + (vcpus * (overhead.cpu[step] || 0)) / 100);
  }
  return { demand };
}

/** Share of its demand that an instance on the host gets, 0 to 1. */
export function servedShare({ world, hosts }: DayCloud, { demand }: LoadOfHosts, host: number): number {
  if (hosts[host]?.failed || hosts[host]?.power !== 'on') return 0;
  const wanted = demand[host] ?? 0;
  return wanted === 0 ? 1 : Math.min(1, (world.hosts[host]?.vcpus ?? 0) / wanted);
}
