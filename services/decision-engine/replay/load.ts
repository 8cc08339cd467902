import type { DayCloud } from './day-cloud.ts';

/** Demanded CPU of each host in vcpus, by row. */
export interface LoadOfHosts {
  demand: Float64Array;
}

/**
 * Sums the demand of the instances at a step over their hosts, and adds the other load of the hosts, where known.
 * `hostOf`: the host of each instance, default its current host.
 */
export function loadOfHosts(cloud: DayCloud, step: number, hostOf = cloud.hostOf): LoadOfHosts {
  const { world, vcpus } = cloud;
  const { cpu, overheadCpu } = cloud.loadAt(step);
  const demand = new Float64Array(world.hosts.length);
  for (let row = 0; row < hostOf.length; row += 1) {
    const host = hostOf[row] as number;
    if (host >= 0) demand[host] = (demand[host] as number) + ((vcpus[row] as number) * (cpu[row] || 0)) / 100;
  }
  if (overheadCpu === null) return { demand };
  for (const [row, { vcpus: size }] of world.hosts.entries()) {
    demand[row] = Math.max(0, (demand[row] as number) + (size * (overheadCpu[row] || 0)) / 100);
  }
  return { demand };
}

/** 1 for each host that is on and has not failed, else 0. */
export function runningHosts({ hosts }: DayCloud): Uint8Array {
  const running = new Uint8Array(hosts.length);
  for (const [row, { power, failed }] of hosts.entries()) running[row] = Number(power === 'on' && !failed);
  return running;
}

/** Share of its demand that an instance on each host gets, 0 to 1. `running`: default its current value. */
export function servedShares(cloud: DayCloud, { demand }: LoadOfHosts, running = runningHosts(cloud)): Float64Array {
  const shares = new Float64Array(demand.length);
  for (const [row, { vcpus }] of cloud.world.hosts.entries()) {
    const wanted = demand[row] as number;
    if (running[row] === 1) shares[row] = wanted === 0 ? 1 : Math.min(1, vcpus / wanted);
  }
  return shares;
}
