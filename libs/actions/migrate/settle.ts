import { OpenStackError } from '#libs/openstack';
import type { ActionContext } from '#libs/plugin-kit';
import { ActionFailedError } from '../errors.ts';
import { pollUntil } from '../poll.ts';
import { type Direction, moveFailure, settleMove } from '../settle-move.ts';
import { judge } from './judgement.ts';
import { type MigrateInput, type MigrationTrace, observe } from './migration-trace.ts';

/** Wait for the former status after the confirmation: Watcher's 60 looks, 1 s apart. */
const confirmLooks = 60;
const confirmIntervalMs = 1000;

/**
 * Waits for the end of a migration that was asked for, confirming a cold one, and verifies where the instance is.
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
  if (trace.type === 'cold') await awaitFormerStatus(context, trace);
  return true;
}

async function awaitFormerStatus(context: ActionContext<MigrateInput>, trace: MigrationTrace): Promise<void> {
  let looks = 0;
  await pollUntil(context, confirmIntervalMs, async () => {
    const server = await context.cloud.compute.getServer(context.input.resource_id);
    if (server?.status === trace.former_status) return true;
    looks += 1;
    if (looks > confirmLooks || !server) {
      throw failure(
        context,
        `Instance is ${server?.status ?? 'gone'} after the cold migration, was ${trace.former_status}`,
      );
    }
    return undefined;
  });
}

function failure(context: ActionContext<MigrateInput>, evidence: string): ActionFailedError {
  if (evidence === 'The instance could not be found') {
    return new ActionFailedError(`The instance '${context.input.resource_id}' could not be found`);
  }
  return moveFailure(context, evidence);
}

/** Whether an error says that the service knows nothing of what was named, or refuses because it is too late. */
export function isTooLate(error: unknown): boolean {
  return error instanceof OpenStackError && [400, 404, 409].includes(error.status);
}
