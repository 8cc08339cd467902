import { totalCpus, type WhatIf } from '#libs/cluster-model';
import type { BeforeAfter } from '#libs/domain';
import { counted } from '#libs/domain';
import type { MetricsReader, ProposedAction, StrategyManifest, StrategyPlugin, StrategyResult } from '#libs/plugin-kit';
import { moveWithAllocations } from '../shared/hosts/allocation-values.ts';
import { coverUse } from '../shared/hosts/covered-use.ts';
import { comparedWindows, hasStayedAt, readTumblingWindows, usesOf, varianceOf } from '../shared/hosts/past-use.ts';
import { acceptingHosts, hostAt, instanceAt, instanceLabel, loadName, shortNumber } from '../shared/hosts/rows.ts';
import { migrateAction, migrationTypeOf } from '../shared/moves/actions.ts';
import { type MoveWorth, worthNotes, worthSentence } from '../shared/moves/load-worth.ts';
import { budgetNotes, withinBudget } from '../shared/moves/shared-parameters.ts';
import { type BlockedTally, createBlockedTally } from '../shared/report/blocked-tally.ts';
import { MetricsMissingError } from '../shared/report/errors.ts';
import { spreadNotes } from '../shared/report/spread-notes.ts';
import { findFewMoves, isSmall } from './few-moves.ts';
import { createLoads, type Loads } from './loads.ts';
import { type WorkloadBalanceParameters, workloadBalanceParameters } from './parameters.ts';
import { relieveHosts, splitByThreshold } from './relieve.ts';
import type { Task } from './task.ts';
import type { Move } from './worth.ts';
import { createWorth } from './worth.ts';

/** Manifest of `workload_balance`. */
const workloadBalanceManifest: StrategyManifest = {
  kind: 'strategy',
  name: 'workload_balance',
  displayName: 'Workload Balance Migration Strategy',
  goal: 'workload_balancing',
  description:
    'Relieves compute nodes whose CPU or memory load, summed over their instances, has reached a threshold: ' +
    'instances migrate live to the least loaded nodes that stay below it.',
  parameters: workloadBalanceParameters,
  metrics: ['instance_cpu_usage', 'instance_ram_usage'],
  models: ['compute'],
  planner: 'resource',
  needsCompleteModel: false,
  urgentRules: ['relieve-host-above-threshold'],
};

/** Loads of the hosts with enough measurements. */
interface KnownLoads {
  loads: Loads;
  hosts: readonly number[];
  /** Hosts whose load has stayed at the threshold. */
  hot: ReadonlySet<number>;
  /** CPU use of an instance. NaN with another metric. */
  cpuPercent(instance: number): number;
  notes: string[];
}

async function readLoads(
  model: WhatIf,
  metrics: MetricsReader,
  {
    metrics: metric,
    period,
    granularity,
    aggregation_method: aggregate = 'mean',
    minimum_coverage: minimumCoverage,
    threshold,
  }: WorkloadBalanceParameters,
  hosts: readonly number[],
  blocked: BlockedTally,
): Promise<KnownLoads> {
  const { snapshot } = model;
  const window = { periodSeconds: period, granularitySeconds: granularity, aggregate };
  const periods = await readTumblingWindows(metrics, metric, window);
  const [raw] = periods;
  const instances = hosts.flatMap((host) => [...model.instancesOn(host)]);
  if (instances.length > 0 && instances.every((row) => Number.isNaN(raw[row]))) {
    throw new MetricsMissingError('workload_balance', [metric], period);
  }
  const isCpu = metric === 'instance_cpu_usage';
  const { vcpus, memory } = snapshot.instances;
  const unitOf = (value: number, row: number) => (isCpu ? (value / 100) * (vcpus[row] as number) : value);
  const measured = raw.map(unitOf);
  const allocated = isCpu ? vcpus : memory;
  const { use, known, notes } = coverUse(model, { measured, allocated, hosts, minimumCoverage }, blocked);
  const uses = usesOf(use, periods, unitOf);
  const size = isCpu ? totalCpus(snapshot) : snapshot.hosts.memory;
  const variance = varianceOf(uses);
  const loads = createLoads(model, known, { measured, use, variance }, size);
  const sumOn = (host: number, column: Float64Array) =>
    model.instancesOn(host).reduce((sum, row) => sum + (column[row] as number), 0);
  const isHot = (host: number) => {
    const periodLoads = uses.map((column) => sumOn(host, column));
    return hasStayedAt((threshold / 100) * (size[host] as number), periodLoads, sumOn(host, variance));
  };
  const hot = known.filter((host) => loads.percent(host) >= threshold && isHot(host));
  const cpuPercent = (row: number) => (isCpu ? raw[row]! : Number.NaN);
  return { loads, hosts: known, hot: new Set(hot), cpuPercent, notes };
}

function explain(
  { model, loads, parameters: { threshold } }: Task,
  move: Move,
  metric: string,
  worth: MoveWorth,
): ProposedAction {
  const { snapshot } = model;
  const { instance, from, to } = move;
  const hosts = [from, to];
  const before = hosts.map(loads.percent);
  const allocations = moveWithAllocations(model, instance, to);
  loads.moved(instance, from, to);
  const values = hosts.map(
    (host, index): BeforeAfter => ({
      quantity: metric.replace('instance', 'host'),
      subject: hostAt(snapshot, host).hostname,
      unit: '%',
      before: before[index] ?? 0,
      after: loads.percent(host),
    }),
  );
  const [source, destination] = [hostAt(snapshot, from), hostAt(snapshot, to)];
  const change = (value: BeforeAfter | undefined) =>
    `from ${shortNumber(value?.before ?? 0)} % to ${shortNumber(value?.after ?? 0)} %`;
  const info = instanceAt(snapshot, instance);
  const { partner } = move;
  const exchanged = partner === undefined ? '' : `, in exchange for ${instanceLabel(instanceAt(snapshot, partner))}`;
  return migrateAction(info, migrationTypeOf(snapshot, instance), source, destination, {
    rule: partner === undefined ? 'relieve-host-above-threshold' : 'swap',
    summary:
      `${instanceLabel(info)} takes the ${loadName(metric)} of ${source.hostname} ${change(values[0])} (threshold ` +
      `${threshold} %), and that of ${destination.hostname}${exchanged}, ${change(values[1])}.` +
      worthSentence(worth, partner === undefined ? 'It' : 'The exchange'),
    values: [...values, ...allocations],
    rejected: move.rejected,
  });
}

/** Benefit of a move before it is made. Both halves of an exchange have the benefit of the whole. */
function createWorthOfTurn({ worth }: Task): (move: Move) => MoveWorth {
  const exchanges = new Map<number, MoveWorth>();
  return (move) => {
    const known = exchanges.get(move.instance);
    if (known !== undefined) return known;
    const own = worth.ofMove(move);
    if (move.partner !== undefined) exchanges.set(move.partner, own);
    return own;
  };
}

/** The moves of a plan, applied to the model and the loads. */
function* madeOnTheWay({ model, loads }: Task, moves: Iterable<Move>): Generator<Move> {
  for (const move of moves) {
    model.move(move.instance, move.to);
    loads.moved(move.instance, move.from, move.to);
    yield move;
  }
}

/**
 * A plan in a small cloud: the shortest one, when it is shorter than the ordinary one or relieves more. Null for the
 * ordinary one.
 */
function shortPlan(task: Task): Move[] | null {
  const { model, loads } = task;
  if (!isSmall(task)) return null;
  const silent = { ...task, blocked: createBlockedTally() };
  const ordinary = [...madeOnTheWay(task, relieveHosts(silent))];
  const isSolved = splitByThreshold(task).over.length === 0;
  for (const { instance, from, to } of ordinary.toReversed()) {
    model.move(instance, from);
    loads.moved(instance, to, from);
  }
  return findFewMoves(task, isSolved ? ordinary.length : Number.POSITIVE_INFINITY);
}

/**
 * Hosts that are above the threshold for a short time are left unchanged: their load may fall again before a migration
 * ends.
 */
function momentaryNotes(hosts: number, period: number): string[] {
  if (hosts === 0) return [];
  return [
    `${counted(hosts, 'host', ['is', 'are'])} left alone: the load has not stayed at the threshold for ${comparedWindows} periods of ` +
      `${period} s, beyond its noise`,
  ];
}

function whyEmpty(
  { over, under, momentary }: Record<'over' | 'under' | 'momentary', number>,
  threshold: number,
): string {
  if (over === 0 && momentary > 0) return `no host has stayed at the threshold of ${threshold} %`;
  if (over === 0) return `no host has reached the threshold of ${threshold} %`;
  if (under === 0) return `all hosts have reached the threshold of ${threshold} %; there is no destination`;
  return `${counted(over, 'host', ['has', 'have'])} reached the threshold of ${threshold} %, and no instance there can move without bringing its host below the average or a destination to the threshold`;
}

/** A view of the model in which the hosts receive no instance, not even for a while. */
function withoutDestinations(model: WhatIf, hosts: ReadonlySet<number>): WhatIf {
  return {
    ...model,
    refusal: (instance, host, options) => (hosts.has(host) ? 'coverage' : model.refusal(instance, host, options)),
  };
}

/** Relieves hosts above a threshold. Throws MetricsMissingError when no instance was measured. */
export const workloadBalanceStrategy: StrategyPlugin<WorkloadBalanceParameters> = {
  manifest: workloadBalanceManifest,
  async run({ model, metrics, parameters, signal }): Promise<StrategyResult> {
    const { snapshot } = model;
    const blocked = createBlockedTally();
    const accepting = acceptingHosts(model);
    const { threshold } = parameters;
    const { loads, hosts, hot, cpuPercent, notes } = await readLoads(model, metrics, parameters, accepting, blocked);
    const worth = createWorth(model, loads, { hot, threshold }, cpuPercent);
    const known = new Set(hosts);
    const unmeasured = new Set(accepting.filter((host) => !known.has(host)));
    const task: Task = {
      model: withoutDestinations(model, unmeasured),
      loads,
      hosts,
      hot,
      parameters,
      worth,
      blocked,
      signal,
    };
    const { over, under } = splitByThreshold(task);
    const momentary = hosts.filter((host) => !hot.has(host) && loads.percent(host) >= threshold).length;
    const before = loads.deviation();
    const measured = snapshot.instanceInfo.filter(
      (_, row) => model.immovable(row) === null && !Number.isNaN(loads.ofInstance(row)),
    ).length;
    const actions: ProposedAction[] = [];
    const moved: number[] = [];
    const worthOf = createWorthOfTurn(task);
    for (const move of withinBudget(model, shortPlan(task) ?? relieveHosts(task), parameters.migration_budget)) {
      actions.push(explain(task, move, parameters.metrics, worthOf(move)));
      moved.push(move.instance);
    }
    const after = loads.deviation();
    return {
      actions,
      leftAlone: [...unmeasured].map((host) => hostAt(snapshot, host).hostname),
      indicators: {
        instance_migrations_count: actions.length,
        instances_count: snapshot.instanceInfo.length,
        standard_deviation_before_audit: before,
        standard_deviation_after_audit: after,
      },
      report: {
        hosts: { considered: snapshot.hostInfo.length, eligible: hosts.length },
        instances: { considered: snapshot.instanceInfo.length, eligible: measured },
        blocked: blocked.counts(),
        emptyBecause:
          actions.length > 0
            ? null
            : whyEmpty({ over: over.length, under: under.length, momentary }, parameters.threshold),
        notes: [
          `${counted(over.length, 'host', ['has', 'have'])} reached the threshold, ${under.length} ${under.length === 1 ? 'is' : 'are'} below it; the average load of a host is ` +
            `${shortNumber(loads.average)} ${parameters.metrics === 'instance_cpu_usage' ? 'vcpus' : 'MB'}`,
          ...worthNotes(worth.ofMade(moved), actions.length),
          ...momentaryNotes(momentary, parameters.period),
          ...notes,
          ...budgetNotes(parameters.migration_budget, actions.length),
          ...spreadNotes({ before, after }, `hosts at or above ${parameters.threshold} %`),
        ],
      },
    };
  },
};
