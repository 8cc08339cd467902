import { curve, limitedMovesBound, Placement, type Problem, solve } from '#libs/optimizer';
import { benchArguments } from './arguments.ts';
import { kernelProblem, kernelSize } from './kernel-problem.ts';
import { cloudProblem } from './optimizer-problem.ts';
import { type BenchGoal, type BenchResult, finishBench, rounded } from './report.ts';

const defaults = { hosts: 1000, instances: 20_000, seconds: 10, clouds: 200, seed: 1 };
const longFactor = 6;
/** Share of the gain of a search that is this number of times as long. */
const wantedPercent = 90;
const firstSeconds = 1;
const wantedRate = 8;
/** From this number of hosts on, no longer search is compared. */
const largeHosts = 5000;
const mostMib = 1536;
const smallWork = 20_000;
/** Number of stop checks between two readings of the clock. Reading it at each check costs 3 % of the evaluations. */
const questionsPerReading = 16;
/** Without places and hosts in use: only sums. */
const sumsSize = { hosts: 250, instances: 5000 };

interface Searched {
  gain: number;
  firstSeconds: number;
  evaluations: number;
  seconds: number;
}

function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** Searches for these seconds of processor time, and counts the gain anew from the placement. */
function search(problem: Problem, seconds: number, seed: number): Searched {
  const start = new Placement(problem).objective();
  const began = processorSeconds();
  let first = Number.POSITIVE_INFINITY;
  let evaluations = 0;
  let questions = 0;
  let part = 0;
  const best = solve(problem, {
    seed,
    progress: (done) => {
      evaluations = done;
      if (questions % questionsPerReading === 0) part = (processorSeconds() - began) / seconds;
      questions += 1;
      return part;
    },
    onBest: ({ value }) => {
      if (value < start) first = Math.min(first, processorSeconds() - began);
    },
  });
  const after = new Placement(problem, best.host).objective();
  return {
    gain: (100 * (start - after)) / start,
    firstSeconds: rounded(first, 2),
    evaluations,
    seconds: processorSeconds() - began,
  };
}

function line(name: string, { gain, firstSeconds: first, evaluations, seconds }: Searched): BenchResult {
  return {
    name,
    gain_percent: rounded(gain, 2),
    first_s: first,
    evaluations_m: rounded(evaluations / 1e6),
    rate_m: rounded(evaluations / seconds / 1e6, 2),
    seconds: rounded(seconds, 1),
  };
}

/** Searches small clouds: the same seed and work give the same placement, and no value is below a bound. */
function properties(clouds: number, seed: number): { result: BenchResult; goals: BenchGoal[] } {
  let unequal = 0;
  let belowBound = 0;
  for (let cloud = 0; cloud < clouds; cloud += 1) {
    const size = { hosts: 3 + (cloud % 8), instances: 20 + (cloud % 40), seed: seed + cloud };
    const problem = cloudProblem(size, cloud % 2 === 0);
    const run = () => solve(problem, { seed: cloud, progress: (done) => done / smallWork });
    const [one, other] = [run(), run()];
    if (one.value !== other.value || one.host.some((host, item) => host !== other.host[item])) unequal += 1;
    const moves = one.host.filter((host, item) => host !== problem.home[item]).length;
    if (one.value < limitedMovesBound(problem, moves)) belowBound += 1;
    const points = curve(problem, { seed: cloud, budgets: [1, 3, 9], progress: (done) => done / smallWork });
    belowBound += points.filter(({ value, bound }) => value < bound).length;
  }
  return {
    result: { name: 'small clouds', clouds, unequal, below_bound: belowBound },
    goals: [
      { name: 'small clouds: other plan for the same seed and work', value: unequal, limit: 0, unit: 'clouds' },
      { name: 'small clouds: value below its bound', value: belowBound, limit: 0, unit: 'values' },
    ],
  };
}

function memoryMib(): number {
  return rounded(process.resourceUsage().maxRSS / 1024);
}

/**
 * Searches a generated cloud with all terms, and measures first improvement, gain and speed. Seconds are processor
 * time of one thread.
 */
export async function optimizerBench(args: string[]): Promise<void> {
  const { json, numbers } = benchArguments(args, defaults);
  const { hosts, instances, seconds, clouds, seed } = numbers;
  const size = { hosts, instances, seed };
  // First, in a new process, as a search thread runs it.
  const kernel = search(kernelProblem(seed), seconds, seed);
  const kernelName = `${kernelSize.hosts} x ${kernelSize.instances}, ${kernelSize.resources} resources`;
  const small = properties(clouds, seed);
  const results = [line(`${kernelName}, ${seconds} s`, kernel), small.result];
  const goals = small.goals;
  const all = cloudProblem(size, true);
  const short = search(all, seconds, seed);
  results.push(line(`all terms, ${seconds} s`, short));
  goals.push({ name: 'first improvement', value: short.firstSeconds, limit: firstSeconds, unit: 's' });
  if (hosts < largeHosts) {
    const long = search(all, longFactor * seconds, seed);
    results.push(line(`all terms, ${longFactor * seconds} s`, long));
    const percent = rounded((100 * short.gain) / long.gain);
    goals.push({ name: 'part of the longer gain', value: percent, limit: wantedPercent, unit: '%', atLeast: true });
  }
  const sums = search(cloudProblem({ ...sumsSize, seed }, false), seconds, seed);
  results.push(line(`sums only, ${sumsSize.hosts} x ${sumsSize.instances}, ${seconds} s`, sums));
  const rate = rounded(kernel.evaluations / kernel.seconds / 1e6, 2);
  goals.push({ name: 'evaluations', value: rate, limit: wantedRate, unit: 'M/s', atLeast: true });
  results.push({ name: 'memory', mib: memoryMib() });
  goals.push({ name: 'memory', value: memoryMib(), limit: mostMib, unit: 'MiB' });
  finishBench({ bench: 'optimizer', results, goals }, { json });
}
