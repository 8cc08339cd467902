import type { WhatIf } from '#libs/cluster-model';
import { hostFlag } from '#libs/cluster-model';
import { counted } from '#libs/domain';
import type { StrategyManifest, StrategyPlugin, StrategyResult } from '#libs/plugin-kit';
import { hostAt } from '../shared/hosts/rows.ts';
import { createAllocationTarget, targetOf } from '../shared/hosts/target-utilization.ts';
import { mostMovesOf } from '../shared/moves/shared-parameters.ts';
import {
  disableFreed,
  enableSleeping,
  explainMoves,
  type FinalMove,
  finalMoves,
} from '../shared/relief/explain-moves.ts';
import { readMeasuredUse } from '../shared/relief/measured-use.ts';
import { reliefRule, relieveOverloaded } from '../shared/relief/relieve-overloaded.ts';
import { createWorkspace, type Workspace } from '../shared/relief/workspace.ts';
import { createBlockedTally } from '../shared/report/blocked-tally.ts';
import { MetricsMissingError } from '../shared/report/errors.ts';
import { type EmptiedHosts, emptyHosts } from './empty-hosts.ts';
import { type VmWorkloadConsolidationParameters, vmWorkloadConsolidationParameters } from './parameters.ts';

/** Manifest of `vm_workload_consolidation`. */
const vmWorkloadConsolidationManifest: StrategyManifest = {
  kind: 'strategy',
  name: 'vm_workload_consolidation',
  displayName: 'VM Workload Consolidation Strategy',
  goal: 'server_consolidation',
  description:
    'Frees compute nodes: relieves overloaded ones, then empties hosts one by one by moving all their instances ' +
    'to hosts that stay in use, and disables the emptied hosts. Measured use must fit the physical size of a ' +
    'host, allocations its overcommitted capacity.',
  parameters: vmWorkloadConsolidationParameters,
  metrics: [
    'instance_ram_allocated',
    'instance_cpu_usage',
    'instance_ram_usage',
    'instance_root_disk_size',
    'host_cpu_usage',
    'host_ram_usage',
  ],
  models: ['compute'],
  planner: 'resource',
  needsCompleteModel: true,
  readsPast: true,
  urgentRules: [reliefRule],
};

/** Why a host that a recent plan has enabled is neither emptied nor disabled. */
const wokenLately = 'woken-lately';
const cpuMetrics = ['instance_cpu_usage', 'host_cpu_usage'];

function hostsThatAreUp(model: WhatIf): number[] {
  return model.snapshot.hostInfo.flatMap((_, row) =>
    (model.snapshot.hosts.flags[row] as number) & hostFlag.up ? row : [],
  );
}

function assemble(space: Workspace, moves: FinalMove[], freed: number[], woken: number[], active: number) {
  const movedFrom = new Map<number, number>();
  for (const { from } of moves) movedFrom.set(from, (movedFrom.get(from) ?? 0) + 1);
  return [
    ...woken.map((host, index) => enableSleeping(space.model, host, active + index)),
    ...explainMoves(space, moves),
    ...freed.map((host, index) =>
      disableFreed(space.model, host, movedFrom.get(host) ?? 0, active + woken.length - index),
    ),
  ];
}

function movedGibibytes(model: WhatIf, moves: FinalMove[]): number {
  const { memory } = model.snapshot.instances;
  return Math.round(moves.reduce((sum, { instance }) => sum + (memory[instance] as number), 0) / 1024);
}

function whyEmpty({ kept, beyondBudget, tooDear, reserveNotes }: EmptiedHosts, budget = 0): string {
  if (kept.length > 0)
    return `no host is overloaded, and only the requested reserve can be emptied: ${counted(kept.length, 'host')}`;
  if (beyondBudget.length > 0)
    return `no host is overloaded, and none can be emptied completely with the budget of ${counted(budget, 'migration')}`;
  if (tooDear.length > 0)
    return `no host is overloaded, and emptying ${counted(tooDear.length, 'host')} costs more than a day without it is worth`;
  const reserved = reserveNotes.length > 0 ? ', with the reserve for failures kept' : '';
  return `no host is overloaded, and no host can be emptied into the others completely${reserved}`;
}

/**
 * Relieves overloaded hosts, then empties and disables as many hosts as possible. Throws MetricsMissingError without
 * any CPU measurement.
 */
export const vmWorkloadConsolidationStrategy: StrategyPlugin<VmWorkloadConsolidationParameters> = {
  manifest: vmWorkloadConsolidationManifest,
  async run(context): Promise<StrategyResult> {
    const { model, parameters, past, signal } = context;
    const blocked = createBlockedTally();
    const up = hostsThatAreUp(model);
    const active = up.filter((host) => model.enabled[host] === 1).length;
    const measured = await readMeasuredUse(context, up, blocked);
    if (measured === null) throw new MetricsMissingError('vm_workload_consolidation', cpuMetrics, parameters.period);
    const { use, known, notes } = measured;
    const enabled = known.filter((host) => model.enabled[host] === 1);
    const target = createAllocationTarget(model, targetOf(parameters.target_utilization));
    const space = createWorkspace(model, { use, target }, enabled);
    const failureReserve = parameters.failure_reserve ?? 1;
    const relief = relieveOverloaded(space, known, blocked, {
      failureReserve,
      mostMoves: mostMovesOf(parameters.migration_budget),
    });
    const lately = new Set(past.woken);
    const woke = enabled.filter((host) => lately.has(hostAt(model.snapshot, host).hostname));
    for (const host of woke) blocked.add(wokenLately, hostAt(model.snapshot, host).hostname);
    const kept = new Set([...relief.relieved, ...woke]);
    const emptied = emptyHosts(
      space,
      enabled.filter((host) => !kept.has(host)),
      blocked,
      {
        budget: parameters.migration_budget,
        reserve: parameters.reserve_hosts ?? 0,
        failureReserve,
        departed: new Set(Object.keys(past.departures)),
        signal,
      },
    );
    const { freed } = emptied;
    const woken = relief.enabled.filter((host) => model.instancesOn(host).length > 0);
    const moves = finalMoves(model, [...relief.relieved, ...freed]);
    const actions = assemble(space, moves, freed, woken, active);
    return {
      actions,
      indicators: {
        compute_nodes_count: up.length,
        released_compute_nodes_count: Math.max(0, freed.length - woken.length),
        instance_migrations_count: moves.length,
      },
      report: {
        hosts: { considered: model.snapshot.hostInfo.length, eligible: enabled.length },
        instances: {
          considered: model.snapshot.instanceInfo.length,
          eligible: model.snapshot.instanceInfo.filter((_, row) => model.immovable(row) === null).length,
        },
        blocked: blocked.counts(),
        emptyBecause: actions.length > 0 ? null : whyEmpty(emptied, parameters.migration_budget),
        notes: [
          `${counted(freed.length, 'host', ['is', 'are'])} freed and ${woken.length} enabled again by ${counted(moves.length, 'migration')} of ` +
            `${movedGibibytes(model, moves)} GiB memory`,
          ...notes,
          ...emptied.reserveNotes,
          ...(freed.length > 0 && emptied.beyondBudget.length > 0
            ? [
                `${counted(emptied.beyondBudget.length, 'host', ['is', 'are'])} left to the next audit by the budget of migrations`,
              ]
            : []),
        ],
      },
    };
  },
};
