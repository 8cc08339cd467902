import { InvalidInputError, type JsonObject } from '#libs/domain';
import { benchApart } from './apart.ts';
import { benchArguments } from './arguments.ts';
import { crookedLoads, crookedMetrics } from './crooked-metrics.ts';
import { crookedSnapshot } from './crooked-world.ts';
import { type ObjectiveCase, objectiveCases } from './objective-cases.ts';
import { type Applied, applyProposal, type Measure } from './objective-measures.ts';
import { proposeOn } from './propose.ts';
import { type BenchGoal, type BenchReport, type BenchResult, finishBench, rounded } from './report.ts';
import { seededRandom } from './synthetic-world.ts';

/** The decision engine's default number of migrations of a plan, and seconds of search. */
const defaults = { hosts: 1000, instances: 20_000, seconds: 30, moves: 500, seed: 1 };
/** Size of the cloud, and limits. */
export type Sizes = typeof defaults;

const mostMib = 1536;
/** Rounding of load sums. */
const tolerance = 1e-9;

function makeWorld({ hosts, instances, seed }: Sizes) {
  const random = seededRandom(seed);
  const snapshot = crookedSnapshot(hosts, instances, random);
  const loads = crookedLoads(snapshot, random);
  return { snapshot, cpu: loads.cpu, metrics: crookedMetrics(snapshot, random, loads) };
}

type World = ReturnType<typeof makeWorld>;

interface Proposal extends Applied {
  /** Processor time of the strategy. */
  seconds: number;
}

async function propose({ snapshot, metrics }: World, name: string, given: JsonObject): Promise<Proposal> {
  const { actions, seconds } = await proposeOn(snapshot, name, given, { metrics });
  return { ...applyProposal(snapshot, actions), seconds };
}

function judge(world: World, [name, measure]: [string, Measure], one: ObjectiveCase, proposals: Proposal[]) {
  const start = measure(world, Int32Array.from(world.snapshot.instances.host));
  const [present, found] = proposals.map(({ hostOf }) => measure(world, hostOf)) as [number, number];
  const [strategy, optimizer] = proposals as [Proposal, Proposal];
  const result: BenchResult = {
    name: `${one.name}: ${name}`,
    before: rounded(start, 4),
    strategy: rounded(present, 4),
    optimizer: rounded(found, 4),
    strategy_moves: strategy.migrations,
    optimizer_moves: optimizer.migrations,
    strategy_s: rounded(strategy.seconds),
    optimizer_s: rounded(optimizer.seconds),
  };
  const goal: BenchGoal = {
    name: `${one.name}: ${name} of ${one.optimizer}`,
    value: rounded(found, 6),
    limit: rounded(present, 6) + tolerance,
    unit: 'least is best',
  };
  return { result, goal };
}

/** One comparison. Both sides have the same limit of migrations. */
export async function compare(one: ObjectiveCase, sizes: Sizes): Promise<BenchReport> {
  const world = makeWorld(sizes);
  const strategy = await propose(world, one.strategy, { ...one.parameters, migration_budget: sizes.moves });
  const optimizer = await propose(world, one.optimizer, {
    ...one.optimizerParameters,
    max_moves: sizes.moves,
    time_limit: sizes.seconds,
  });
  const judged = Object.entries(one.measures).map((measure) => judge(world, measure, one, [strategy, optimizer]));
  const mib = Math.round(process.resourceUsage().maxRSS / 1024);
  return {
    bench: 'objectives',
    results: judged.map(({ result }) => ({ ...result, peak_mib: mib })),
    goals: [
      ...judged.map(({ goal }) => goal),
      { name: `${one.name}: refused migrations`, value: optimizer.refused, limit: 0, unit: 'migrations' },
      { name: `${one.name}: memory`, value: mib, limit: mostMib, unit: 'MiB' },
    ],
  };
}

/**
 * Compares the optimizers with every strategy that places instances, on that strategy's objective, in the crooked
 * cloud.
 * @param args name of one comparison, or none for all of them, each in a separate process. Then options.
 * @throws InvalidInputError for an invalid option
 */
export async function objectivesBench([first, ...rest]: string[]): Promise<void> {
  const isNamed = first !== undefined && !first.startsWith('--');
  const args = isNamed || first === undefined ? rest : [first, ...rest];
  const { json, numbers } = benchArguments(args, defaults);
  if (isNamed) {
    const one = objectiveCases.find(({ name }) => name === first);
    if (one === undefined)
      throw new InvalidInputError(
        'comparison',
        `there is none called ${first}; there are ${objectiveCases.map(({ name }) => name).join(', ')}`,
      );
    finishBench(await compare(one, numbers), { json });
    return;
  }
  const reports: BenchReport[] = [];
  for (const { name } of objectiveCases) {
    if (!json) process.stderr.write(`${name} …\n`);
    reports.push(
      await benchApart('objectives', [
        name,
        ...Object.entries(numbers).map(([option, value]) => `--${option}=${value}`),
      ]),
    );
  }
  finishBench(
    {
      bench: 'objectives',
      results: reports.flatMap(({ results }) => results),
      goals: reports.flatMap(({ goals }) => goals),
    },
    { json },
  );
}
