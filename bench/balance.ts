import { curve, Placement, type Problem } from '#libs/optimizer';
import { collectComputeModel } from '../services/decision-engine/collectors/compute-collector.ts';
import { benchArguments } from './arguments.ts';
import { finishBench, rounded } from './report.ts';
import { wallClock, withSimulatedCloud } from './simulator-process.ts';
import { snapshotProblem } from './snapshot-problem.ts';

/** Seconds of processor time for the whole curve. */
const seconds = 10;
/** Share of the avoidable squares that each number of moves must remove, in percent. */
const wanted = new Map([
  [50, 17.2],
  [200, 48],
]);

/** Sum of the squares if all hosts had equal shares: a lower bound for every placement. */
function leastSquares({ hosts, columns, items, use, limit }: Problem): number {
  return [0, 1].reduce((sum, k) => {
    let used = 0;
    let room = 0;
    for (let item = 0; item < items; item += 1) used += use[item * columns + k]!;
    for (let host = 0; host < hosts; host += 1) room += limit[host * columns + k]!;
    return sum + hosts * (used / room) ** 2;
  }, 0);
}

/** Measures how evenly a number of moves spreads vcpus and memory over the 800 hosts of the shipped world. */
export async function balanceBench(args: string[]): Promise<void> {
  const { json, numbers } = benchArguments(args, { seconds });
  await withSimulatedCloud('azure2017-800', async (cloud) => {
    const snapshot = await collectComputeModel(cloud, { clock: wallClock });
    const problem = snapshotProblem(snapshot, { square: 1, hostInUse: 0, move: 0, gib: 0 });
    const began = process.cpuUsage();
    const points = curve(problem, {
      seed: 1,
      progress: () => process.cpuUsage(began).user / 1e6 / numbers.seconds,
    });
    const start = new Placement(problem).cost;
    const avoidable = start - leastSquares(problem);
    const results = points.map(({ moves, value }) => ({
      name: `${moves} moves`,
      moves,
      removed_percent: rounded((100 * (start - value)) / avoidable, 2),
    }));
    const goals = [...wanted].map(([moves, percent]) => ({
      name: `${moves} moves`,
      value: results.findLast((result) => result.moves <= moves)?.removed_percent ?? 0,
      limit: percent,
      unit: '%',
      atLeast: true,
    }));
    finishBench({ bench: 'balance', results, goals }, { json });
  });
}
