import type { Move } from '../../api/find-types.ts';

/** The move that brought an instance to its host. */
interface Arrival {
  /** Null: no plan brought it here. */
  move: Move | null;
  /**
   * `still`: it is where the move brought it. `by Nova`: Nova chose where. `moved on`: it has left since. `never`:
   * nothing moved it.
   */
  since: 'still' | 'by Nova' | 'moved on' | 'never';
}

/** How an instance came to the host that it is on, from its moves, newest first. */
export function lastMove(moves: readonly Move[], hostname: string | null): Arrival {
  const last = moves.find(({ state }) => state === 'SUCCEEDED');
  if (!last) return { move: null, since: 'never' };
  if (last.to === null)
    return last.from === hostname ? { move: null, since: 'moved on' } : { move: last, since: 'by Nova' };
  return last.to === hostname ? { move: last, since: 'still' } : { move: null, since: 'moved on' };
}
