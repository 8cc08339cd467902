import type { ActionContext } from '#libs/plugin-kit';
import { resultOf } from '../journal-slot.ts';
import { sendOnce } from '../send-once.ts';
import { requireCompatible } from './compatible.ts';
import { findVolume, requireVolume } from './find-volume.ts';
import type { VolumeMigrateInput } from './input.ts';
import { judge } from './judgement.ts';
import { settle } from './settle.ts';
import { beginTrace, type Direction, traceOf, type VolumeTrace } from './volume-trace.ts';

/**
 * Moves the volume to a pool, or gives it a type, and waits until that is proven. Safe to be called again: a volume that
 * is there counts as moved, and a journalled request is not sent again unless the cloud shows no sign of it.
 */
export async function moveVolume(
  context: ActionContext<VolumeMigrateInput>,
  direction: Direction,
  operation: VolumeTrace['operation'],
  to: string,
): Promise<boolean> {
  const asked = traceOf(context, direction);
  const accepted = resultOf(context, direction)?.accepted === true;
  if (asked && judge(await findVolume(context), asked, accepted).kind !== 'idle') {
    return settle(context, asked, direction);
  }
  const volume = await requireVolume(context);
  const trace = beginTrace(volume, operation, to);
  if (judge(volume, trace, false).kind === 'applied') return true;
  if (operation === 'migrate') await requireCompatible(context, volume, to);
  const { volume: cinder } = context.cloud;
  await sendOnce(context, {
    slot: direction,
    intent: trace,
    send: () =>
      operation === 'migrate' ? cinder.migrateVolume(volume.uuid, to) : cinder.retypeVolume(volume.uuid, to),
    tookEffect: async () => judge(await findVolume(context), trace, false).kind !== 'idle',
  });
  return settle(context, trace, direction);
}
