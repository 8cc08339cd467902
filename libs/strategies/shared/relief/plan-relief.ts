import type { WhatIf } from '#libs/cluster-model';
import { counted } from '#libs/domain';
import type { ProposedAction } from '#libs/plugin-kit';
import { acceptingHosts } from '../hosts/rows.ts';
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
  /** Hosts of each failure domain that may fail simultaneously. Destinations that keep this reserve are preferred. */
  failureReserve: number;
  /** Why an instance stays. Default: the reasons of the model. */
  immovable?(instance: number): string | null;
  /** Maximum migrations. Default: no limit. */
  mostMoves?: number;
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
  note: string;
}

/** Applies a planned relief to a model in the state before it. */
export function applyRelief(model: WhatIf, { moves, woken }: PlannedRelief): WhatIf {
  for (const host of woken) model.setEnabled(host, true);
  for (const { instance, to } of moves) model.move(instance, to);
  return model;
}

/** Reverts a planned relief in model and measurements. */
export function revertRelief(model: WhatIf, use: KnownUse['use'], { moves, woken }: PlannedRelief): void {
  for (const { instance, from, to } of moves) {
    model.move(instance, from);
    use.moved(instance, to, from);
  }
  for (const host of woken) model.setEnabled(host, false);
}

/** Relieves hosts with lasting heat in model and measurements. Null, and no change, when it moves nothing. */
export function relieveHot(
  model: WhatIf,
  { use, known }: Pick<KnownUse, 'use' | 'known'>,
  { target, failureReserve, immovable, mostMoves, blocked }: ReliefTask,
): PlannedRelief | null {
  const active = acceptingHosts(model).length;
  const eligible = known.filter((host) => model.enabled[host] === 1);
  const space = createWorkspace(model, { use, target: createAllocationTarget(model, target), immovable }, eligible);
  const relief = relieveOverloaded(space, known, blocked, { failureReserve, mostMoves });
  const moves = finalMoves(model, relief.relieved);
  if (moves.length === 0) return null;
  const woken = relief.enabled.filter((host) => model.instancesOn(host).length > 0);
  for (const host of relief.enabled) if (!woken.includes(host)) model.setEnabled(host, false);
  return {
    actions: [
      ...woken.map((host, index) => enableSleeping(model, host, active + index)),
      ...explainMoves(space, moves),
    ],
    ...{ moves, woken },
    relieved: new Set(relief.relieved),
    hosts: new Set([...relief.relieved, ...moves.map(({ to }) => to)]),
    note:
      `${counted(relief.relieved.length, 'overloaded host', ['is', 'are'])} relieved by ${counted(moves.length, 'migration')}, and ` +
      `${woken.length} enabled again`,
  };
}
