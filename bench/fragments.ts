import { annealPatterns, type FragmentProblem, orderMoves, Random, slotsBound } from '#libs/optimizer';
import { benchArguments } from './arguments.ts';
import { type BenchGoal, type BenchResult, finishBench, rounded } from './report.ts';

/** In units of two cores. */
const nodeUnits = 22;
const slotUnits = 8;
const hosts = 280;
const states = 5;
/** Sizes that stay on one node, with their weights. A few instances fill both nodes of a host and never move. */
const sizes = [1, 2, 4, 8, 16];
const shares = [14, 22, 32, 22, 10];
const wholeHosts = 6;
const usedPart = 0.875;

/** Seconds and share of the proved gain for each budget of moves. */
const wanted = [
  { moves: 50, seconds: 1, percent: 100 },
  { moves: 100, seconds: 1, percent: 99 },
  { moves: 200, seconds: 5, percent: 98 },
];

/** A seeded state: instances put on random nodes until an eighth of the units is free. */
function makeState(seed: number): FragmentProblem {
  const random = new Random(seed);
  const nodes = 2 * hosts;
  const free = new Int32Array(nodes).fill(nodeUnits);
  const contents = new Int32Array(nodes * sizes.length);
  for (let left = wholeHosts; left > 0; left -= 1) {
    const host = random.below(hosts);
    free.fill(0, 2 * host, 2 * host + 2);
  }
  let left = free.reduce((sum, units) => sum + units, 0) - (1 - usedPart) * nodes * nodeUnits;
  while (left > 0) {
    const size = drawSize(random);
    const node = random.below(nodes);
    if (free[node]! < sizes[size]!) continue;
    free[node]! -= sizes[size]!;
    contents[node * sizes.length + size]! += 1;
    left -= sizes[size]!;
  }
  return { slot: slotUnits, sizes, arrivalMoves: sizes.map(() => 1), free, contents };
}

function drawSize(random: Random): number {
  let drawn = random.below(shares.reduce((sum, share) => sum + share, 0));
  return shares.findIndex((share) => {
    drawn -= share;
    return drawn < 0;
  });
}

function places(free: Int32Array): number {
  return free.reduce((sum, units) => sum + Math.floor(units / slotUnits), 0);
}

/** Plans within a budget on a seeded state. Seconds are processor time, including the bound. */
function measure(seed: number, { moves, seconds }: { moves: number; seconds: number }): BenchResult {
  const problem = makeState(seed);
  const began = process.cpuUsage();
  const used = () => process.cpuUsage(began).user / 1e6;
  const bound = slotsBound(problem, moves);
  const left = seconds - used();
  const plan = annealPatterns(problem, bound, moves, new Random(seed), () => 1 - (seconds - used()) / left);
  const taken = used();
  const order = orderMoves(problem, plan.net);
  const gain = places(order.free) - places(problem.free);
  const most = Math.floor(bound.gain + 1e-6);
  return {
    name: `state ${seed}, ${moves} moves`,
    places: places(problem.free),
    gain,
    bound: rounded(bound.gain, 2),
    percent: rounded((100 * gain) / most),
    moves: order.moves.length,
    stuck: order.stuck,
    seconds: rounded(taken, 2),
  };
}

/** Places for a flavor of 16 cores on fragmented states of 280 hosts with two nodes of 44 cores. */
export async function fragmentsBench(args: string[]): Promise<void> {
  const { json } = benchArguments(args, {});
  const results: BenchResult[] = [];
  const goals: BenchGoal[] = [];
  for (const goal of wanted) {
    const measured = Array.from({ length: states }, (_, index) => measure(index + 1, goal));
    results.push(...measured);
    const least = Math.min(...measured.map(({ percent }) => percent as number));
    const stuck = measured.reduce((sum, result) => sum + (result.stuck as number), 0);
    goals.push(
      { name: `${goal.moves} moves: part of the bound`, value: least, limit: goal.percent, unit: '%', atLeast: true },
      { name: `${goal.moves} moves: without room`, value: stuck, limit: 0, unit: 'moves' },
    );
  }
  finishBench({ bench: 'fragments', results, goals }, { json });
}
