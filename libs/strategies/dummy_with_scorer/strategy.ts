import { InvalidInputError } from '#libs/domain';
import type { ProposedAction, ScoringReader, StrategyPlugin, StrategyResult } from '#libs/plugin-kit';
import { fixedReport } from '../fixed-report.ts';
import { dummyWithScorerManifest } from './manifest.ts';
import type { DummyWithScorerParameters } from './parameters.ts';
import { distinctNumbers, randomTelemetry } from './telemetry.ts';

const sleepSeconds = 5.0;

function action(actionType: string, inputParameters: ProposedAction['inputParameters'], rule: string, summary: string) {
  return { actionType, inputParameters, reason: { rule, summary, values: [], rejected: [] } };
}

const say = (message: string, rule: string, summary: string) => action('nop', { message }, rule, summary);

/** Name of the workload that the first number of a classification points to. */
async function workloadOf(scoring: ScoringReader, telemetry: number[]): Promise<string> {
  const engine = 'dummy_scorer';
  const [index] = JSON.parse(await scoring.calculateScore(engine, JSON.stringify(telemetry))) as number[];
  const { workloads } = JSON.parse((await scoring.describe(engine)).metainfo) as { workloads?: string[] };
  const workload = workloads?.[index ?? -1];
  if (workload === undefined) throw new InvalidInputError(engine, `its metainfo knows no workload ${String(index)}`);
  return workload;
}

/** Four actions that tell what two scoring engines said. Throws NotFoundError without these engines. */
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
          'Says hello; every plan of this strategy begins so.',
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
