import type { Action } from '#libs/client';
import type { MapLayout, Place } from '../../components/host-map/map-layout.ts';

/** A migrating instance. */
export interface MapMove {
  uuid: string;
  from: Place;
  /** Null: Nova selects the destination. */
  to: Place | null;
  /** Its current position. */
  at: Place;
}

type Moving = Pick<Action, 'uuid' | 'state' | 'action_type' | 'input_parameters'> & { progress?: number };

/** Running migrations, from the middle of a host to that of another. One without known progress is half way. */
export function movesOn(actions: readonly Moving[], { places, cell }: Pick<MapLayout, 'places' | 'cell'>): MapMove[] {
  const middleOf = (hostname: unknown): Place | null => {
    const place = typeof hostname === 'string' ? places.get(hostname) : undefined;
    return place ? { x: place.x + cell.width / 2, y: place.y + cell.height / 2 } : null;
  };
  return actions.flatMap((action) => {
    if (action.state !== 'ONGOING' && action.state !== 'CANCELLING') return [];
    const [source, destination] = endsOf(action);
    const [from, to] = [middleOf(source), middleOf(destination)];
    if (!from) return [];
    const part = action.progress ?? 0.5;
    const at = to ? { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part } : from;
    return [{ uuid: action.uuid, from, to, at }];
  });
}

/** Hosts of an action that moves an instance: source and destination. A revert has them swapped. */
function endsOf({ action_type: type, input_parameters: input }: Moving): [unknown, unknown] {
  const {
    source_node: source,
    destination_node: destination,
    input_parameters: undone,
  } = input as Record<string, unknown>;
  if (type !== 'revert') return [source, destination];
  if (typeof undone !== 'object' || undone === null) return [null, null];
  const former = undone as Record<string, unknown>;
  return [former.destination_node, former.source_node];
}
