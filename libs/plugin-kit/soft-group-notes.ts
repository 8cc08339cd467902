import { type ComputeSnapshot, createWhatIf, type WhatIf } from '#libs/cluster-model';
import { movingActionTypes } from '#libs/domain';
import type { ProposedAction } from './strategy.ts';

/** Pairs that break soft server groups, over the members of the given groups. */
function brokenPairs(model: WhatIf, groups: ReadonlySet<number>): number {
  const { group } = model.snapshot.instances;
  let twice = 0;
  model.hostOf.forEach((host, row) => {
    if (host >= 0 && groups.has(group[row] as number)) twice += model.softCost(row, host);
  });
  return twice / 2;
}

function isSoft({ groups }: ComputeSnapshot, group: number): boolean {
  return groups[group]?.policy.startsWith('soft-') ?? false;
}

/**
 * What a plan does to soft server groups, for the report of an audit; nothing when no instance of one moves. Pairs together on
 * a host count for soft-anti-affinity, pairs apart for soft-affinity. Migrations whose destination Nova chooses do not count: its
 * weigher keeps to the groups as well.
 */
export function softGroupNotes(snapshot: ComputeSnapshot, actions: readonly ProposedAction[]): string[] {
  if (!snapshot.groups.some((_, row) => isSoft(snapshot, row))) return [];
  const model = createWhatIf(snapshot);
  const groups = new Set<number>();
  const moves: { instance: number; to: number }[] = [];
  for (const { actionType, inputParameters: input } of actions) {
    const instance = movingActionTypes.includes(actionType) ? model.instanceRow(String(input.resource_id)) : undefined;
    const to = model.hostRow(String(input.destination_node));
    if (instance === undefined || to === undefined) continue;
    moves.push({ instance, to });
    const group = snapshot.instances.group[instance] as number;
    if (isSoft(snapshot, group)) groups.add(group);
  }
  if (groups.size === 0) return [];
  const before = brokenPairs(model, groups);
  for (const { instance, to } of moves) model.move(instance, to);
  const after = brokenPairs(model, groups);
  const verdict = after > before ? `${after - before} more are broken` : 'all that held are kept';
  return [
    `soft server groups: ${groups.size} with instances that move; ${before} of their pairs are broken before the plan and ` +
      `${after} after it (${verdict})`,
  ];
}
