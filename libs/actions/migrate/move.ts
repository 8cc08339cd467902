import { moveRefusal } from '#libs/domain';
import type { Server, TakenRequest } from '#libs/openstack';
import type { ActionContext } from '#libs/plugin-kit';
import type { Direction } from '../change/change.ts';
import { ActionFailedError } from '../errors.ts';
import { type MigrateInput, type MigrationTrace, startTrace } from './migration-trace.ts';
import { migrationOf } from './server-migration.ts';

/**
 * Moves the instance to `destination` (null: Nova's scheduler chooses) and waits for the proof. Idempotent: an
 * instance on the destination counts as moved, and a journalled request is only repeated when the cloud shows no trace
 * of it.
 */
export async function move(
  context: ActionContext<MigrateInput>,
  direction: Direction,
  destination: string | null,
): Promise<boolean> {
  const migration = migrationOf(context, direction);
  const known = await migration.visibleTrace();
  if (known) return migration.settle(known);
  const server = await context.cloud.compute.getServer(context.input.resource_id);
  if (!server) throw new ActionFailedError(`The instance '${context.input.resource_id}' could not be found`);
  if (isThere(server, destination)) return true;
  const trace = await startTrace(context, server, { type: typeFor(context, direction, server), destination });
  return migration.sendAndSettle(trace, () => request(context, trace));
}

function request(context: ActionContext<MigrateInput>, trace: MigrationTrace): Promise<TakenRequest> {
  const { compute } = context.cloud;
  return trace.type === 'live'
    ? compute.liveMigrate(context.input.resource_id, trace.destination)
    : compute.coldMigrate(context.input.resource_id, trace.destination);
}

/** The revert is a cold migration when Nova can no longer move the instance live, for example after it was stopped. */
function typeFor(context: ActionContext<MigrateInput>, direction: Direction, server: Server): 'live' | 'cold' {
  const wanted = context.input.migration_type;
  return direction === 'backward' && wanted === 'live' && moveRefusal('live', server) !== null ? 'cold' : wanted;
}

function isThere(server: Server, destination: string | null): boolean {
  const settled = server.taskState === null && !['VERIFY_RESIZE', 'ERROR'].includes(server.status);
  return destination !== null && server.host === destination && settled;
}
