import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { InvalidInputError, messageOf } from '#libs/domain';
import { mergedHostBound } from '#libs/optimizer';
import { giveHelp } from './arguments.ts';
import { type BenchGoal, type BenchResult, finishBench, rounded } from './report.ts';
import { type Budget, nowMs, processorSeconds } from './roadef/budget.ts';
import { evaluateAssignment } from './roadef/evaluator.ts';
import { readRoadefInstance } from './roadef/instance.ts';
import { searchInThreads } from './roadef/search.ts';
import { toProblem } from './roadef/to-problem.ts';

interface RoadefOptions {
  instances: string;
  names: string[];
  seconds: number;
  /** Processor time of a thread instead of wall-clock time, so that results compare on a busy machine. */
  processorSeconds: number | undefined;
  /** Millions of evaluations of a thread instead of any time, so that a search can be repeated. */
  millions: number | undefined;
  threads: number;
  seed: number;
  reference: Map<string, number>;
  out: string | undefined;
  json: boolean;
}

/** Share of the time kept for judging and writing, even on a busy machine. */
const marginPart = 0.04;
const leastMarginMs = 400;

/** Costs to reach with 60 seconds of two threads. */
const goalsAtOneMinute: Record<string, number> = {
  a1_1: 44_306_501,
  a1_2: 777_531_842 * 1.0001,
  a1_3: 583_005_719,
  a1_4: 262_086_758 * 1.03,
  a1_5: 727_578_310,
  a2_2: 760e6,
  a2_3: 1235e6,
  a2_5: 325e6,
  b_1: 3320e6,
  b_2: 1015.9e6,
  b_3: 157.3e6,
};

const sixtySeconds = 60;

function wholeNumber(name: string, text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1)
    throw new InvalidInputError(`--${name}`, 'must be a whole number above 0');
  return number;
}

function wholeOrNone(name: string, text: string | undefined): number | undefined {
  return text === undefined ? undefined : wholeNumber(name, text);
}

function readReference(file: string | undefined): Map<string, number> {
  if (file === undefined) return new Map();
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return new Map(
    lines.map((line) => {
      const [name = '', cost = ''] = line.trim().split(/\s+/);
      return [name, Number(cost)];
    }),
  );
}

function parseOptions(args: string[]) {
  const string = { type: 'string' as const };
  const options = {
    instances: string,
    only: string,
    seconds: { ...string, default: '60' },
    'processor-seconds': string,
    millions: string,
    threads: { ...string, default: '2' },
    seed: { ...string, default: '1' },
    reference: string,
    out: string,
    json: { type: 'boolean' as const, default: false },
  };
  const { json: _json, ...valued } = options;
  const defaults = Object.entries(valued).map(([name, option]) => [
    name,
    'default' in option ? option.default : undefined,
  ]);
  giveHelp(args, Object.fromEntries(defaults), []);
  try {
    return parseArgs({ args, options, strict: true }).values;
  } catch (error) {
    throw new InvalidInputError('options', messageOf(error), { cause: error });
  }
}

function readOptions(args: string[]): RoadefOptions {
  const values = parseOptions(args);
  const { instances } = values;
  if (instances === undefined || !existsSync(instances))
    throw new InvalidInputError(
      '--instances',
      'must be a folder with model_NAME.txt and assignment_NAME.txt of the Google/ROADEF challenge 2012, which are not shipped',
    );
  return {
    instances,
    names: values.only?.split(',') ?? instanceNames(instances),
    seconds: wholeNumber('seconds', values.seconds),
    processorSeconds: wholeOrNone('processor-seconds', values['processor-seconds']),
    millions: wholeOrNone('millions', values.millions),
    threads: wholeNumber('threads', values.threads),
    seed: wholeNumber('seed', values.seed),
    reference: readReference(values.reference),
    out: values.out,
    json: values.json,
  };
}

function instanceNames(folder: string): string[] {
  const models = readdirSync(folder).map((file) => /^model_(.+)\.txt$/.exec(file)?.[1]);
  return models.filter((name) => name !== undefined).sort();
}

function budgetOf(beginMs: number, { seconds, processorSeconds: own, millions, threads }: RoadefOptions): Budget {
  if (millions !== undefined) return { kind: 'work', evaluations: 1e6 * millions };
  if (own !== undefined) return { kind: 'processor', beganSeconds: processorSeconds(), seconds: own * threads };
  const allowedMs = seconds * 1000;
  return { kind: 'clock', beginMs, endMs: beginMs + allowedMs - Math.max(leastMarginMs, marginPart * allowedMs) };
}

/** Improves one instance within the time from `beginMs`, and writes the best assignment that keeps all rules. */
async function runInstance(name: string, beginMs: number, options: RoadefOptions): Promise<BenchResult> {
  const instance = readRoadefInstance(
    readFileSync(join(options.instances, `model_${name}.txt`)),
    readFileSync(join(options.instances, `assignment_${name}.txt`)),
  );
  const problem = toProblem(instance);
  const budget = budgetOf(beginMs, options);
  const startedSeconds = processorSeconds();
  const { placements, evaluations, unfinished } = await searchInThreads(problem, { ...options, budget });
  const searchSeconds = processorSeconds() - startedSeconds;
  const start = { assignment: instance.start, ...evaluateAssignment(instance, instance.start) };
  const judged = placements.map((assignment) => ({ assignment, ...evaluateAssignment(instance, assignment) }));
  const valid = judged.filter(({ violations }) => violations.length === 0);
  const best = valid.reduce((a, b) => (b.cost < a.cost ? b : a), start);
  if (options.out !== undefined) {
    mkdirSync(options.out, { recursive: true });
    writeFileSync(join(options.out, `${name}.assignment`), `${Array.from(best.assignment).join(' ')}\n`);
  }
  const seconds = (nowMs() - beginMs) / 1000;
  const reference = options.reference.get(name);
  return {
    name,
    cost: best.cost,
    start: start.cost,
    bound: mergedHostBound(problem),
    ...(reference === undefined ? {} : { score: rounded((100 * (best.cost - reference)) / start.cost, 5) }),
    violations: judged.reduce((sum, { violations }) => sum + violations.length, 0),
    unfinished,
    evaluations_m: rounded(evaluations / 1e6),
    rate_m: rounded(evaluations / 1e6 / searchSeconds, 2),
    seconds: rounded(seconds, 2),
  };
}

function goalsOf(results: BenchResult[], options: RoadefOptions): BenchGoal[] {
  const goals: BenchGoal[] = results.map(({ name, violations }) => ({
    name: `${name}: rules broken`,
    value: violations as number,
    limit: 0,
    unit: 'rules',
  }));
  for (const { name, cost, seconds } of results) {
    const limit = goalsAtOneMinute[name];
    if (
      limit !== undefined &&
      options.millions === undefined &&
      (options.processorSeconds ?? options.seconds) === sixtySeconds
    )
      goals.push({ name: `${name}: cost`, value: cost as number, limit, unit: 'cost' });
    if (options.processorSeconds === undefined && options.millions === undefined)
      goals.push({ name: `${name}: time`, value: seconds as number, limit: options.seconds, unit: 's' });
  }
  return goals;
}

/**
 * Improves instances of the Google/ROADEF challenge 2012 with the kernel of `libs/optimizer`, and checks the results
 * with an independent evaluator. Each gets `--seconds` of wall-clock time including reading and writing. Without them
 * it gets `--processor-seconds` or `--millions` of evaluations per thread.
 */
export async function roadefBench(args: string[]): Promise<void> {
  const options = readOptions(args);
  const results: BenchResult[] = [];
  // The first instance includes the start of the process.
  let beginMs = performance.timeOrigin;
  for (const name of options.names) {
    results.push(await runInstance(name, beginMs, options));
    beginMs = nowMs();
  }
  const scores = results.map(({ score }) => score).filter((score) => typeof score === 'number');
  const sum = rounded(
    scores.reduce((total, score) => total + score, 0),
    5,
  );
  const goals = goalsOf(results, options);
  if (scores.length > 0) results.push({ name: 'sum', score: sum });
  finishBench({ bench: 'roadef', results, goals }, options);
}
