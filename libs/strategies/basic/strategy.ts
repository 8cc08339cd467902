import { createWhatIf, type InstanceInfo, totalCpus, type WhatIf } from '#libs/cluster-model';
import { counted } from '#libs/domain';
import type { StrategyContext, StrategyManifest, StrategyPlugin, StrategyResult } from '#libs/plugin-kit';
import { createRoomTree } from '../shared/hosts/room-tree.ts';
import { acceptingHosts, instanceAt, upHosts } from '../shared/hosts/rows.ts';
import { createAllocationTarget, targetOf } from '../shared/hosts/target-utilization.ts';
import { emptyHosts, reportObstacles } from '../shared/moves/empty-hosts.ts';
import type { EmptyingTask } from '../shared/moves/emptying-run.ts';
import { createMovePrices } from '../shared/moves/move-cost.ts';
import { budgetNotes, mostMovesOf } from '../shared/moves/shared-parameters.ts';
import { type MeasuredUse, readMeasuredUse, usualWindow } from '../shared/relief/measured-use.ts';
import { applyRelief, type PlannedRelief, relieveHot } from '../shared/relief/plan-relief.ts';
import { reliefRule } from '../shared/relief/relieve-overloaded.ts';
import { createBlockedTally } from '../shared/report/blocked-tally.ts';
import { explainPlan } from './explain.ts';
import { createMeasuredCpu } from './measured-cpu.ts';
import { type BasicParameters, basicParameters } from './parameters.ts';
import { type Loads, readLoads } from './read-loads.ts';

/** Manifest of `basic`. */
const basicManifest: StrategyManifest = {
  kind: 'strategy',
  name: 'basic',
  displayName: 'Basic offline consolidation',
  goal: 'server_consolidation',
  description:
    'Frees compute nodes, starting with the least loaded one: moves all its instances to the most loaded hosts ' +
    'with room, and disables it. A host that cannot be emptied completely stays unchanged. Hosts whose load ' +
    'stays high are relieved first.',
  parameters: basicParameters,
  metrics: ['host_cpu_usage', 'instance_cpu_usage'],
  models: ['compute'],
  planner: 'resource',
  needsCompleteModel: true,
  readsPast: true,
  urgentRules: [reliefRule],
};

/** Capacity or use: vcpus, memory in MiB, disk in GiB. */
interface Amounts {
  vcpus: number;
  memory: number;
  disk: number;
}

const noes = new Set(['', '0', 'false', 'no']);

/** Scores of the given hosts by CPU, see `scoreOf`. Indexed by row. */
function hostScores({ snapshot }: WhatIf, { hostPercent }: Loads): Float64Array {
  const cpus = totalCpus(snapshot);
  return hostPercent.map((percent, row) => {
    const vcpus = cpus[row] as number;
    return scoreOf({ vcpus, memory: 1, disk: 1 }, { vcpus: (vcpus * percent) / 100, memory: 0, disk: 0 });
  });
}

function immovableIn({ model, parameters }: StrategyContext<BasicParameters>): (instance: number) => string | null {
  const isKept = (row: number) =>
    parameters.check_optimize_metadata === true && keptByMetadata(instanceAt(model.snapshot, row));
  return (row) => model.immovable(row) ?? (isKept(row) ? 'optimize-metadata' : null);
}

/**
 * Hosts by descending load receive instances. The least loaded are emptied first, or those with the fewest instances.
 */
function taskOf(
  context: StrategyContext<BasicParameters>,
  {
    loads,
    order,
    use,
    relief,
  }: { loads: Loads; order: readonly number[]; use: MeasuredUse | undefined; relief: PlannedRelief | null },
): EmptyingTask {
  const { model, parameters, past, signal } = context;
  const target = targetOf(parameters.target_utilization);
  const cpu = createMeasuredCpu(model, loads.hostPeak, loads.instancePeak, target.vcpus);
  for (const { instance, from, to } of relief?.moves ?? []) cpu.moved(instance, from, to);
  const tree = createRoomTree(createAllocationTarget(model, target), order, cpu.free);
  const places = new Map(order.map((host, place) => [host, place]));
  const watchers = order.toReversed().filter((host) => relief?.hosts.has(host) !== true);
  const count = (host: number) => model.instancesOn(host).length;
  const byCount = [...watchers].sort((a, b) => count(a) - count(b));
  const byWatcher = parameters.host_order === 'watcher';

  function* candidates(instance: number): Generator<number> {
    const need = { ...model.needs(instance), cpu: cpu.ofInstance(instance) };
    for (let at = tree.next(0, need); at >= 0; at = tree.next(at + 1, need)) {
      const host = order[at] as number;
      if (use?.fits(instance, host) ?? true) yield host;
    }
  }

  return {
    model,
    accepting: acceptingHosts(model),
    orders: byWatcher ? [watchers] : [watchers, byCount],
    searchesSmall: !byWatcher,
    instancesOf: (host) =>
      [...model.instancesOn(host)].sort(
        (a, b) => (loads.instancePercent[b] as number) - (loads.instancePercent[a] as number) || a - b,
      ),
    candidates,
    moved(instance, from, to) {
      cpu.moved(instance, from, to);
      use?.moved(instance, from, to);
      for (const host of [from, to]) tree.update(places.get(host) as number);
    },
    setOpen: (host, open) => tree.close(places.get(host) as number, !open),
    immovable: immovableIn(context),
    minutesOf: createMovePrices(
      model,
      (instance) => loads.instancePercent[instance] as number,
      new Set(Object.keys(past.departures)),
    ),
    emptiesTakers: true,
    attempts: parameters.migration_attempts,
    reserve: parameters.reserve_hosts ?? 0,
    failureReserve: parameters.failure_reserve ?? 1,
    budget: parameters.migration_budget,
    spent: relief?.moves.length ?? 0,
    signal,
  };
}

function whyEmpty(withInstances: number, kept: number, reserved: boolean): string {
  if (withInstances === 0) return 'no enabled compute node has an instance';
  if (withInstances === 1) return 'all instances are on one compute node already';
  const what = kept > 0 ? `no more than the reserve of ${counted(kept, 'compute node')}` : 'no compute node';
  return `${what} can be emptied into the others completely${reserved ? ', with the reserve for failures kept' : ''}`;
}

/** Frees the least loaded hosts. Throws MetricsMissingError when hosts or instances have no CPU measurement. */
export const basicStrategy: StrategyPlugin<BasicParameters> = {
  manifest: basicManifest,
  async run(context): Promise<StrategyResult> {
    const { model, metrics, parameters } = context;
    const { snapshot } = model;
    const blocked = createBlockedTally();
    const enabled = acceptingHosts(model);
    const occupied = enabled.filter((host) => model.instancesOn(host).length > 0);
    const loads = await readLoads(model, metrics, parameters, occupied, blocked);
    // Gaps of the telemetry have been reported above.
    const measured = await readMeasuredUse(
      {
        ...context,
        parameters: {
          ...parameters,
          period: Math.min(parameters.period, usualWindow.period),
          aggregation_method: 'p95',
        },
      },
      upHosts(model),
      createBlockedTally(),
    );
    const target = targetOf(parameters.target_utilization);
    const mostMoves = mostMovesOf(parameters.migration_budget);
    const failureReserve = parameters.failure_reserve ?? 1;
    const reliefTask = { target, failureReserve, immovable: immovableIn(context), mostMoves, blocked };
    const relief = measured && relieveHot(model, measured, reliefTask);
    const relieving = relief?.moves.length ?? 0;
    const scores = hostScores(model, loads);
    const order = loads.known
      .filter((host) => relief?.relieved.has(host) !== true)
      .sort((a, b) => (scores[b] as number) - (scores[a] as number) || a - b);
    const task = taskOf(context, { loads, order, use: measured?.use, relief });
    const plan = emptyHosts(task);
    const reserveNotes = reportObstacles(task, plan, blocked);
    const cpu = createMeasuredCpu(model, loads.hostPercent, loads.instancePercent);
    const relieved = relief === null ? createWhatIf(snapshot) : applyRelief(createWhatIf(snapshot), relief);
    for (const { instance, from, to } of relief?.moves ?? []) cpu.moved(instance, from, to);
    const actions = [...(relief?.actions ?? []), ...explainPlan(relieved, cpu, order, plan)];
    return {
      actions,
      indicators: {
        compute_nodes_count: enabled.length,
        released_compute_nodes_count: Math.max(0, plan.freed.length - (relief?.woken.length ?? 0)),
        instance_migrations_count: relieving + plan.moves.length,
      },
      report: {
        hosts: { considered: snapshot.hostInfo.length, eligible: occupied.length },
        instances: {
          considered: snapshot.instanceInfo.length,
          eligible: occupied.reduce(
            (sum, host) => sum + model.instancesOn(host).filter((row) => task.immovable(row) === null).length,
            0,
          ),
        },
        blocked: blocked.counts(),
        emptyBecause:
          actions.length > 0 ? null : whyEmpty(occupied.length, parameters.reserve_hosts ?? 0, reserveNotes.length > 0),
        notes: [
          ...(relief === null ? [] : [relief.note]),
          `${plan.freed.length} of ${counted(enabled.length, 'enabled host')} ${plan.freed.length === 1 ? 'is' : 'are'} freed by ${counted(plan.moves.length, 'migration')}`,
          ...loads.notes,
          ...reserveNotes,
          ...budgetNotes(parameters.migration_budget, relieving + plan.moves.length),
        ],
      },
    };
  },
};

/**
 * Whether the checked metadata of an instance pin it: there are some, and `optimize` is missing or means no. In
 * Watcher any text means yes, even `false`.
 */
function keptByMetadata({ metadata }: Pick<InstanceInfo, 'metadata'>): boolean {
  return Object.keys(metadata).length > 0 && noes.has((metadata.optimize ?? '').toLowerCase());
}

/**
 * Watcher's score: mean of the used fractions of vcpus, memory and disk. A missing disk or memory counts as unused.
 * The strategy sets only the CPU, so its scores are between 0 and 1/3.
 */
export function scoreOf(has: Amounts, uses: Amounts): number {
  const share = (used: number, total: number) => (total === 0 ? 0 : used / total);
  return (share(uses.vcpus, has.vcpus) + share(uses.memory, has.memory) + share(uses.disk, has.disk)) / 3;
}
