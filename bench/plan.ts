import type { ComputeSnapshot } from '#libs/cluster-model';
import { plannerCatalogue } from '#libs/planners';
import type { PlanLimits, PlannedAction, ProposedAction } from '#libs/plugin-kit';
import { collectComputeModel } from '../services/decision-engine/collectors/compute-collector.ts';
import { benchArguments } from './arguments.ts';
import { consolidate } from './consolidation.ts';
import { bounds, makespan, mostAtOnce } from './makespan.ts';
import { type BenchGoal, type BenchResult, finishBench, rounded } from './report.ts';
import { wallClock, withSimulatedCloud } from './simulator-process.ts';
import { seededRandom } from './synthetic-world.ts';

/** Highest ratio of a plan's time to its bound. */
const greatestRatio = 1.15;
/** Set-up and handover of a migration. */
const overheadSeconds = 5;
/** Speed of a migration: two share the 10 Gbit/s of their host. */
const mibPerSecond = 477;
/** Highest share of the memory that is copied again because the guest wrote to it. Differs by instance. */
const greatestRecopy = 0.3;

/** With this limit of the plan, only the limits of hosts matter. */
const hostsOnly: PlanLimits = { parallelPerSourceHost: 2, parallelPerDestinationHost: 2, parallelMigrations: 1000 };
/** Defaults of the decision engine. */
const ordinary: PlanLimits = { ...hostsOnly, parallelMigrations: 8 };

function durationIn({ instanceInfo, instances }: ComputeSnapshot): (action: PlannedAction) => number {
  const rows = new Map(instanceInfo.map(({ uuid }, row) => [uuid, row]));
  const random = seededRandom(1);
  const recopy = instanceInfo.map(() => greatestRecopy * random());
  return ({ actionType, inputParameters }) => {
    if (actionType !== 'migrate') return 0;
    const row = rows.get(String(inputParameters.resource_id)) ?? -1;
    const copied = (instances.memory[row] ?? 0) * (1 + (recopy[row] ?? 0));
    return overheadSeconds + copied / mibPerSecond;
  };
}

function judge(name: string, proposed: ProposedAction[], snapshot: ComputeSnapshot, limits: PlanLimits) {
  const planner = plannerCatalogue.find((candidate) => candidate.name === 'resource');
  if (planner === undefined) throw new Error('there is no planner resource');
  let next = 0;
  const begin = performance.now();
  const actions = planner.plan(proposed, { snapshot, limits, newUuid: () => `action-${next++}` });
  const plannerMs = performance.now() - begin;
  const duration = durationIn(snapshot);
  const bound = bounds(actions, limits, duration);
  const least = Math.max(bound.busiestHost, bound.wholePlan);
  const span = makespan(actions, duration);
  const most = mostAtOnce(actions, duration);
  const result: BenchResult = {
    name,
    actions: actions.length,
    parents: actions.reduce((sum, { parents }) => sum + parents.length, 0),
    planner_ms: rounded(plannerMs),
    makespan_s: rounded(span),
    busiest_host_s: rounded(bound.busiestHost),
    whole_plan_s: rounded(bound.wholePlan),
    makespan_ratio: rounded(span / least, 3),
    most_from_host: most.parallelPerSourceHost,
    most_to_host: most.parallelPerDestinationHost,
    most_at_once: most.parallelMigrations,
  };
  const goals: BenchGoal[] = [
    { name: `${name}: makespan to bound`, value: rounded(span / least, 3), limit: greatestRatio, unit: 'ratio' },
    {
      name: `${name}: from one host`,
      value: most.parallelPerSourceHost,
      limit: limits.parallelPerSourceHost,
      unit: '',
    },
    {
      name: `${name}: to one host`,
      value: most.parallelPerDestinationHost,
      limit: limits.parallelPerDestinationHost,
      unit: '',
    },
    { name: `${name}: at once`, value: most.parallelMigrations, limit: limits.parallelMigrations, unit: '' },
  ];
  return { result, goals };
}

/**
 * Measures the time of a consolidation plan for the shipped world of 800 hosts, simulated with durations that the
 * planner does not know. The bound is the minimum time of its busiest host, or of the limit of the whole plan.
 */
export async function planBench(args: string[]): Promise<void> {
  const { json } = benchArguments(args, {});
  await withSimulatedCloud('azure2017-800', async (cloud) => {
    const snapshot = await collectComputeModel(cloud, { clock: wallClock });
    const { actions } = await consolidate(snapshot);
    const judged = [
      judge('limits per host', actions, snapshot, hostsOnly),
      judge('limits per host and plan', actions, snapshot, ordinary),
    ];
    const results = judged.map(({ result }) => result);
    finishBench({ bench: 'plan', results, goals: judged.flatMap(({ goals }) => goals) }, { json });
  });
}
