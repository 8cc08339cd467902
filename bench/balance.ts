import type { ComputeSnapshot } from '#libs/cluster-model';
import { collectComputeModel } from '../services/decision-engine/collectors/compute-collector.ts';
import { benchArguments } from './arguments.ts';
import { applyProposal } from './objective-measures.ts';
import { proposeOn } from './propose.ts';
import { type BenchGoal, type BenchResult, finishBench, rounded } from './report.ts';
import { wallClock, withSimulatedCloud } from './simulator-process.ts';

/** Budget of each search (`time_limit`), in seconds of work. */
const seconds = 10;
/** Share of the avoidable squares that each number of moves must remove, in percent. */
const wanted = [
  { moves: 50, percent: 17 },
  { moves: 200, percent: 41.5 },
];
/**
 * Aim that the squares measure: shares of allocated vcpus and memory, without measured load and hot hosts. The squares
 * of vcpus are five times those of memory.
 */
const aim = {
  preset: 'even',
  effort: 'best',
  reserve_hosts: 0,
  hot_limit: 100,
  terms: { cpu_balance: 'off', vcpus_balance: 'high', memory_balance: 'normal' },
};

/** Capacity of a host for allocations of vcpus and memory. */
function capacities({ hosts }: ComputeSnapshot, host: number): number[] {
  return [
    (hosts.vcpus[host]! - hosts.vcpusReserved[host]!) * hosts.vcpusRatio[host]!,
    (hosts.memory[host]! - hosts.memoryReserved[host]!) * hosts.memoryRatio[host]!,
  ];
}

/** Sum of the squares of the shares of all hosts, and the least that it could be: equal shares on all hosts. */
function squaresOf(snapshot: ComputeSnapshot, hostOf: ArrayLike<number>): { sum: number; least: number } {
  const { instances, hostInfo } = snapshot;
  const uses = [instances.vcpus, instances.memory];
  let sum = 0;
  let least = 0;
  for (const [resource, use] of uses.entries()) {
    const used = new Float64Array(hostInfo.length);
    use.forEach((own, row) => {
      if (hostOf[row]! >= 0) used[hostOf[row]!]! += own;
    });
    const room = hostInfo.map((_, host) => capacities(snapshot, host)[resource]!);
    const total = (numbers: ArrayLike<number>) => Array.from(numbers).reduce((all, own) => all + own, 0);
    sum += used.reduce((all, own, host) => all + (own / room[host]!) ** 2, 0);
    least += hostInfo.length * (total(used) / total(room)) ** 2;
  }
  return { sum, least };
}

/**
 * Measures how evenly `balance_optimizer` spreads vcpus and memory over the 800 hosts of the shipped world, with each
 * number of moves.
 */
export async function balanceBench(args: string[]): Promise<void> {
  const { json, numbers } = benchArguments(args, { seconds });
  await withSimulatedCloud('azure2017-800', async (cloud) => {
    const snapshot = await collectComputeModel(cloud, { clock: wallClock });
    const start = squaresOf(snapshot, snapshot.instances.host);
    const results: BenchResult[] = [];
    const goals: BenchGoal[] = [];
    for (const { moves, percent } of wanted) {
      const given = { ...aim, max_moves: moves, time_limit: numbers.seconds };
      const proposal = await proposeOn(snapshot, 'balance_optimizer', given);
      const { hostOf, migrations, refused } = applyProposal(snapshot, proposal.actions);
      const removed = (100 * (start.sum - squaresOf(snapshot, hostOf).sum)) / (start.sum - start.least);
      const name = `${moves} moves`;
      results.push({
        ...{ name, moves: migrations, refused, removed_percent: rounded(removed, 2) },
        seconds: rounded(proposal.seconds),
      });
      goals.push(
        { name, value: rounded(removed, 2), limit: percent, unit: '%', atLeast: true },
        { name: `${name}: refused`, value: refused, limit: 0, unit: 'migrations' },
      );
    }
    finishBench({ bench: 'balance', results, goals }, { json });
  });
}
