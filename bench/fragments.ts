import type { ComputeSnapshot } from '#libs/cluster-model';
import { slotsBound } from '#libs/optimizer';
import { createTestWorld, type TestInstance } from '#libs/plugin-kit/testing';
import { benchArguments } from './arguments.ts';
import { applyProposal } from './objective-measures.ts';
import { proposeOn } from './propose.ts';
import { type BenchGoal, type BenchResult, finishBench, rounded } from './report.ts';
import { seededRandom } from './synthetic-world.ts';

const nodeCpus = 44;
const mibPerCpu = 4096;
const nodes = 560;
const states = 5;
/** CPUs of the flavors that may move, with their weights. Few nodes are filled by instances that never move. */
const sizes = [2, 4, 8, 16, 32];
const shares = [14, 22, 32, 22, 10];
const wholeNodes = 12;
const usedPart = 0.875;
const slotCpus = 16;

/** Share of the proved gain for each budget of moves, and seconds of search (`time_limit`). */
const wanted = [
  { moves: 50, seconds: 1, percent: 100 },
  { moves: 100, seconds: 1, percent: 99 },
  { moves: 200, seconds: 5, percent: 98 },
];

/** A seeded state: instances put on random nodes, each a host, until an eighth of the CPUs is free. */
function makeState(seed: number): ComputeSnapshot {
  const random = seededRandom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const free = new Array<number>(nodes).fill(nodeCpus);
  const instances: TestInstance[] = [];
  const put = (node: number, vcpus: number, locked: boolean) => {
    free[node]! -= vcpus;
    const name = `vm${instances.length}`;
    instances.push({ name, host: `h${node}`, vcpus, memory: vcpus * mibPerCpu, flavorName: `c${vcpus}`, locked });
  };
  while (instances.length < wholeNodes) put(Math.floor((instances.length * nodes) / wholeNodes), nodeCpus, true);
  let left = usedPart * nodes * nodeCpus - wholeNodes * nodeCpus;
  while (left > 0) {
    const vcpus = sizes[drawn(below)]!;
    const node = below(nodes);
    if (free[node]! < vcpus) continue;
    put(node, vcpus, false);
    left -= vcpus;
  }
  const hosts = free.map((_, node) => ({
    hostname: `h${node}`,
    vcpus: nodeCpus,
    memory: 2 * nodeCpus * mibPerCpu,
    disk: 100_000,
  }));
  return createTestWorld({ hosts, instances });
}

function drawn(below: (limit: number) => number): number {
  let left = below(shares.reduce((sum, share) => sum + share, 0));
  return shares.findIndex((share) => {
    left -= share;
    return left < 0;
  });
}

/** Places in the free CPUs of hosts. */
function placesIn(snapshot: ComputeSnapshot, hostOf: ArrayLike<number>): number {
  const used = new Float64Array(nodes);
  for (let row = 0; row < hostOf.length; row += 1) used[hostOf[row]!]! += snapshot.instances.vcpus[row]!;
  return used.reduce((sum, cpus) => sum + Math.floor((nodeCpus - cpus) / slotCpus), 0);
}

/** Upper bound of places for a plan with this number of moves. */
function boundOf({ instances }: ComputeSnapshot, moves: number): number {
  const free = new Int32Array(nodes).fill(nodeCpus);
  const contents = new Int32Array(nodes * sizes.length);
  instances.host.forEach((node, row) => {
    const vcpus = instances.vcpus[row]!;
    free[node]! -= vcpus;
    if (vcpus < nodeCpus) contents[node * sizes.length + sizes.indexOf(vcpus)]! += 1;
  });
  return slotsBound({ slot: slotCpus, sizes, free, contents, counts: new Uint8Array(nodes).fill(1) }, moves).gain;
}

/** The plan of `placement_optimizer` within a budget on a seeded state. */
async function measure(seed: number, { moves, seconds }: { moves: number; seconds: number }): Promise<BenchResult> {
  const snapshot = makeState(seed);
  const given = { preset: 'defragment', flavors: [`c${slotCpus}`], max_moves: moves, time_limit: seconds };
  const proposal = await proposeOn(snapshot, 'placement_optimizer', given, { seed });
  const { hostOf, migrations, refused } = applyProposal(snapshot, proposal.actions);
  const before = placesIn(snapshot, snapshot.instances.host);
  const gain = placesIn(snapshot, hostOf) - before;
  const bound = boundOf(snapshot, moves);
  return {
    name: `state ${seed}, ${moves} moves`,
    places: before,
    gain,
    bound: rounded(bound, 2),
    percent: rounded((100 * gain) / Math.floor(bound + 1e-6)),
    moves: migrations,
    refused,
    seconds: rounded(proposal.seconds, 2),
  };
}

/** Places for a flavor of 16 CPUs that `placement_optimizer` makes on fragmented states of 560 hosts of 44 CPUs. */
export async function fragmentsBench(args: string[]): Promise<void> {
  const { json } = benchArguments(args, {});
  const results: BenchResult[] = [];
  const goals: BenchGoal[] = [];
  for (const goal of wanted) {
    const measured: BenchResult[] = [];
    for (let seed = 1; seed <= states; seed += 1) measured.push(await measure(seed, goal));
    results.push(...measured);
    const least = Math.min(...measured.map(({ percent }) => percent as number));
    const refused = measured.reduce((sum, result) => sum + (result.refused as number), 0);
    goals.push(
      { name: `${goal.moves} moves: part of the bound`, value: least, limit: goal.percent, unit: '%', atLeast: true },
      { name: `${goal.moves} moves: refused`, value: refused, limit: 0, unit: 'moves' },
    );
  }
  finishBench({ bench: 'fragments', results, goals }, { json });
}
