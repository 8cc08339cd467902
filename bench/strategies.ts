import { strategyCatalogue } from '#libs/strategies';
import { benchApart } from './apart.ts';
import { benchArguments } from './arguments.ts';
import { fullSearchOverObjects } from './object-baseline.ts';
import { type BenchReport, type BenchResult, finishBench, rounded } from './report.ts';
import { makeWorld, ordinaryHosts, strategyBenchDefaults } from './strategy.ts';

type Sizes = typeof strategyBenchDefaults;

/** Measures one strategy in a separate process. */
function measureApart(name: string, { hosts, instances, seed }: Sizes): Promise<BenchReport> {
  return benchApart('strategy', [name, `--hosts=${hosts}`, `--instances=${instances}`, `--seed=${seed}`]);
}

/** The yardstick: processor time in ms. Skipped in large clouds, where it takes too long. */
async function measureBaseline({ hosts, instances, seed }: Sizes): Promise<number | null> {
  if (hosts > ordinaryHosts) return null;
  const { snapshot, metrics } = makeWorld(hosts, instances, seed);
  const begin = process.cpuUsage();
  await fullSearchOverObjects(snapshot, metrics);
  const { user, system } = process.cpuUsage(begin);
  return (user + system) / 1000;
}

function besideBaseline(result: BenchResult, baselineMs: number | null): BenchResult {
  if (baselineMs === null) return result;
  return { ...result, to_baseline_ratio: rounded(Number(result.compute_ms) / baselineMs, 3) };
}

/** Measures every built-in strategy in sequence. See `strategyBench`. */
export async function strategiesBench(args: string[]): Promise<void> {
  const { json, numbers } = benchArguments(args, strategyBenchDefaults);
  const baselineMs = await measureBaseline(numbers);
  const reports: BenchReport[] = [];
  for (const { manifest } of strategyCatalogue) reports.push(await measureApart(manifest.name, numbers));
  const results = reports.flatMap((report) => report.results.map((result) => besideBaseline(result, baselineMs)));
  const baseline = { name: 'baseline: one full search over objects', compute_ms: rounded(baselineMs ?? 0) };
  finishBench(
    {
      bench: 'strategies',
      results: baselineMs === null ? results : [baseline, ...results],
      goals: reports.flatMap(({ goals }) => goals),
    },
    { json },
  );
}
