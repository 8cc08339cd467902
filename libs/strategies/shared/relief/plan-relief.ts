import type { WhatIf } from '#libs/cluster-model';
import type { ProposedAction, StrategyResult } from '#libs/plugin-kit';
import { acceptingHosts, counted } from '../hosts/rows.ts';
import { createAllocationTarget, type TargetUtilization } from '../hosts/target-utilization.ts';
import type { BlockedTally } from '../report/blocked-tally.ts';
import { enableSleeping, explainMoves, type FinalMove, finalMoves } from './explain-moves.ts';
import type { KnownUse } from './measured-use.ts';
import { relieveOverloaded } from './relieve-overloaded.ts';
import { createWorkspace } from './workspace.ts';

/** Input of a relief besides the measurements. */
export interface ReliefTask {
  /** Maximum allocations to which hosts are filled. */
  target: TargetUtilization;
  /** Why an instance stays. Default: the reasons of the model. */
  immovable?(instance: number): string | null;
  blocked: BlockedTally;
}

/** The part of a plan that relieves hosts with lasting heat. */
export interface PlannedRelief {
  actions: ProposedAction[];
  moves: FinalMove[];
  /** Hosts that the relief enables. */
  woken: number[];
  /** Hosts that were overloaded. They receive no instances in the same plan. */
  relieved: ReadonlySet<number>;
  /** These hosts, and those that receive their instances. They are not emptied in the same plan. */
  hosts: ReadonlySet<number>;
  /** Number of hosts that could be relieved. */
  eligible: number;
  note: string;
}

/** Applies a planned relief to a model in the state before it. */
export function applyRelief(model: WhatIf, { moves, woken }: PlannedRelief): WhatIf {
  for (const host of woken) model.setEnabled(host, true);
  for (const { instance, to } of moves) model.move(instance, to);
  return model;
}

/** Relieves hosts with lasting heat in model and measurements. Null, and no change, when it moves nothing. */
export function relieveHot(
  model: WhatIf,
  { use, known }: Pick<KnownUse, 'use' | 'known'>,
  { target, immovable, blocked }: ReliefTask,
): PlannedRelief | null {
  const active = acceptingHosts(model).length;
  const eligible = known.filter((host) => model.enabled[host] === 1);
  const space = createWorkspace(model, { use, target: createAllocationTarget(model, target), immovable }, eligible);
  const relief = relieveOverloaded(space, known, blocked);
  const moves = finalMoves(model, relief.relieved);
  if (moves.length === 0) return null;
  const woken = relief.enabled.filter((host) => model.instancesOn(host).length > 0);
  for (const host of relief.enabled) if (!woken.includes(host)) model.setEnabled(host, false);
  return {
    actions: [
      ...woken.map((host, index) => enableSleeping(model, host, active + index)),
      ...explainMoves(space, moves),
    ],
    ...{ moves, woken, eligible: eligible.length },
    relieved: new Set(relief.relieved),
    hosts: new Set([...relief.relieved, ...moves.map(({ to }) => to)]),
    note:
      `${counted(relief.relieved.length, 'overloaded host')} relieved by ${counted(moves.length, 'migration')}, and ` +
      `${woken.length} enabled again`,
  };
}

/**
 * A plan that only relieves hosts with lasting heat. Null when no relief is possible. Then the model is unchanged.
 * @param computeNodes value of the indicator `compute_nodes_count`
 */
export function planRelief(
  model: WhatIf,
  measured: Pick<KnownUse, 'use' | 'known'>,
  { computeNodes, ...task }: ReliefTask & { computeNodes: number },
): StrategyResult | null {
  const relief = relieveHot(model, measured, task);
  if (relief === null) return null;
  const { hostInfo, instanceInfo } = model.snapshot;
  return {
    actions: relief.actions,
    indicators: {
      compute_nodes_count: computeNodes,
      released_compute_nodes_count: 0,
      instance_migrations_count: relief.moves.length,
    },
    report: {
      hosts: { considered: hostInfo.length, eligible: relief.eligible },
      instances: {
        considered: instanceInfo.length,
        eligible: instanceInfo.filter((_, row) => model.immovable(row) === null).length,
      },
      blocked: task.blocked.counts(),
      emptyBecause: null,
      notes: [relief.note],
    },
  };
}
