import type { WhatIf } from '#libs/cluster-model';
import { type ActionReason, type BeforeAfter, counted } from '#libs/domain';
import type { ProposedAction } from '#libs/plugin-kit';
import { hostAt, instanceAt, instanceLabel, shortNumber } from '../hosts/rows.ts';
import { disableFreedAction, enableAction, freedReason, migrateAction, migrationTypeOf } from '../moves/actions.ts';
import { type Choice, rejectedAlternatives, type Workspace } from './workspace.ts';

/** One move of the plan: the first and the final host of an instance. */
export interface FinalMove {
  instance: number;
  from: number;
  to: number;
}

/** The moves from the snapshot to the model. An instance that was moved twice has one move. */
export function finalMoves(model: WhatIf, sourcesInOrder: readonly number[]): FinalMove[] {
  const rank = new Map(sourcesInOrder.map((host, index) => [host, index]));
  const { host: original } = model.snapshot.instances;
  const moves: FinalMove[] = [];
  original.forEach((from, instance) => {
    const to = model.hostOf[instance] as number;
    if (from !== to) moves.push({ instance, from, to });
  });
  return moves.sort((a, b) => (rank.get(a.from) ?? -1) - (rank.get(b.from) ?? -1) || a.instance - b.instance);
}

function hostValues(space: Workspace, host: number): [quantity: string, unit: string, value: number][] {
  const used = space.model.used(host);
  return [
    ['vcpus_allocated', '', used.vcpus],
    ['memory_allocated', 'MB', used.memory],
    ['cpu_used', 'vcpus', space.use.hostCpu(host)],
  ];
}

function summaryOf(space: Workspace, move: FinalMove, choice: Choice, values: BeforeAfter[]): string {
  const { snapshot } = space.model;
  const name = instanceLabel(instanceAt(snapshot, move.instance));
  const [from, to] = [hostAt(snapshot, move.from).hostname, hostAt(snapshot, move.to).hostname];
  const arrival = values.find(({ subject, quantity }) => subject === to && quantity === 'vcpus_allocated');
  const filled =
    `${to} then has ${shortNumber(arrival?.after ?? 0)} of ` +
    `${shortNumber(space.model.capacity(move.to).vcpus)} vcpus allocated`;
  if (choice.rule === 'empty-host') {
    return `Moving ${name} to ${to} helps to empty ${from}, which keeps ${counted(space.model.instancesOn(move.from).length, 'instance')}; ${filled}.`;
  }
  const cpu = values.find(({ subject, quantity }) => subject === from && quantity === 'cpu_used');
  return (
    `${from} uses ${shortNumber(cpu?.before ?? 0)} of ${shortNumber(space.use.cpuCapacity(move.from))} physical CPUs; ` +
    `moving ${name} to ${to} takes it to ${shortNumber(cpu?.after ?? 0)}, and ${filled}.`
  );
}

/** Applies one move of the plan to a workspace in the state before it, and explains it. */
function migrateWithReason(space: Workspace, move: FinalMove, choice: Choice): ProposedAction {
  const { snapshot } = space.model;
  const hosts = [move.from, move.to];
  const before = hosts.map((host) => hostValues(space, host));
  space.move(move.instance, move.to, choice);
  const values = hosts.flatMap((host, index) =>
    hostValues(space, host).map(([quantity, unit, after], row): BeforeAfter => {
      const was = before[index]?.[row]?.[2] ?? after;
      return { quantity, subject: hostAt(snapshot, host).hostname, unit, before: was, after };
    }),
  );
  const reason: ActionReason = {
    rule: choice.rule,
    summary: summaryOf(space, move, choice, values),
    values,
    rejected: rejectedAlternatives(space, choice.found),
  };
  const [source, destination] = [hostAt(snapshot, move.from), hostAt(snapshot, move.to)];
  const type = migrationTypeOf(snapshot, move.instance);
  return migrateAction(instanceAt(snapshot, move.instance), type, source, destination, reason);
}

/** Reverts all moves and applies the final ones in their order, so that each reason has the numbers of its time. */
export function explainMoves(space: Workspace, moves: FinalMove[]): ProposedAction[] {
  space.undoTo(0);
  return moves.flatMap((move) => {
    const choice = space.choices.get(move.instance);
    return choice === undefined ? [] : migrateWithReason(space, move, choice);
  });
}

/** Disables a freed host. `activeBefore`: number of enabled hosts before it. */
export function disableFreed(model: WhatIf, host: number, moved: number, activeBefore: number): ProposedAction {
  const info = hostAt(model.snapshot, host);
  const why = moved === 0 ? 'is empty already' : `is empty after ${counted(moved, 'migration')}`;
  return disableFreedAction(info, freedReason, {
    rule: 'disable-empty-host',
    summary: `${info.hostname} ${why}; without it ${activeBefore - 1} of ${activeBefore} hosts stay in use.`,
    values: [
      { quantity: 'enabled', subject: info.hostname, unit: '', before: 1, after: 0 },
      { quantity: 'enabled_hosts', subject: 'cluster', unit: '', before: activeBefore, after: activeBefore - 1 },
    ],
    rejected: [],
  });
}

/** Enables a host that an earlier consolidation disabled. */
export function enableSleeping(model: WhatIf, host: number, activeBefore: number): ProposedAction {
  const info = hostAt(model.snapshot, host);
  return enableAction(info, {
    rule: 'enable-for-overload',
    summary: `No enabled host has room for the excess of an overloaded one; ${info.hostname} was disabled to save it and is used again.`,
    values: [
      { quantity: 'enabled', subject: info.hostname, unit: '', before: 0, after: 1 },
      { quantity: 'enabled_hosts', subject: 'cluster', unit: '', before: activeBefore, after: activeBefore + 1 },
    ],
    rejected: [],
  });
}
