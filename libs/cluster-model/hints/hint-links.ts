import type { ComputeSnapshot } from '../compute-snapshot.ts';

/** An instance with the hint `same_host`, and those of the snapshot that it names. */
export interface SameHostLink {
  instance: number;
  /** Rows. Empty when none of the named instances is in the snapshot: Nova then admits no host. */
  named: readonly number[];
}

/** Instances that hints bind to each other, by row. Both ends of a hint are bound. */
export interface HintLinks {
  /** Pairs that may not share a host. */
  apart: readonly (readonly [number, number])[];
  together: readonly SameHostLink[];
  /** All rows of the above. */
  involved: ReadonlySet<number>;
}

type SnapshotPart = Pick<ComputeSnapshot, 'instanceInfo'>;

const none: HintLinks = { apart: [], together: [], involved: new Set() };

/** A snapshot is frozen, and several views are made of it in one audit. */
const known = new WeakMap<SnapshotPart['instanceInfo'], HintLinks>();

/** The links of a snapshot. Names of instances that are not in it link nothing. */
export function createHintLinks({ instanceInfo }: SnapshotPart): HintLinks {
  const made = known.get(instanceInfo) ?? readLinks(instanceInfo);
  known.set(instanceInfo, made);
  return made;
}

function readLinks(instanceInfo: SnapshotPart['instanceInfo']): HintLinks {
  if (instanceInfo.every(({ hints }) => hints === undefined)) return none;
  const rows = new Map(instanceInfo.map(({ uuid }, row) => [uuid, row]));
  const rowsOf = (uuids: readonly string[], instance: number) =>
    [...new Set(uuids)].flatMap((uuid) => rows.get(uuid) ?? []).filter((row) => row !== instance);
  const apart = new Map<string, readonly [number, number]>();
  const together: SameHostLink[] = [];
  for (const [instance, { hints = {} }] of instanceInfo.entries()) {
    for (const other of rowsOf(hints.differentHost ?? [], instance)) {
      const pair = [Math.min(instance, other), Math.max(instance, other)] as const;
      apart.set(pair.join(), pair);
    }
    if (hints.sameHost) together.push({ instance, named: rowsOf(hints.sameHost, instance) });
  }
  const linked = [...apart.values(), ...together.map(({ instance, named }) => [instance, ...named])];
  return { apart: [...apart.values()], together, involved: new Set(linked.flat()) };
}
