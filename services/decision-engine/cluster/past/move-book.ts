import { clusterPastDays } from '#libs/messaging';
import type { Cloud, Migration } from '#libs/openstack';
import { type FinishedMove, finishedMove } from './finished-moves.ts';

/** Reads of the cloud for past placements. */
export interface PastCloud {
  compute: Pick<Cloud['compute'], 'listMigrationsSince'>;
}

/** The finished moves of the last weeks, from the migrations of Nova. */
export interface MoveBook {
  /**
   * Reads the migrations since a time, or only those that changed after the last read. Calls run sequentially.
   * @throws OpenStackError when Nova does not list them, and Error when there are too many
   */
  read(sinceMs: number, nowMs: number): Promise<void>;
  /** The known moves, unordered. */
  list(): FinishedMove[];
}

/** Covers clock differences and late commits of Nova. Migrations within this time are read again. */
const overlapMs = 600_000;
const longestMs = (clusterPastDays + 1) * 86_400_000;
/** The book takes at most about 50 MB. */
const mostMoves = 200_000;

/** Creates an empty book. */
export function createMoveBook(compute: PastCloud['compute']): MoveBook {
  let moves = new Map<string, FinishedMove>();
  let known: { sinceMs: number; readAtMs: number } | null = null;
  let last: Promise<void> = Promise.resolve();

  async function read(sinceMs: number, nowMs: number): Promise<void> {
    const before = known !== null && known.sinceMs <= sinceMs ? known : null;
    const from = before === null ? sinceMs : Math.max(before.sinceMs, before.readAtMs - overlapMs);
    const listed = await compute.listMigrationsSince(from);
    const next = merged(before === null ? new Map() : moves, listed, nowMs - longestMs);
    if (next.size > mostMoves) {
      [moves, known] = [new Map(), null];
      throw new Error(`Nova has more than ${mostMoves} moves since then: choose a later moment`);
    }
    moves = next;
    known = { sinceMs: before?.sinceMs ?? sinceMs, readAtMs: nowMs };
  }

  return {
    read(sinceMs, nowMs) {
      last = last.catch(() => undefined).then(() => read(sinceMs, nowMs));
      return last;
    },
    list: () => [...moves.values()],
  };
}

/** Merges newly read migrations into the moves by uuid of the migration, and drops those before `oldestMs`. */
function merged(
  moves: ReadonlyMap<string, FinishedMove>,
  listed: readonly Migration[],
  oldestMs: number,
): Map<string, FinishedMove> {
  const next = new Map(moves);
  for (const migration of listed) {
    const move = finishedMove(migration);
    if (move === null) next.delete(migration.uuid);
    else next.set(migration.uuid, move);
  }
  for (const [uuid, { atMs }] of next) if (atMs < oldestMs) next.delete(uuid);
  return next;
}
