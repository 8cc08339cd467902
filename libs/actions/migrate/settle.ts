import type { ActionContext } from '#libs/plugin-kit';
import { awaitStatus, type Direction, moveFailure, settleMove } from '../change/settle-move.ts';
import { ActionFailedError } from '../errors.ts';
import { judge } from './judgement.ts';
import { type MigrateInput, type MigrationTrace, observe } from './migration-trace.ts';

/**
 * Waits for the end of a migration that was requested, confirming a cold one, and verifies where the instance is.
 * @throws ActionFailedError with the evidence: status of the migration record, Nova's fault text, or the wrong host.
 */
export async function settle(
  context: ActionContext<MigrateInput>,
  trace: MigrationTrace,
  direction: Direction,
): Promise<boolean> {
  await settleMove(context, {
    direction,
    noun: 'migration',
    request: trace.type === 'live' ? 'live-migration' : 'migrate',
    observe: () => observe(context, trace),
    judge: (sighting) => judge(sighting, trace),
    noted: ({ record }) => ({ destination: record?.destHost ?? null }),
    failure: (evidence) => failure(context, evidence),
  });
  if (trace.type === 'cold') await awaitStatus(context, trace.former_status, 'cold migration');
  return true;
}

function failure(context: ActionContext<MigrateInput>, evidence: string): ActionFailedError {
  if (evidence === 'The instance could not be found') {
    return new ActionFailedError(`The instance '${context.input.resource_id}' could not be found`);
  }
  return moveFailure(context, evidence);
}
