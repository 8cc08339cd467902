import type { ComputeSnapshot } from '#libs/cluster-model';
import type { FinishedMove } from './finished-moves.ts';

/** The part of a model that is rewound. */
type RewoundSnapshot = Pick<ComputeSnapshot, 'instances' | 'instanceInfo' | 'hostInfo'>;

/** Place of an instance on a host that has left the cloud, or that Nova does not name. */
export const goneHost = -2;

/** Placements at a past time, as far as they are known. */
export interface PastPlacement {
  /**
   * Row of the host of each instance at that time. −1: the instance did not exist or had no host. `goneHost`: its host
   * has left the cloud or is unknown.
   */
  host: Int32Array;
  /** Number of moves since then of instances that still exist. */
  moves: number;
  /** Number of existing instances that were created since then. */
  createdSince: number;
  /** Number of instances on a host that has left the cloud or that Nova does not name. */
  hostGone: number;
  /** Number of instances without a host now and without a move since then: shelved, or never placed. */
  withoutHost: number;
  /** Number of instances that were moved since then and no longer exist. Other deleted instances leave no record. */
  deletedSince: number;
  /** Number of instances that were moved by a resize since then. They have their current size. */
  resizedSince: number;
}

/**
 * Reverts finished moves from a snapshot. An instance was on the source of its first move since then, or else on its
 * current host. Moves may be in any order.
 * @param atMs time, milliseconds since 1970
 */
export function rewind(snapshot: RewoundSnapshot, moves: Iterable<FinishedMove>, atMs: number): PastPlacement {
  const { hostRows, instanceRows, createdMs } = rowsOf(snapshot);
  const since = [...moves].filter((move) => move.atMs > atMs);
  const first = firstMoves(since);
  const resized = new Set(since.filter(({ isResize }) => isResize).map(({ instance }) => instance));
  const host = snapshot.instances.host.slice();
  const found: PastPlacement = {
    host,
    moves: since.filter(({ instance }) => instanceRows.has(instance)).length,
    deletedSince: [...first.keys()].filter((uuid) => !instanceRows.has(uuid)).length,
    ...{ createdSince: 0, hostGone: 0, withoutHost: 0, resizedSince: 0 },
  };
  for (const [uuid, move] of first) {
    const row = instanceRows.get(uuid);
    if (row === undefined || (createdMs[row] as number) > atMs) continue;
    host[row] = hostRows.get(move.from ?? '') ?? goneHost;
    if (resized.has(uuid)) found.resizedSince += 1;
  }
  for (let row = 0; row < host.length; row++) {
    if ((createdMs[row] as number) > atMs) {
      found.createdSince += 1;
      host[row] = -1;
    } else if (host[row] === -1) found.withoutHost += 1;
    else if (host[row] === goneHost) found.hostGone += 1;
  }
  return found;
}

interface Rows {
  hostRows: ReadonlyMap<string, number>;
  instanceRows: ReadonlyMap<string, number>;
  /** Creation of each instance, milliseconds since 1970. NaN when it is not known. */
  createdMs: Float64Array;
}

/** Of each model, because a slider of times sends many requests to one. */
const rows = new WeakMap<object, Rows>();

function rowsOf(snapshot: RewoundSnapshot): Rows {
  const { hostInfo, instanceInfo } = snapshot;
  const made = rows.get(snapshot) ?? {
    hostRows: new Map(hostInfo.map(({ hostname }, row) => [hostname, row])),
    instanceRows: new Map(instanceInfo.map(({ uuid }, row) => [uuid, row])),
    createdMs: Float64Array.from(instanceInfo, ({ created }) => Date.parse(created)),
  };
  rows.set(snapshot, made);
  return made;
}

/** The earliest move of each instance. */
function firstMoves(moves: readonly FinishedMove[]): ReadonlyMap<string, FinishedMove> {
  const first = new Map<string, FinishedMove>();
  for (const move of moves) {
    const known = first.get(move.instance);
    if (known === undefined || move.atMs < known.atMs) first.set(move.instance, move);
  }
  return first;
}
