import type { Action } from '#libs/client';
import type { MapLayout, Place } from '../../components/host-map/map-layout.ts';

/** A migrating instance. */
export interface MapMove {
  uuid: string;
  /** SVG path from host to host. Null: Nova selects the destination. */
  path: string | null;
  /** Its current position on the path. */
  at: Place;
}

/** Depth of the arc between two hosts of one row in pixels: more between distant hosts, so that arcs do not overlap. */
const arc = { least: 8, most: 22, perPixel: 1 / 20 };

type Moving = Pick<Action, 'uuid' | 'state' | 'action_type' | 'input_parameters'> & { progress?: number };

/**
 * Running migrations, from the middle of a host to that of another. Between hosts of one row they follow an arc below
 * the row, which leaves its names readable. One without known progress is half way.
 */
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
    return [{ uuid: action.uuid, ...(to ? along(from, to, part, cell.height / 2) : { path: null, at: from }) }];
  });
}

/**
 * The path between two hosts, and the place at a part of it, by the formula of a quadratic Bézier curve.
 * @param toEdge from the middle of a host to its lower edge, in pixels
 */
function along(from: Place, to: Place, part: number, toEdge: number): Pick<MapMove, 'path' | 'at'> {
  const depth = Math.min(arc.most, arc.least + Math.abs(to.x - from.x) * arc.perPixel);
  const [below, bend] = from.y === to.y ? [toEdge, 2 * depth] : [0, 0];
  const [start, end] = [from.y + below, to.y + below];
  const middle = { x: (from.x + to.x) / 2, y: (start + end) / 2 + bend };
  const rest = 1 - part;
  const y = rest * rest * start + 2 * rest * part * middle.y + part * part * end;
  return {
    path: `M${from.x} ${start} Q${middle.x} ${middle.y} ${to.x} ${end}`,
    at: { x: from.x + (to.x - from.x) * part, y },
  };
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
