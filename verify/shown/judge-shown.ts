import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { InvalidInputError, messageOf } from '#libs/domain';
import { seededRandom } from '#libs/random-worlds';
import { openPage, startBrowser } from '../../tests/browser/browser.ts';
import { sessionOf } from '../../tests/browser/sign-in.ts';
import { useEnglishTexts } from '../../tests/browser/texts.ts';
import { strategyNames } from '../../tests/browser/wait-for-engine.ts';
import { startTestStack, type TestStack } from '../../tests/system/test-stack.ts';
import { type ApiPlan, readApiPlan } from './api-plan.ts';
import { judgePages } from './judge-pages.ts';
import { judgeTruth } from './judge-truth.ts';
import { type MadePlan, makePlan, type PlanEnd, type PlanMaker, planEnds } from './make-plan.ts';
import { type PlanKind, planKinds } from './plan-kinds.ts';
import { shownWorld } from './shown-world.ts';
import { openSimulatedCloud } from './simulated-cloud.ts';

/** A fault of one plan. */
export interface ShownFault {
  /** `different`: page and API. `untrue`: API and cloud. `failed`: the judge could not make or read the plan. */
  kind: 'different' | 'untrue' | 'failed';
  strategy: string;
  end: PlanEnd;
  plan: string | null;
  what: string;
}

export interface ShownVerdict {
  plans: number;
  /** Plans by strategy and by state. */
  strategies: Record<string, number>;
  states: Record<string, number>;
  /** Parts of pages that were compared with the API, and numbers that were compared with the cloud. */
  parts: number;
  numbers: number;
  /** Plans by the state of their measurement. */
  effects: Record<string, number>;
  faults: ShownFault[];
  /** Whether the run ended before the wanted number of plans by its signal. */
  interrupted: boolean;
}

interface ShownOptions {
  plans: number;
  seed: number;
  /** Names of strategies. Default: all. */
  only?: readonly string[] | undefined;
  onProgress?(line: string): void;
  /** Ends the run early. The plan that is judged then does not count. */
  signal?: AbortSignal;
}

/** Most attempts for one plan: some strategies find nothing to do in some states of the cloud. */
const attemptsPerPlan = 3;

/**
 * Makes plans of every strategy with every end on a simulated cloud, and compares the pages with the API and the API
 * with the cloud.
 */
export async function judgeShown({ plans, seed, only, onProgress, signal }: ShownOptions): Promise<ShownVerdict> {
  useEnglishTexts();
  const kinds = planKinds.filter(({ strategy }) => only?.includes(strategy) ?? true);
  if (kinds.length === 0) throw new InvalidInputError('--only', `none of ${planKinds.map((kind) => kind.strategy)}`);
  const random = seededRandom(seed);
  const folder = await mkdtemp(join(tmpdir(), 'vigil-shown-'));
  const world = join(folder, 'world.json');
  await writeFile(world, JSON.stringify(shownWorld(random)));
  const [browser, stack] = await Promise.all([startBrowser(), startShownStack(world)]);
  try {
    const maker = { stack, cloud: await openSimulatedCloud(stack), random };
    const storageState = await sessionOf(browser, stack.api.url ?? '');
    const { page } = await openPage(browser, { width: 1440, height: 900, storageState });
    const verdict: ShownVerdict = {
      plans: 0,
      strategies: {},
      states: {},
      parts: 0,
      numbers: 0,
      effects: {},
      faults: [],
      interrupted: false,
    };
    const interrupted = untilAborted(signal);
    for (let turn = 0; verdict.plans < plans && turn < plans * attemptsPerPlan; turn += 1) {
      const known = verdict.faults.length;
      const made = await Promise.race([judgeOne({ maker, page, kinds, turn, verdict }), interrupted]);
      if (made === null) {
        // The servers may have ended with the same signal: their refusals are no faults.
        verdict.faults.splice(known);
        return structuredClone({ ...verdict, interrupted: true });
      }
      for (const { kind, end, plan, what } of verdict.faults.slice(known)) {
        onProgress?.(`${kind} (${end}) ${plan}: ${what}`);
      }
      onProgress?.(`${verdict.plans} of ${plans} plans, ${verdict.faults.length} faults: ${made}`);
    }
    return verdict;
  } finally {
    await browser.close();
    await stack.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Null once the signal is aborted. */
async function untilAborted(signal: AbortSignal | undefined): Promise<null> {
  if (signal?.aborted) return null;
  return new Promise((resolve) => signal?.addEventListener('abort', () => resolve(null), { once: true }));
}

async function startShownStack(world: string): Promise<TestStack> {
  const stack = await startTestStack({
    simulator: ['--world', world, '--speed', '300', '--sample-seconds', '1', '--backfill-minutes', '1'],
    env: {
      VIGIL_SIMULATOR_EXTRA_METRICS: 'true',
      VIGIL_APPLIER_TIME_SCALE: '300',
      VIGIL_MODEL_MAX_AGE_SECONDS: '0',
      VIGIL_OUTCOME_DELAY_SECONDS: '2',
      VIGIL_FAILED_MOVE_BACK_OFF_SECONDS: '0',
      VIGIL_REFUSED_MOVE_REST_SECONDS: '0',
    },
  });
  await Promise.all(['decision-engine', 'applier', 'scheduler'].map((service) => stack.start([service])));
  await strategyNames(stack.client);
  return stack;
}

interface Turn {
  maker: PlanMaker;
  page: Page;
  kinds: readonly PlanKind[];
  /** Number of the attempt. Strategies take turns. The end of each shifts by one with each round. */
  turn: number;
  verdict: ShownVerdict;
}

/** Judges one plan, and returns it in a few words. */
async function judgeOne({ maker, page, kinds, turn, verdict }: Turn): Promise<string> {
  const { stack } = maker;
  const kind = kinds[turn % kinds.length];
  const end = endOf(turn, kinds.length);
  if (!kind) throw new Error('there is no kind of plan');
  const { strategy } = kind;
  let made: MadePlan | null = null;
  const report = (faultKind: ShownFault['kind'], what: string) =>
    verdict.faults.push({ kind: faultKind, strategy, end, plan: made?.uuid ?? null, what });
  try {
    const found = await makePlan(maker, kind, end);
    if ('because' in found) return `${strategy} has nothing to do: ${found.because}`;
    made = found;
    const plan = await readApiPlan(stack, made.uuid);
    const { servers } = made.planned;
    const memoryOf = (id: string) => servers.find((server) => server.id === id)?.memory ?? 0;
    const pages = await judgePages(page, `${stack.api.url}/dashboard`, plan, memoryOf);
    const truth = judgeTruth(made, plan);
    for (const what of pages.different) report('different', what);
    for (const what of truth.untrue) report('untrue', what);
    verdict.plans += 1;
    verdict.parts += pages.compared;
    verdict.numbers += truth.compared;
    verdict.strategies[strategy] = (verdict.strategies[strategy] ?? 0) + 1;
    const effect = plan.measurement?.state ?? 'NONE';
    verdict.effects[effect] = (verdict.effects[effect] ?? 0) + 1;
    verdict.states[plan.state] = (verdict.states[plan.state] ?? 0) + 1;
    return `${strategy}, ${plan.state}, ${effectOf(plan)}`;
  } catch (error) {
    report('failed', messageOf(error));
    return `${strategy}: ${messageOf(error)}`;
  }
}

function effectOf({ measurement }: ApiPlan): string {
  if (!measurement) return 'no effect';
  const { state, reason } = measurement;
  return reason ? `${state}: ${reason}` : state;
}

/** Every second plan succeeds: most numbers belong to these. */
function endOf(turn: number, kinds: number): PlanEnd {
  const round = Math.floor(turn / kinds);
  const place = turn + round;
  if (place % 2 === 0) return 'succeeded';
  return planEnds[1 + (((place - 1) / 2) % (planEnds.length - 1))] ?? 'succeeded';
}
