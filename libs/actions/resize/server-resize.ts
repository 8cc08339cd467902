import type { ActionContext } from '#libs/plugin-kit';
import type { Direction } from '../change/change.ts';
import { isMarked } from '../change/move-record.ts';
import { type MoveKind, openMove, type ServerMove } from '../change/server-move.ts';
import { judge } from './judgement.ts';
import { type ResizeInput, type ResizeTrace, readTrace } from './resize-trace.ts';

const resizing: MoveKind<ResizeInput, ResizeTrace> = {
  noun: 'resize',
  read: readTrace,
  isTraced: (record, trace) => record.type === 'resize' && isMarked(record, trace),
  judge,
  request: () => 'resize',
  statusNoun: () => 'resize',
};

/** The change of the flavor that an action makes in `direction`. */
export function resizeOf(context: ActionContext<ResizeInput>, direction: Direction): ServerMove<ResizeTrace> {
  return openMove(context, direction, resizing);
}
