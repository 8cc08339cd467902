import type { BeforeAfter } from '#libs/domain';
import { counted } from '#libs/domain';
import type { ProposedAction, StrategyManifest, StrategyPlugin, StrategyResult, StrategyWork } from '#libs/plugin-kit';
import { moveWithAllocations } from '../shared/hosts/allocation-values.ts';
import { acceptingHosts, hostAt, instanceAt, instanceLabel, shortNumber } from '../shared/hosts/rows.ts';
import { migrateAction, migrationTypeOf } from '../shared/moves/actions.ts';
import { budgetNotes, withinBudget } from '../shared/moves/shared-parameters.ts';
import { createBlockedTally } from '../shared/report/blocked-tally.ts';
import { evenOut, type Move, type Task } from './even-out.ts';
import { createLevels, type Levels } from './levels.ts';
import { type AllocationBalanceParameters, allocationBalanceParameters } from './parameters.ts';

/** Manifest of `allocation_balance`. */
const allocationBalanceManifest: StrategyManifest = {
  kind: 'strategy',
  name: 'allocation_balance',
  displayName: 'Allocation Balance Strategy',
  goal: 'workload_balancing',
  description:
    'Spreads instances evenly over compute nodes by their number, or by allocated vcpus or memory, with the ' +
    'fewest migrations. It needs no metrics, and also spreads idle instances, for example after a failover.',
  parameters: allocationBalanceParameters,
  metrics: [],
  models: ['compute'],
  planner: 'resource',
  needsCompleteModel: false,
};

function withUnit({ unit }: Levels, value: number): string {
  return unit === '' ? shortNumber(value) : `${shortNumber(value)} ${unit}`;
}

function explain({ model, levels }: Task, { instance, from, to, rule, rejected }: Move): ProposedAction {
  const { snapshot } = model;
  const hosts = [from, to];
  const before = hosts.map(levels.of);
  const allocations = moveWithAllocations(model, instance, to);
  for (const host of hosts) levels.update(host);
  const values = hosts.map(
    (host, index): BeforeAfter => ({
      quantity: levels.quantity,
      subject: hostAt(snapshot, host).hostname,
      unit: levels.unit,
      before: before[index] ?? 0,
      after: levels.of(host),
    }),
  );
  const [source, destination] = [hostAt(snapshot, from), hostAt(snapshot, to)];
  const change = (value: BeforeAfter | undefined) =>
    `from ${withUnit(levels, value?.before ?? 0)} to ${withUnit(levels, value?.after ?? 0)}`;
  const info = instanceAt(snapshot, instance);
  return migrateAction(info, migrationTypeOf(snapshot, instance), source, destination, {
    rule,
    summary:
      `${instanceLabel(info)} takes ${source.hostname} ${change(values[0])} and ${destination.hostname} ` +
      `${change(values[1])} ${levels.words}; even is ${withUnit(levels, levels.low)} to ${withUnit(levels, levels.high)}.`,
    values: [...values, ...allocations],
    rejected,
  });
}

function outside(levels: Levels, hosts: readonly number[]): number {
  return hosts.filter((host) => levels.of(host) > levels.high || levels.of(host) < levels.low).length;
}

function whyEmpty({ hosts, work }: Task, unevenHosts: number): string {
  if (hosts.length < 2) return 'fewer than two compute nodes accept instances';
  if (unevenHosts === 0) return 'the compute nodes carry even shares already';
  if (work.endedBy() !== null) return 'the search ended before it found a migration';
  return `${counted(unevenHosts, 'compute node', ['carries', 'carry'])} no even share, and no feasible migration brings them closer`;
}

const endings: Record<NonNullable<ReturnType<StrategyWork['endedBy']>>, string> = {
  work: 'the work for exchanges was done; a larger share_tolerance needs less of it',
  clock: 'the time limit of strategies was near',
  request: 'the plan was requested',
};

/** Note on a run that ended before its search was complete. */
function endNotes({ work }: Task): string[] {
  const endedBy = work.endedBy();
  if (endedBy === null) return [];
  return [`the search ended early because ${endings[endedBy]}; the next audit continues from there`];
}

/** Distributes instances evenly by number or allocations, with the fewest migrations. */
export const allocationBalanceStrategy: StrategyPlugin<AllocationBalanceParameters> = {
  manifest: allocationBalanceManifest,
  async run({ model, parameters, signal, work }): Promise<StrategyResult> {
    const { snapshot } = model;
    const blocked = createBlockedTally();
    const hosts = acceptingHosts(model);
    const levels = createLevels(model, hosts, parameters);
    const task: Task = { model, levels, hosts, blocked, signal, work };
    const uneven = outside(levels, hosts);
    const before = levels.deviation();
    const eligible = hosts.reduce(
      (sum, host) => sum + model.instancesOn(host).filter((row) => model.immovable(row) === null).length,
      0,
    );
    const actions: ProposedAction[] = [];
    for (const move of withinBudget(model, evenOut(task), parameters.migration_budget))
      actions.push(explain(task, move));
    const left = outside(levels, hosts);
    return {
      actions,
      indicators: {
        instance_migrations_count: actions.length,
        instances_count: snapshot.instanceInfo.length,
        standard_deviation_before_audit: before,
        standard_deviation_after_audit: levels.deviation(),
      },
      ...(levels.deviationUnit === undefined
        ? {}
        : {
            units: {
              standard_deviation_before_audit: levels.deviationUnit,
              standard_deviation_after_audit: levels.deviationUnit,
            },
          }),
      report: {
        hosts: { considered: snapshot.hostInfo.length, eligible: hosts.length },
        instances: { considered: snapshot.instanceInfo.length, eligible },
        blocked: blocked.counts(),
        emptyBecause: actions.length > 0 ? null : whyEmpty(task, uneven),
        notes: [
          `even is ${withUnit(levels, levels.low)} to ${withUnit(levels, levels.high)} per host (${levels.noun}); ` +
            `${counted(uneven, 'host', ['is', 'are'])} outside before the plan and ${left} after it`,
          ...budgetNotes(parameters.migration_budget, actions.length),
          ...endNotes(task),
        ],
      },
    };
  },
};
