import type { ComputeSnapshot } from '#libs/cluster-model';
import type { JsonObject } from '#libs/domain';
import { plannerCatalogue } from '#libs/planners';
import {
  createScoringReader,
  executeStrategy,
  type MetricsReader,
  type StrategyPlugin,
  scoringEnginesOf,
  validateParameters,
} from '#libs/plugin-kit';
import { scoringCatalogue } from '#libs/scoring';
import { strategyCatalogue } from '#libs/strategies';
import { benchArguments } from './arguments.ts';
import { fullSearchOverObjects } from './object-baseline.ts';
import { type BenchResult, finishBench, rounded } from './report.ts';
import { silent } from './simulator-process.ts';
import { seededRandom, syntheticMetrics, syntheticSnapshot } from './synthetic-world.ts';

/** Longest time that a strategy with its planner may take. */
const limitMs = 2000;
const runs = 5;
const scoring = createScoringReader(async () => scoringEnginesOf(scoringCatalogue));
const limits = { parallelPerSourceHost: 2, parallelPerDestinationHost: 2, parallelMigrations: 10 };

/** Parameters without which a strategy does not run. */
function parametersFor(name: string, { hostInfo, instanceInfo }: ComputeSnapshot): JsonObject {
  if (name === 'host_maintenance') return { maintenance_node: hostInfo[0]?.hostname ?? '' };
  if (name !== 'actuator') return {};
  const stops = instanceInfo.map(({ uuid }) => ({ action_type: 'stop', resource_id: uuid, input_parameters: {} }));
  return { actions: stops };
}

async function measure(strategy: StrategyPlugin, snapshot: ComputeSnapshot, metrics: MetricsReader) {
  const { name, parameters: schema, planner: plannerName } = strategy.manifest;
  const planner = plannerCatalogue.find((candidate) => candidate.name === plannerName);
  if (planner === undefined) throw new Error(`strategy ${name} names an unknown planner ${plannerName}`);
  const times: { strategy: number; planner: number }[] = [];
  let actions = 0;
  let next = 0;
  for (let run = 0; run < runs; run++) {
    const begin = performance.now();
    const result = await executeStrategy(strategy, {
      snapshot,
      metrics,
      scoring,
      parameters: validateParameters(schema, parametersFor(name, snapshot)),
      seed: 1,
      nowMs: 0,
      signal: new AbortController().signal,
      log: silent,
    });
    const proposed = performance.now();
    actions = planner.plan(result.actions, { snapshot, limits, newUuid: () => `action-${next++}` }).length;
    times.push({ strategy: proposed - begin, planner: performance.now() - proposed });
  }
  return { actions, times };
}

function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** Times every built-in strategy with its planner on a seeded synthetic cloud; the median of five runs counts. */
export async function strategiesBench(args: string[]): Promise<void> {
  const { json, numbers } = benchArguments(args, { hosts: 1000, instances: 20_000, seed: 1 });
  const random = seededRandom(numbers.seed);
  const snapshot = syntheticSnapshot(numbers.hosts, numbers.instances, random);
  const metrics = syntheticMetrics(snapshot, random);
  const begin = performance.now();
  await fullSearchOverObjects(snapshot, metrics);
  const baselineMs = performance.now() - begin;

  const results: BenchResult[] = [{ name: 'baseline: one full search over objects', total_ms: rounded(baselineMs) }];
  for (const strategy of strategyCatalogue) {
    const { actions, times } = await measure(strategy, snapshot, metrics);
    const total = median(times.map((time) => time.strategy + time.planner));
    results.push({
      name: strategy.manifest.name,
      hosts: numbers.hosts,
      instances: numbers.instances,
      actions,
      total_ms: rounded(total),
      strategy_ms: rounded(median(times.map((time) => time.strategy))),
      planner_ms: rounded(median(times.map((time) => time.planner))),
      to_baseline_ratio: rounded(total / baselineMs, 3),
    });
  }
  const goals = results.slice(1).map(({ name, total_ms }) => ({
    name: `${name} with planner`,
    value: Number(total_ms),
    limit: limitMs,
    unit: 'ms',
  }));
  finishBench({ bench: 'strategies', results, goals }, { json });
}
