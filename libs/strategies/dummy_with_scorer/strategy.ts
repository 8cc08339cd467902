import { InvalidInputError, type RandomSource } from '#libs/domain';
import type { ProposedAction, ScoringReader, StrategyManifest, StrategyPlugin, StrategyResult } from '#libs/plugin-kit';
import { fixedReport } from '../shared/hosts/rows.ts';
import { type DummyWithScorerParameters, dummyWithScorerParameters } from './parameters.ts';

/** Manifest of `dummy_with_scorer`. */
const dummyWithScorerManifest: StrategyManifest = {
  kind: 'strategy',
  name: 'dummy_with_scorer',
  displayName: 'Dummy Strategy using sample Scoring Engines',
  goal: 'dummy',
  description:
    'Calls the sample scoring engines with invented telemetry, and proposes messages with their results. It ' +
    'shows how a strategy uses scoring engines.',
  parameters: dummyWithScorerParameters,
  metrics: [],
  models: ['compute'],
  planner: 'weight',
  needsCompleteModel: false,
};

const mib = 1024 ** 2;
const gib = 1024 ** 3;
/** Minimum and maximum of each of the nine inputs of `dummy_scorer`, in its order. */
const ranges = [
  [0, 100],
  [4 * gib, 4 * gib],
  [1 * gib, 4 * gib],
  [0, 2000],
  [0, 2000],
  [0, 200 * mib],
  [0, 200 * mib],
  [0, 20 * mib],
  [0, 10 * mib],
] as const;

const sleepSeconds = 5.0;

function action(actionType: string, inputParameters: ProposedAction['inputParameters'], rule: string, summary: string) {
  return { actionType, inputParameters, reason: { rule, summary, values: [], rejected: [] } };
}

const say = (message: string, rule: string, summary: string) => action('nop', { message }, rule, summary);

/** Name of the workload whose index is the first number of a classification. */
async function workloadOf(scoring: ScoringReader, telemetry: number[]): Promise<string> {
  const engine = 'dummy_scorer';
  const [index] = JSON.parse(await scoring.calculateScore(engine, JSON.stringify(telemetry))) as number[];
  const { workloads } = JSON.parse((await scoring.describe(engine)).metainfo) as { workloads?: string[] };
  const workload = workloads?.[index ?? -1];
  if (workload === undefined) throw new InvalidInputError(engine, `its metainfo has no workload ${String(index)}`);
  return workload;
}

/** Four actions with the results of two scoring engines. Throws NotFoundError without these engines. */
export const dummyWithScorerStrategy: StrategyPlugin<DummyWithScorerParameters> = {
  manifest: dummyWithScorerManifest,
  async run({ model, scoring, random, parameters, log }): Promise<StrategyResult> {
    log.debug({ ...parameters }, 'parameters of the dummy strategy with scorer');
    const telemetry = randomTelemetry(random);
    const workload = await workloadOf(scoring, telemetry);
    const numbers = distinctNumbers(random, 20, 1000);
    const [average] = JSON.parse(await scoring.calculateScore('dummy_avg_scorer', JSON.stringify(numbers))) as number[];
    return {
      actions: [
        say(
          'Hello from Dummy Strategy with Scorer!',
          'fixed-sequence',
          'Says hello; the first action of every plan of this strategy.',
        ),
        say(
          `Detected Workload: ${workload}`,
          'scored',
          `dummy_scorer classifies made-up telemetry with ${telemetry[0]} % CPU as ${workload}.`,
        ),
        say(
          `AVG Scorer result: ${average}`,
          'scored',
          `dummy_avg_scorer answers ${average} for ${numbers.length} random numbers.`,
        ),
        action('sleep', { duration: sleepSeconds }, 'fixed-sequence', `Waits ${sleepSeconds} s.`),
      ],
      indicators: {},
      report: fixedReport(model.snapshot),
    };
  },
};

/** Made-up telemetry: integers, uniformly distributed in the range of each column. */
function randomTelemetry(random: RandomSource): number[] {
  return ranges.map(([least, most]) => least + Math.floor(random() * (most - least + 1)));
}

/** Distinct integers from 0 to below `limit`, in random order (a partial shuffle). */
function distinctNumbers(random: RandomSource, count: number, limit: number): number[] {
  const pool = Array.from({ length: limit }, (_, index) => index);
  for (let index = 0; index < count; index++) {
    const other = index + Math.floor(random() * (limit - index));
    [pool[index], pool[other]] = [pool[other] as number, pool[index] as number];
  }
  return pool.slice(0, count);
}
