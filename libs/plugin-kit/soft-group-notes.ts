import type { ComputeSnapshot, WhatIf } from '#libs/cluster-model';
import { movingActionTypes } from '#libs/domain';
import type { ProposedAction } from './strategy.ts';

/** Pairs that break the soft server groups among the given ones, with instances on their given hosts. */
function brokenPairs({ instances, groups }: ComputeSnapshot, chosen: ReadonlySet<number>, hostOf: Int32Array): number {
  const members = new Map<number, Map<number, number>>();
  hostOf.forEach((host, row) => {
    const group = instances.group[row] as number;
    if (host < 0 || !chosen.has(group)) return;
    const perHost = members.get(group) ?? new Map<number, number>();
    members.set(group, perHost.set(host, (perHost.get(host) ?? 0) + 1));
  });
  const pairs = (count: number) => (count * (count - 1)) / 2;
  let broken = 0;
  for (const [group, perHost] of members) {
    const counts = [...perHost.values()];
    const together = counts.reduce((sum, count) => sum + pairs(count), 0);
    const all = pairs(counts.reduce((sum, count) => sum + count, 0));
    broken += groups[group]?.policy === 'soft-affinity' ? all - together : together;
  }
  return broken;
}

function isSoft({ groups }: ComputeSnapshot, group: number): boolean {
  return groups[group]?.policy.startsWith('soft-') ?? false;
}

/**
 * Effect of a plan on soft server groups, for the report of an audit. Nothing when no instance of one moves. Pairs
 * together on a host count for soft-anti-affinity, pairs apart for soft-affinity. Migrations whose destination Nova
 * chooses do not count: its weigher keeps to the groups as well.
 */
export function softGroupNotes(
  { snapshot, hostRow, instanceRow }: Pick<WhatIf, 'snapshot' | 'hostRow' | 'instanceRow'>,
  actions: readonly ProposedAction[],
): string[] {
  if (!snapshot.groups.some((_, row) => isSoft(snapshot, row))) return [];
  const hostOf = snapshot.instances.host.slice();
  const groups = new Set<number>();
  for (const { actionType, inputParameters: input } of actions) {
    if (!movingActionTypes.includes(actionType)) continue;
    const instance = instanceRow(String(input.resource_id));
    const to = hostRow(String(input.destination_node));
    if (instance === undefined || to === undefined) continue;
    hostOf[instance] = to;
    const group = snapshot.instances.group[instance] as number;
    if (isSoft(snapshot, group)) groups.add(group);
  }
  if (groups.size === 0) return [];
  const before = brokenPairs(snapshot, groups, snapshot.instances.host);
  const after = brokenPairs(snapshot, groups, hostOf);
  const verdict = after > before ? `${after - before} more than before` : 'all that held are kept';
  return [
    `soft server groups with instances that move: ${groups.size}; broken pairs: ${before} before the plan, ` +
      `${after} after it (${verdict})`,
  ];
}
