import { OpenStackError } from '#libs/openstack';
import type { ActionContext } from '#libs/plugin-kit';
import { ActionFailedError } from '../errors.ts';
import { resultOf } from '../journal-slot.ts';
import { pollUntil } from '../poll.ts';
import { sendOnce } from '../send-once.ts';
import type { MigrateInput } from './input.ts';
import { type Judgement, judge } from './judgement.ts';
import { type Direction, type MigrationTrace, observe, type Sighting } from './migration-trace.ts';

/** Looks without any sign of an accepted migration before it counts as lost. */
const idleLooks = 12;
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
  let idle = 0;
  await pollUntil(context, context.options.pollIntervalMs, async () => {
    const sighting = await observe(context, trace);
    await noteRecord(context, sighting, direction);
    const judgement = judge(sighting, trace);
    idle = judgement.kind === 'idle' ? idle + 1 : 0;
    if (idle >= idleLooks) throw failure(context, 'Nova accepted the request but shows no migration');
    return decide(context, trace, direction, judgement);
  });
  if (trace.type === 'cold') await awaitFormerStatus(context, trace);
  return true;
}

async function decide(
  context: ActionContext<MigrateInput>,
  trace: MigrationTrace,
  direction: Direction,
  judgement: Judgement,
): Promise<true | undefined> {
  if (judgement.kind === 'applied') return true;
  if (judgement.kind === 'failed' || judgement.kind === 'foreign') throw failure(context, judgement.evidence);
  if (judgement.kind === 'verify') await confirm(context, trace, direction);
  return undefined;
}

async function confirm(context: ActionContext<MigrateInput>, trace: MigrationTrace, direction: Direction) {
  context.progress(0.9);
  await sendOnce(context, {
    slot: `${direction}_confirm`,
    intent: { operation: 'confirmResize' },
    send: () => context.cloud.compute.confirmResize(context.input.resource_id),
    tookEffect: async () => judge(await observe(context, trace), trace).kind !== 'verify',
    mayHappenAnyway: true,
  });
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

async function noteRecord(context: ActionContext<MigrateInput>, { record }: Sighting, direction: Direction) {
  const known = resultOf(context, direction);
  if (!record || known?.migration_id === record.id) return;
  const entry = { ...known, accepted: true, migration_id: record.id, destination: record.destHost };
  await context.journal.result({ [direction]: entry }, record.uuid);
  context.progress(0.1);
}

function failure(context: ActionContext<MigrateInput>, evidence: string): ActionFailedError {
  if (evidence === 'The instance could not be found') {
    return new ActionFailedError(`The instance '${context.input.resource_id}' could not be found`);
  }
  return new ActionFailedError(`${evidence} (instance ${context.input.resource_id})`);
}

/** Whether an error says that the service knows nothing of what was named, or refuses because it is too late. */
export function isTooLate(error: unknown): boolean {
  return error instanceof OpenStackError && [400, 404, 409].includes(error.status);
}
