import type { Volume } from '#libs/openstack';
import type { ActionContext } from '#libs/plugin-kit';
import type { Direction } from '../change/change.ts';
import { resultOf } from '../change/journal-slot.ts';
import { pollWithin } from '../change/poll.ts';
import { ActionFailedError } from '../errors.ts';
import { findVolume, type VolumeMigrateInput } from './find-volume.ts';
import { judge } from './judgement.ts';
import type { VolumeTrace } from './volume-trace.ts';

/** Polls without any trace of an accepted migration before it counts as lost. */
const idlePolls = 12;
/** Time limit for the deletion of the shadow volume: Watcher's 120 polls, 10 s apart. */
const shadowBudgetMs = 1_200_000;
const defaultBudgetMs = 6 * 3_600_000;

/** Time limit of the operation in milliseconds. */
export function volumeBudgetMs(options: { volumeMigrationTimeoutMs?: number }): number {
  return options.volumeMigrationTimeoutMs ?? defaultBudgetMs;
}

/**
 * Waits for the end of the request and, after a migration, until the shadow volume is deleted.
 * @throws ActionFailedError with the evidence. At the time limit it contains the last `migration_status`.
 */
export async function settle(
  context: ActionContext<VolumeMigrateInput>,
  trace: VolumeTrace,
  direction: Direction,
): Promise<boolean> {
  const budgetMs = volumeBudgetMs(context.options);
  let last: Volume | null = null;
  let idle = 0;
  const moved = await pollWithin(context, { intervalMs: context.options.pollIntervalMs, budgetMs }, async () => {
    last = await findVolume(context);
    const accepted = resultOf(context, direction)?.accepted === true;
    const judgement = judge(last, trace, accepted);
    if (judgement.kind === 'applied') return true;
    if (judgement.kind === 'failed') throw failure(context, judgement.evidence);
    idle = judgement.kind === 'idle' ? idle + 1 : 0;
    if (idle >= idlePolls) throw failure(context, 'Cinder accepted the request but shows no migration');
    context.progress(0.5);
    return undefined;
  });
  if (!moved) {
    const { status, migrationStatus } = (last as Volume | null) ?? { status: 'gone', migrationStatus: null };
    const seen = `last status ${status}, migration_status ${migrationStatus ?? 'none'}`;
    throw failure(context, `timeout after ${Math.round(budgetMs / 1000)}s (${seen})`);
  }
  if (trace.operation === 'migrate') await awaitShadow(context);
  return true;
}

async function awaitShadow(context: ActionContext<VolumeMigrateInput>): Promise<void> {
  context.progress(0.9);
  const volume = await findVolume(context);
  const time = { intervalMs: context.options.pollIntervalMs, budgetMs: shadowBudgetMs };
  const gone = await pollWithin(context, time, async () => {
    const isThere = (await context.cloud.volume.listVolumes()).some((one) => one.nameId === volume?.uuid);
    return isThere ? undefined : true;
  });
  if (!gone) throw failure(context, 'The volume has moved, but its shadow volume was not deleted');
}

function failure(context: ActionContext<VolumeMigrateInput>, evidence: string): ActionFailedError {
  return new ActionFailedError(`${evidence} (volume ${context.input.resource_id})`);
}
