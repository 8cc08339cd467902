import type { ComputeSnapshot } from '#libs/cluster-model';
import { emptyHosts, emptyingBound } from '#libs/optimizer';
import type { BenchGoal, BenchResult } from './report.ts';
import { rounded } from './report.ts';
import { snapshotProblem } from './snapshot-problem.ts';

/** Most TB to move for each number of hosts, and seconds of processor time. */
const wanted = [
  { hosts: 139, tb: 16 },
  { hosts: 123, tb: 14.2 },
];
const mostSeconds = 10;

/**
 * Empties as many hosts as possible, and as many as first fit does, at the price of moved memory. The results are
 * counted from the snapshot without the optimizer: hosts in use, room on every host, memory of the moved instances.
 */
export function consolidateBySearch(snapshot: ComputeSnapshot): { results: BenchResult[]; goals: BenchGoal[] } {
  const results: BenchResult[] = [];
  const goals: BenchGoal[] = [];
  for (const { hosts, tb } of wanted) {
    const result = measure(snapshot, hosts);
    results.push(result);
    goals.push(
      { name: `${hosts} hosts freed`, value: result.freed, limit: hosts, unit: 'hosts', atLeast: true },
      { name: `memory moved to free ${hosts} hosts`, value: rounded(result.moved_gb / 1000, 2), limit: tb, unit: 'TB' },
      { name: `hosts without room, ${hosts} freed`, value: result.overfull, limit: 0, unit: 'hosts' },
      { name: `time, ${hosts} hosts`, value: result.seconds, limit: mostSeconds, unit: 's' },
    );
  }
  results.push(measure(snapshot, snapshot.hostInfo.length));
  return { results, goals };
}

function measure(snapshot: ComputeSnapshot, hosts: number) {
  const began = process.cpuUsage();
  const problem = snapshotProblem(snapshot, { square: 0, hostInUse: 0, move: 0, gib: 1 });
  const { host } = emptyHosts(problem, { most: hosts });
  const seconds = rounded(process.cpuUsage(began).user / 1e6, 2);
  return { name: `optimizer, at most ${hosts} hosts`, ...recount(snapshot, host), seconds };
}

function recount({ hosts, instances, hostInfo }: ComputeSnapshot, host: Int32Array) {
  const kinds = ['vcpus', 'memory', 'disk'] as const;
  const used = kinds.map(() => new Float64Array(hostInfo.length));
  const atHome = new Float64Array(hostInfo.length);
  let movedMib = 0;
  let migrations = 0;
  host.forEach((to, row) => {
    const home = instances.host[row]!;
    kinds.forEach((kind, index) => {
      used[index]![to]! += instances[kind][row]!;
    });
    atHome[home]! += instances.memory[row]!;
    if (to === home) return;
    migrations += 1;
    movedMib += instances.memory[row]!;
  });
  const room = (kind: (typeof kinds)[number], at: number) =>
    (hosts[kind][at]! - hosts[`${kind}Reserved`][at]!) * hosts[`${kind}Ratio`][at]!;
  const rows = Array.from(hostInfo.keys());
  const freed = rows.filter((at) => atHome[at]! > 0 && used[1]![at] === 0).length;
  const least = emptyingBound(
    atHome.filter((mib) => mib > 0),
    freed,
  );
  return {
    freed,
    migrations,
    moved_gb: rounded(movedMib / 1024),
    bound_gb: rounded(least / 1024),
    overfull: rows.filter((at) => kinds.some((kind, index) => used[index]![at]! > room(kind, at))).length,
  };
}
