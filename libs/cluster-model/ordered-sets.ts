import type { ComputeSnapshot } from './compute-snapshot.ts';
import { createHintLinks } from './hints/hint-links.ts';
import { keepsSameHost, sameHostLinks } from './hints/hint-rules.ts';

/**
 * Sets of instances whose moves are admitted in certain orders only: affinity groups, strict rules that keep instances
 * together, and instances that hints bind to the same host.
 */
export interface OrderedSets {
  /** Sets that an instance belongs to, by number. */
  of(instance: number): readonly number[];
  /** Number of instances that belong to any. */
  size: number;
  /** Starts to count from the places of the snapshot. */
  count(): OrderedSetsCount;
}

/** Where the members are while they move. */
export interface OrderedSetsCount {
  /** Host row of an instance now. */
  hostOf(instance: number): number;
  /** Whether the sets of the instance admit it on the host now, regardless of other constraints. */
  admit(instance: number, host: number): boolean;
  move(instance: number, host: number): void;
}

type SnapshotPart = Pick<ComputeSnapshot, 'instances' | 'instanceInfo' | 'groups' | 'rules'>;

function membersOf(snapshot: SnapshotPart): Map<number, number[]> {
  const { instances, groups, rules = [] } = snapshot;
  const setsOf = new Map<number, number[]>();
  const add = (row: number, set: number) => {
    const known = setsOf.get(row);
    if (known === undefined) setsOf.set(row, [set]);
    else known.push(set);
  };
  instances.group.forEach((group, row) => {
    if (groups[group]?.policy === 'affinity') add(row, group);
  });
  for (const [index, { kind, isStrict, instances: rows }] of rules.entries())
    if (kind === 'keep_together' && isStrict) for (const row of rows) add(row, groups.length + index);
  for (const [index, { instance, named }] of createHintLinks(snapshot).together.entries())
    for (const row of [instance, ...named]) add(row, groups.length + rules.length + index);
  return setsOf;
}

/** The ordered sets of a snapshot: groups, then rules, then hints. */
export function createOrderedSets(snapshot: SnapshotPart): OrderedSets {
  const setsOf = membersOf(snapshot);
  const of = (instance: number) => setsOf.get(instance) ?? [];
  const links = sameHostLinks(snapshot);
  const firstHint = snapshot.groups.length + (snapshot.rules ?? []).length;

  function count(): OrderedSetsCount {
    const hosts = new Map<number, number>();
    const hostOf = (instance: number) => hosts.get(instance) ?? (snapshot.instances.host[instance] as number);
    const members = new Map<string, number>();
    const on = (set: number, host: number) => members.get(`${set} ${host}`) ?? 0;
    const add = (set: number, host: number, change: number) => members.set(`${set} ${host}`, on(set, host) + change);
    for (const [instance, sets] of setsOf) for (const set of sets) add(set, hostOf(instance), 1);
    return {
      hostOf,
      admit(instance, host) {
        const here = hostOf(instance);
        // A group requires one member there. A rule requires as many as remain at the source.
        const least = (set: number) => (set < snapshot.groups.length ? 1 : on(set, here) - 1);
        if (here === host) return true;
        const isKept = of(instance).every((set) => set >= firstHint || on(set, host) >= least(set));
        return isKept && keepsSameHost(links.get(instance) ?? [], instance, host, { hostOf });
      },
      move(instance, host) {
        for (const set of of(instance)) {
          add(set, hostOf(instance), -1);
          add(set, host, 1);
        }
        hosts.set(instance, host);
      },
    };
  }

  return { of, size: setsOf.size, count };
}
