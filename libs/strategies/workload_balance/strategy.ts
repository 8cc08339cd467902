import { totalCpus, type WhatIf } from '#libs/cluster-model';
import type { BeforeAfter } from '#libs/domain';
import type { MetricsReader, ProposedAction, StrategyPlugin, StrategyResult } from '#libs/plugin-kit';
import { migrateAction, migrationTypeOf } from '../actions.ts';
import { moveWithAllocations } from '../allocation-values.ts';
import { type BlockedTally, createBlockedTally } from '../blocked-tally.ts';
import { coverUse } from '../covered-use.ts';
import { MetricsMissingError } from '../errors.ts';
import { acceptingHosts } from '../host-rows.ts';
import { budgetNotes, isSpent } from '../migration-budget.ts';
import { hostAt, instanceAt, instanceLabel, shortNumber } from '../rows.ts';
import { createLoads, type Loads } from './loads.ts';
import { workloadBalanceManifest } from './manifest.ts';
import type { WorkloadBalanceParameters } from './parameters.ts';
import { type Move, relieveHosts, splitByThreshold, type Task } from './relieve.ts';

/** Loads of the hosts of which enough is measured. */
interface KnownLoads {
  loads: Loads;
  hosts: readonly number[];
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
  }: WorkloadBalanceParameters,
  hosts: readonly number[],
  blocked: BlockedTally,
): Promise<KnownLoads> {
  const { snapshot } = model;
  const raw = await metrics.instances(metric, {
    periodSeconds: period,
    granularitySeconds: granularity,
    aggregate,
  });
  const instances = hosts.flatMap((host) => [...model.instancesOn(host)]);
  if (instances.length > 0 && instances.every((row) => Number.isNaN(raw[row]))) {
    throw new MetricsMissingError('workload_balance', [metric], period);
  }
  const isCpu = metric === 'instance_cpu_usage';
  const { vcpus, memory } = snapshot.instances;
  const measured = isCpu ? raw.map((percent, row) => (percent / 100) * (vcpus[row] as number)) : raw;
  const allocated = isCpu ? vcpus : memory;
  const { use, known, notes } = coverUse(model, { measured, allocated, hosts, minimumCoverage }, blocked);
  const loads = createLoads(model, known, { measured, use }, isCpu ? totalCpus(snapshot) : snapshot.hosts.memory);
  return { loads, hosts: known, notes };
}

function explain({ model, loads, threshold }: Task, move: Move, quantity: string): ProposedAction {
  const { snapshot } = model;
  const { instance, from, to } = move;
  const hosts = [from, to];
  const before = hosts.map(loads.percent);
  const allocations = moveWithAllocations(model, instance, to);
  loads.moved(instance, from, to);
  const values = hosts.map(
    (host, index): BeforeAfter => ({
      quantity,
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
  return migrateAction(info, migrationTypeOf(snapshot, instance), source, destination, {
    rule: 'relieve-host-above-threshold',
    summary:
      `${instanceLabel(info)} takes ${source.hostname} ${change(values[0])} (threshold ${threshold} %), and ` +
      `${destination.hostname}, the least loaded host that takes it, ${change(values[1])}.`,
    values: [...values, ...allocations],
    rejected: move.rejected,
  });
}

function whyEmpty(over: number, under: number, threshold: number): string {
  if (over === 0) return `no host has reached the threshold of ${threshold} %`;
  if (under === 0) return `all hosts have reached the threshold of ${threshold} %; there is no destination`;
  return `${over} hosts have reached the threshold of ${threshold} %, and no instance of theirs can move without bringing its host below the average or a destination to the threshold`;
}

/** Relieves hosts above a threshold. Throws MetricsMissingError when no instance was measured. */
export const workloadBalanceStrategy: StrategyPlugin<WorkloadBalanceParameters> = {
  manifest: workloadBalanceManifest,
  async run({ model, metrics, parameters, signal }): Promise<StrategyResult> {
    const { snapshot } = model;
    const blocked = createBlockedTally();
    const accepting = acceptingHosts(model);
    const { loads, hosts, notes } = await readLoads(model, metrics, parameters, accepting, blocked);
    const task: Task = { model, loads, hosts, threshold: parameters.threshold, blocked, signal };
    const { over, under } = splitByThreshold(task);
    const before = loads.deviation();
    const measured = snapshot.instanceInfo.filter(
      (_, row) => model.immovable(row) === null && !Number.isNaN(loads.ofInstance(row)),
    ).length;
    const actions: ProposedAction[] = [];
    for (const move of relieveHosts(task)) {
      actions.push(explain(task, move, parameters.metrics));
      if (isSpent(parameters.migration_budget, actions.length)) break;
    }
    return {
      actions,
      indicators: {
        instance_migrations_count: actions.length,
        instances_count: snapshot.instanceInfo.length,
        standard_deviation_before_audit: before,
        standard_deviation_after_audit: loads.deviation(),
      },
      report: {
        hosts: { considered: snapshot.hostInfo.length, eligible: hosts.length },
        instances: { considered: snapshot.instanceInfo.length, eligible: measured },
        blocked: blocked.counts(),
        emptyBecause: actions.length > 0 ? null : whyEmpty(over.length, under.length, parameters.threshold),
        notes: [
          `${over.length} hosts have reached the threshold, ${under.length} are below it; the average load of a host is ` +
            `${shortNumber(loads.average)} ${parameters.metrics === 'instance_cpu_usage' ? 'vcpus' : 'MB'}`,
          ...notes,
          ...budgetNotes(parameters.migration_budget, actions.length),
        ],
      },
    };
  },
};
