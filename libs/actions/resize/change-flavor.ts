import type { ActionContext } from '#libs/plugin-kit';
import { ActionFailedError } from '../errors.ts';
import { sendOnce } from '../send-once.ts';
import type { Direction } from '../settle-move.ts';
import { findFlavor, hasFlavor } from './flavor.ts';
import type { ResizeInput } from './input.ts';
import { judge } from './judgement.ts';
import { beginTrace, observe, traceOf } from './resize-trace.ts';
import { settle } from './settle.ts';

/**
 * Gives the instance a flavor and waits until that is confirmed. Safe to be called again: an instance that has it counts
 * as resized, and a journalled request is not sent a second time unless the cloud shows no sign of it.
 */
export async function changeFlavor(
  context: ActionContext<ResizeInput>,
  direction: Direction,
  reference: string,
): Promise<boolean> {
  const { resource_id: uuid } = context.input;
  const asked = traceOf(context, direction);
  if (asked && judge(await observe(context, asked), asked).kind !== 'idle') return settle(context, asked, direction);
  const server = await context.cloud.compute.getServer(uuid);
  if (!server) throw new ActionFailedError(`The instance '${uuid}' could not be found`);
  const flavor = await findFlavor(context, reference);
  if (!flavor) throw new ActionFailedError(`Flavor ${reference} not found`);
  if (hasFlavor(server, flavor) && server.taskState === null && server.status !== 'VERIFY_RESIZE') return true;
  const fresh = await beginTrace(context, server, flavor);
  // A request of an earlier attempt may still come; its record counts as well.
  const trace = asked ? { ...fresh, after_migration_id: asked.after_migration_id } : fresh;
  await sendOnce(context, {
    slot: direction,
    intent: trace,
    send: () => context.cloud.compute.resizeServer(uuid, trace.flavor_id),
    tookEffect: async () => judge(await observe(context, trace), trace).kind !== 'idle',
  });
  return settle(context, trace, direction);
}
