import type { ActionContext } from '#libs/plugin-kit';
import type { Direction } from '../change/change.ts';
import { type MoveKind, moveFailure, openMove, type ServerMove } from '../change/server-move.ts';
import { ActionFailedError } from '../errors.ts';
import { judge } from './judgement.ts';
import { isTraced, type MigrateInput, type MigrationTrace, readTrace, recordType } from './migration-trace.ts';

const migration: MoveKind<MigrateInput, MigrationTrace> = {
  noun: 'migration',
  read: readTrace,
  isTraced: (record, trace) => record.type === recordType[trace.type] && isTraced(record, trace),
  judge,
  request: ({ type }) => (type === 'live' ? 'live-migration' : 'migrate'),
  noted: ({ destHost }) => ({ destination: destHost }),
  failure(context, evidence) {
    if (evidence !== 'The instance could not be found') return moveFailure(context, evidence);
    return new ActionFailedError(`The instance '${context.input.resource_id}' could not be found`);
  },
  statusNoun: ({ type }) => (type === 'cold' ? 'cold migration' : null),
};

/** The migration that an action makes in `direction`. */
export function migrationOf(context: ActionContext<MigrateInput>, direction: Direction): ServerMove<MigrationTrace> {
  return openMove(context, direction, migration);
}
