import type { Move } from '../../api/find-types.ts';

/** The migration that moved an instance to its host. */
interface Arrival {
  /** Null: no plan moved it here. */
  move: Move | null;
  /**
   * `still`: the migration moved it to its current host. `by Nova`: Nova selected the host. `moved on`: it has left
   * that host since. `never`: no migration moved it.
   */
  since: 'still' | 'by Nova' | 'moved on' | 'never';
}

/** The last migration of an instance to its current host, from its history, newest first. */
export function lastMove(moves: readonly Move[], hostname: string | null): Arrival {
  const last = moves.find(({ state }) => state === 'SUCCEEDED');
  if (!last) return { move: null, since: 'never' };
  if (last.to === null)
    return last.from === hostname ? { move: null, since: 'moved on' } : { move: last, since: 'by Nova' };
  return last.to === hostname ? { move: last, since: 'still' } : { move: null, since: 'moved on' };
}
