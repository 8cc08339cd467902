import { moveRefusal } from '#libs/domain';
import type { Server, TakenRequest } from '#libs/openstack';
import type { ActionContext } from '#libs/plugin-kit';
import { sendOnce } from '../change/send-once.ts';
import type { Direction } from '../change/settle-move.ts';
import { ActionFailedError } from '../errors.ts';
import { judge } from './judgement.ts';
import { type MigrateInput, type MigrationTrace, observe, startTrace, traceOf } from './migration-trace.ts';
import { settle } from './settle.ts';

/**
 * Moves the instance to `destination` (null: Nova's scheduler chooses) and waits until that is proven. Safe to be
 * called again: an instance that is there already counts as moved, and a journalled request is not sent a second time
 * unless the cloud shows no sign of it.
 */
export async function move(
  context: ActionContext<MigrateInput>,
  direction: Direction,
  destination: string | null,
): Promise<boolean> {
  const asked = traceOf(context, direction);
  if (asked && judge(await observe(context, asked), asked).kind !== 'idle') return settle(context, asked, direction);
  const server = await context.cloud.compute.getServer(context.input.resource_id);
  if (!server) throw new ActionFailedError(`The instance '${context.input.resource_id}' could not be found`);
  if (isThere(server, destination)) return true;
  const fresh = await startTrace(context, server, { type: typeFor(context, direction, server), destination });
  // A request of an earlier attempt may still come. Its record counts as well.
  const trace = asked ? { ...fresh, after_migration_id: asked.after_migration_id } : fresh;
  await sendOnce(context, {
    slot: direction,
    intent: trace,
    send: () => request(context, trace),
    tookEffect: async () => judge(await observe(context, trace), trace).kind !== 'idle',
  });
  return settle(context, trace, direction);
}

function request(context: ActionContext<MigrateInput>, trace: MigrationTrace): Promise<TakenRequest> {
  const { compute } = context.cloud;
  return trace.type === 'live'
    ? compute.liveMigrate(context.input.resource_id, trace.destination)
    : compute.coldMigrate(context.input.resource_id, trace.destination);
}

/** The way back is cold for an instance that Nova does not move live any more, such as one that was stopped since. */
function typeFor(context: ActionContext<MigrateInput>, direction: Direction, server: Server): 'live' | 'cold' {
  const wanted = context.input.migration_type;
  return direction === 'backward' && wanted === 'live' && moveRefusal('live', server) !== null ? 'cold' : wanted;
}

function isThere(server: Server, destination: string | null): boolean {
  const settled = server.taskState === null && !['VERIFY_RESIZE', 'ERROR'].includes(server.status);
  return destination !== null && server.host === destination && settled;
}
