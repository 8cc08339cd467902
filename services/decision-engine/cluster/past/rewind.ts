import type { ComputeSnapshot } from '#libs/cluster-model';
import type { FinishedMove } from './finished-moves.ts';

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
export function rewind(
  { instances, instanceInfo, hostInfo }: Pick<ComputeSnapshot, 'instances' | 'instanceInfo' | 'hostInfo'>,
  moves: Iterable<FinishedMove>,
  atMs: number,
): PastPlacement {
  const hostRows = new Map(hostInfo.map(({ hostname }, row) => [hostname, row]));
  const since = [...moves].filter((move) => move.atMs > atMs);
  const first = firstMoves(since);
  const resized = new Set(since.filter(({ isResize }) => isResize).map(({ instance }) => instance));
  const existing = new Set(instanceInfo.map(({ uuid }) => uuid));
  const found: PastPlacement = {
    host: instances.host.slice(),
    moves: since.filter(({ instance }) => existing.has(instance)).length,
    deletedSince: [...first.keys()].filter((uuid) => !existing.has(uuid)).length,
    ...{ createdSince: 0, hostGone: 0, withoutHost: 0, resizedSince: 0 },
  };
  for (const [row, { uuid, created }] of instanceInfo.entries()) {
    if (Date.parse(created) > atMs) {
      found.createdSince += 1;
      found.host[row] = -1;
      continue;
    }
    const move = first.get(uuid);
    if (resized.has(uuid)) found.resizedSince += 1;
    if (move !== undefined) found.host[row] = hostRows.get(move.from ?? '') ?? goneHost;
    if (found.host[row] === -1) found.withoutHost += 1;
    if (found.host[row] === goneHost) found.hostGone += 1;
  }
  return found;
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
