import { InvalidInputError, type JsonObject } from '#libs/domain';
import type { StrategyResult } from '#libs/plugin-kit';
import { runStrategy } from '#libs/plugin-kit/testing';
import { strategyCatalogue } from '#libs/strategies';
import { benchArguments } from './arguments.ts';
import { fits, forEveryPlacement, type Placement } from './brute-force.ts';
import { type BenchGoal, type BenchResult, finishBench, rounded } from './report.ts';
import { type SmallWorld, smallWorld } from './small-worlds.ts';
import { seededRandom } from './synthetic-world.ts';

const target = 0.8;
const threshold = { balance: 60, deviation: 0.1 };
const goals = { freed: 99, moves: 1.05, solved: 98 };

/** Sums over the worlds with an improvement. */
interface Score {
  worlds: number;
  /** Hosts freed, or worlds solved: by the strategy and by the best placement. */
  reached: number;
  best: number;
  /** Migrations of the strategy and of the best placement, in worlds where the strategy reached the best. */
  moves: number;
  fewestMoves: number;
}

interface Best {
  reached: number;
  moves: number;
}

/** Yardstick of a strategy: the value of a placement (0: none), and how to read the value of the strategy's result. */
interface Case {
  name: string;
  parameters: JsonObject;
  judge(world: SmallWorld): (placement: Placement) => number;
  unit: 'hosts freed' | 'worlds solved';
  goal: number;
}

/** Percent of its CPUs above which a consolidation relieves a host, before it empties others by the next plan. */
const overloaded = 90;

/** Number of hosts in use that could be empty. None where a host is overloaded: the plan relieves it. */
function freedBy(world: SmallWorld) {
  if (world.hostCpu.some((percent) => percent > overloaded)) return () => 0;
  const inUse = new Set(world.snapshot.instances.host).size;
  return (placement: Placement) =>
    fits(world, placement, { allocated: target, load: target }) ? inUse - new Set(placement.hostOf).size : 0;
}

function deviationOf({ snapshot }: SmallWorld, load: Float64Array): number {
  const shares = load.map((value, host) => value / (snapshot.hosts.vcpus[host] as number));
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  return Math.sqrt(shares.reduce((sum, share) => sum + (share - mean) ** 2, 0) / shares.length);
}

/** CPUs in use on each host. */
function loadNow({ snapshot, hostCpu }: SmallWorld): Float64Array {
  return snapshot.hosts.vcpus.map((vcpus, host) => (vcpus * (hostCpu[host] as number)) / 100);
}

const roomy = { allocated: 1, load: Number.POSITIVE_INFINITY };

const cases: Case[] = [
  {
    name: 'basic',
    parameters: { failure_reserve: 0 },
    judge: freedBy,
    unit: 'hosts freed',
    goal: goals.freed,
  },
  {
    name: 'node_resource_consolidation',
    parameters: { failure_reserve: 0, host_choice: 'specify' },
    judge: freedBy,
    unit: 'hosts freed',
    goal: goals.freed,
  },
  {
    name: 'workload_balance',
    parameters: { threshold: threshold.balance },
    judge: (world) => {
      const limits = world.snapshot.hosts.vcpus.map((vcpus) => (vcpus * threshold.balance) / 100);
      const isBelow = (load: Float64Array) => load.every((value, host) => value < (limits[host] as number));
      if (isBelow(loadNow(world))) return () => 0;
      return (placement) => Number(isBelow(placement.load) && fits(world, placement, roomy));
    },
    unit: 'worlds solved',
    goal: goals.solved,
  },
  {
    name: 'workload_stabilization',
    parameters: { thresholds: { instance_cpu_usage: threshold.deviation } },
    judge: (world) => {
      const before = deviationOf(world, loadNow(world));
      if (before <= threshold.deviation) return () => 0;
      const wanted = Math.min(threshold.deviation, before / 2) + 1e-9;
      return (placement) => Number(deviationOf(world, placement.load) <= wanted && fits(world, placement, roomy));
    },
    unit: 'worlds solved',
    goal: goals.solved,
  },
];

/** Returns the best placement: the highest value with the fewest moves. */
function bestOf(world: SmallWorld, value: (placement: Placement) => number): Best {
  const best: Best = { reached: 0, moves: 0 };
  forEveryPlacement(world, (placement) => {
    const reached = value(placement);
    if (reached < best.reached || (reached === best.reached && placement.moves >= best.moves)) return;
    best.reached = reached;
    best.moves = placement.moves;
  });
  return best;
}

/** Returns the placement after a strategy's migrations. */
function placementAfter(world: SmallWorld, { actions }: StrategyResult): Placement {
  const { snapshot, cpu } = world;
  const { instances, hostInfo, instanceInfo } = snapshot;
  const hostOf = instances.host.slice();
  const moves = actions.filter(({ actionType }) => actionType === 'migrate');
  for (const { inputParameters: input } of moves) {
    const row = instanceInfo.findIndex(({ uuid }) => uuid === input.resource_id);
    hostOf[row] = hostInfo.findIndex(({ hostname }) => hostname === input.destination_node);
  }
  const sum = (of: (row: number) => number) => {
    const column = new Float64Array(hostInfo.length);
    hostOf.forEach((host, row) => {
      column[host] = (column[host] as number) + of(row);
    });
    return column;
  };
  const vcpus = (row: number) => instances.vcpus[row] as number;
  return {
    hostOf,
    vcpus: sum(vcpus),
    memory: sum((row) => instances.memory[row] as number),
    load: sum((row) => (vcpus(row) * (cpu[row] as number)) / 100),
    moves: moves.length,
  };
}

async function score({ name, parameters, judge }: Case, worlds: readonly SmallWorld[]): Promise<Score> {
  const strategy = strategyCatalogue.find(({ manifest }) => manifest.name === name);
  if (strategy === undefined) throw new InvalidInputError('strategy', `there is none called ${name}`);
  const total: Score = { worlds: 0, reached: 0, best: 0, moves: 0, fewestMoves: 0 };
  for (const world of worlds) {
    const value = judge(world);
    const best = bestOf(world, value);
    if (best.reached === 0) continue;
    const metrics = {
      instance_cpu_usage: Object.fromEntries(world.cpu.map((percent, row) => [`i${row}`, percent])),
      host_cpu_usage: Object.fromEntries(world.hostCpu.map((percent, row) => [`h${row}`, percent])),
    };
    const placement = placementAfter(
      world,
      await runStrategy(strategy, { snapshot: world.snapshot, metrics, parameters }),
    );
    const reached = value(placement);
    total.worlds++;
    total.reached += reached;
    total.best += best.reached;
    if (reached < best.reached) continue;
    total.moves += placement.moves;
    total.fewestMoves += best.moves;
  }
  return total;
}

/**
 * Compares strategies with the best placement of small seeded clouds (`--worlds`, `--seed`): hosts freed or worlds
 * solved, and migrations in worlds where the best was reached.
 */
export async function qualityBench(args: string[]): Promise<void> {
  const { json, numbers } = benchArguments(args, { worlds: 500, seed: 1 });
  const random = seededRandom(numbers.seed);
  const worlds = Array.from({ length: numbers.worlds }, () => smallWorld(random));
  const results: BenchResult[] = [];
  const judged: BenchGoal[] = [];
  for (const one of cases) {
    const total = await score(one, worlds);
    const reached = rounded((total.reached / Math.max(1, total.best)) * 100, 2);
    const moves = rounded(total.moves / Math.max(1, total.fewestMoves), 3);
    results.push({
      name: one.name,
      worlds: total.worlds,
      reached: total.reached,
      best: total.best,
      reached_percent: reached,
      mean_moves: rounded(total.moves / Math.max(1, total.worlds), 2),
      fewest_mean_moves: rounded(total.fewestMoves / Math.max(1, total.worlds), 2),
      moves_ratio: moves,
    });
    judged.push({
      name: `${one.name}: ${one.unit}`,
      value: reached,
      limit: one.goal,
      unit: '% of the best',
      atLeast: true,
    });
    judged.push({ name: `${one.name}: moves`, value: moves, limit: goals.moves, unit: '× fewest' });
  }
  finishBench({ bench: 'quality', results, goals: judged }, { json });
}
