import { type JsonObject, moveRules } from '#libs/domain';
import { type Migration, OpenStackError, type Server } from '#libs/openstack';
import type { ActionContext } from '#libs/plugin-kit';
import type { Direction } from '../change/change.ts';
import { resultOf } from '../change/journal-slot.ts';
import { newestRequest } from '../change/move-record.ts';
import { pollUntil } from '../change/poll.ts';
import { ActionFailedError } from '../errors.ts';
import { isTraced, type MigrateInput, type MigrationTrace } from './migration-trace.ts';
import { migrationOf } from './server-migration.ts';

/** Time limit for the end of an aborted migration: Watcher's 240 polls, 2 s apart. */
const abortChecks = 240;
const abortIntervalMs = 2000;

/**
 * Aborts a running live migration through Nova. True when the instance stayed on its source. False when it was too
 * late (always for cold migrations) and the instance is on its destination. Waits for a request without a response
 * until it takes effect or can no longer do so.
 * @throws ActionFailedError in all other cases.
 */
export async function abortMigration(
  context: ActionContext<MigrateInput>,
  direction: Direction = 'forward',
): Promise<boolean> {
  const trace = migrationOf(context, direction).trace();
  if ((trace?.type ?? context.input.migration_type) === 'cold') return false;
  if (trace) await requestAbort(context, trace, direction);
  const source = trace?.from ?? context.input.source_node;
  let reads = 0;
  const server = await pollUntil(context, abortIntervalMs, async () => {
    const seen = await context.cloud.compute.getServer(context.input.resource_id);
    reads += 1;
    const settled = !seen || isAtRest(seen) || (seen.taskState === null && seen.status === 'ERROR');
    return settled || reads >= abortChecks ? { seen } : undefined;
  });
  if (!server.seen || !isAtRest(server.seen)) {
    throw new ActionFailedError(
      `Live migration execution and abort both failed for the instance ${context.input.resource_id}.`,
    );
  }
  return server.seen.host === source;
}

/** State after a live migration: no task, and a state in which a live migration is possible. */
function isAtRest({ vmState, taskState }: Server): boolean {
  return taskState === null && moveRules.live.vmStates.includes(vmState);
}

async function requestAbort(
  context: ActionContext<MigrateInput>,
  trace: MigrationTrace,
  direction: Direction,
): Promise<void> {
  const { compute } = context.cloud;
  const serverUuid = context.input.resource_id;
  await migrationOf(context, direction).awaitLateEffect(trace);
  const accepted = resultOf(context, direction);
  // Without an accepted request of this action, the running migration belongs to another requester.
  if (accepted?.accepted !== true) return;
  const migration = await findOwn(context, trace, accepted);
  if (!migration) return;
  await context.journal.intent({ abort: { migration_id: migration.id } });
  await context.guard();
  try {
    await compute.abortLiveMigration(serverUuid, migration.id);
    await context.journal.result({ abort: { accepted: true } });
  } catch (error) {
    context.signal.throwIfAborted();
    context.log.warn({ action: context.uuid, err: error, tooLate: isTooLate(error) }, 'abort not accepted');
  }
}

/**
 * The running migration that the accepted request started. Undefined when it belongs, or may belong, to another
 * requester.
 */
async function findOwn(
  context: ActionContext<MigrateInput>,
  trace: MigrationTrace,
  accepted: JsonObject,
): Promise<Migration | undefined> {
  const running = await context.cloud.compute.listServerMigrations(context.input.resource_id);
  if (typeof accepted.migration_id === 'number') return running.find(({ id }) => id === accepted.migration_id);
  const found = running.find((one) => isTraced(one, trace));
  const newest =
    found && typeof accepted.request_id === 'string' ? await newestRequest(context, 'live-migration') : null;
  return newest === null || newest === accepted.request_id ? found : undefined;
}

/** Whether an error means that the service does not know the resource, or refuses because it is too late. */
function isTooLate(error: unknown): boolean {
  return error instanceof OpenStackError && [400, 404, 409].includes(error.status);
}
