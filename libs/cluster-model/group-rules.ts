import type { ComputeSnapshot, GroupInfo } from './compute-snapshot.ts';
import type { ConstraintName } from './what-if.ts';

/** Counts of group members per host, kept in step with moves. */
export interface GroupRules {
  refusal(instance: number, host: number): ConstraintName | null;
  /** Pairs of a soft group that the instance breaks on the host. */
  softCost(instance: number, host: number): number;
  /** A host of −1 is none. */
  moved(instance: number, from: number, to: number): void;
}

/**
 * Server group policies. Anti-affinity allows at most `maxServerPerHost` members on a host. Affinity allows a member
 * only beside another member: Nova's filter uses the current hosts of the group, so a group on one host stays there.
 * Soft policies refuse nothing and are counted in pairs.
 * @param hostOf host row of each instance now, read after each move
 */
export function createGroupRules(snapshot: ComputeSnapshot, hostOf: Int32Array): GroupRules {
  const { instances, groups } = snapshot;
  const counts = groups.map(() => new Map<number, number>());
  /** Members on any host. */
  const sizes = groups.map(() => 0);
  const isSoft = groups.map(({ policy }) => policy.startsWith('soft-'));

  function add(group: number, host: number, change: number): void {
    if (host < 0) return;
    const perHost = counts[group];
    perHost?.set(host, (perHost.get(host) ?? 0) + change);
  }

  for (let row = 0; row < instances.group.length; row++) {
    const group = instances.group[row] as number;
    const host = instances.host[row] as number;
    if (group < 0 || host < 0) continue;
    add(group, host, 1);
    sizes[group] = (sizes[group] as number) + 1;
  }

  return {
    refusal(instance, host) {
      const group = instances.group[instance] as number;
      if (group < 0) return null;
      const { policy, maxServerPerHost } = groups[group] as GroupInfo;
      const there = counts[group]?.get(host) ?? 0;
      if (policy === 'anti-affinity' && there >= maxServerPerHost) return 'anti-affinity';
      if (policy === 'affinity' && there === 0) return 'affinity';
      return null;
    },
    softCost(instance, host) {
      const group = instances.group[instance] as number;
      if (group < 0 || !isSoft[group]) return 0;
      const there = (counts[group]?.get(host) ?? 0) - Number(hostOf[instance] === host);
      return groups[group]?.policy === 'soft-affinity' ? (sizes[group] as number) - 1 - there : there;
    },
    moved(instance, from, to) {
      const group = instances.group[instance] as number;
      if (group < 0) return;
      add(group, from, -1);
      add(group, to, 1);
    },
  };
}
