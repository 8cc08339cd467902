import type { WhatIf } from '#libs/cluster-model';
import type { StrategyResult } from '#libs/plugin-kit';
import { acceptingHosts, counted } from '../hosts/rows.ts';
import { createAllocationTarget, type TargetUtilization } from '../hosts/target-utilization.ts';
import type { BlockedTally } from '../report/blocked-tally.ts';
import { enableSleeping, explainMoves, finalMoves } from './explain-moves.ts';
import type { KnownUse } from './measured-use.ts';
import { relieveOverloaded } from './relieve-overloaded.ts';
import { createWorkspace } from './workspace.ts';

/** Input of a relief besides the measurements. */
export interface ReliefTask {
  /** Maximum allocations to which hosts are filled. */
  target: TargetUtilization;
  /** Value of the indicator `compute_nodes_count`. */
  computeNodes: number;
  /** Why an instance stays. Default: the reasons of the model. */
  immovable?(instance: number): string | null;
  blocked: BlockedTally;
}

/**
 * A plan that relieves hosts with lasting heat, for a consolidation that can empty none. Null when no relief is
 * possible. Then the model is unchanged.
 */
export function planRelief(
  model: WhatIf,
  { use, known }: Pick<KnownUse, 'use' | 'known'>,
  { target, computeNodes, immovable, blocked }: ReliefTask,
): StrategyResult | null {
  const active = acceptingHosts(model).length;
  const eligible = known.filter((host) => model.enabled[host] === 1);
  const space = createWorkspace(model, { use, target: createAllocationTarget(model, target), immovable }, eligible);
  const relief = relieveOverloaded(space, known, blocked);
  const moves = finalMoves(model, relief.relieved);
  if (moves.length === 0) return null;
  const woken = relief.enabled.filter((host) => model.instancesOn(host).length > 0);
  const { hostInfo, instanceInfo } = model.snapshot;
  return {
    actions: [
      ...woken.map((host, index) => enableSleeping(model, host, active + index)),
      ...explainMoves(space, moves),
    ],
    indicators: {
      compute_nodes_count: computeNodes,
      released_compute_nodes_count: 0,
      instance_migrations_count: moves.length,
    },
    report: {
      hosts: { considered: hostInfo.length, eligible: eligible.length },
      instances: {
        considered: instanceInfo.length,
        eligible: instanceInfo.filter((_, row) => model.immovable(row) === null).length,
      },
      blocked: blocked.counts(),
      emptyBecause: null,
      notes: [
        `${counted(relief.relieved.length, 'overloaded host')} relieved by ${counted(moves.length, 'migration')}, and ` +
          `${woken.length} enabled again`,
      ],
    },
  };
}
