import type { ActionContext } from '#libs/plugin-kit';
import { pollUntil } from '../poll.ts';
import { sendOnce, tookLateEffect } from '../send-once.ts';
import type { MoveJudgement } from '../settle-move.ts';
import type { ResizeInput } from './input.ts';
import { judge } from './judgement.ts';
import { observe, type ResizeTrace, traceOf } from './resize-trace.ts';
import { awaitStatus } from './settle.ts';

/**
 * Gives a running resize up: once it waits for its confirmation it is reverted. True when the instance is as before,
 * false when it was too late.
 */
export async function abortResize(context: ActionContext<ResizeInput>): Promise<boolean> {
  const trace = traceOf(context, 'forward');
  if (!trace) return true;
  await tookLateEffect(context, {
    slot: 'forward',
    tookEffect: async () => judge(await observe(context, trace), trace).kind !== 'idle',
  });
  const seen = await pollUntil<MoveJudgement>(context, context.options.pollIntervalMs, async () => {
    const judgement = judge(await observe(context, trace), trace);
    return judgement.kind === 'running' ? undefined : judgement;
  });
  if (seen.kind === 'verify') return undoResize(context, trace);
  const server = await context.cloud.compute.getServer(context.input.resource_id);
  return server?.flavor.name === trace.previous_flavor && server.status === trace.former_status;
}

/** Reverts a resize that waits for its confirmation, and waits until the instance is as before. */
export async function undoResize(context: ActionContext<ResizeInput>, trace: ResizeTrace): Promise<boolean> {
  const { resource_id: uuid } = context.input;
  await sendOnce(context, {
    slot: 'undo',
    intent: { operation: 'revertResize' },
    send: () => context.cloud.compute.revertResize(uuid),
    tookEffect: async () => (await context.cloud.compute.getServer(uuid))?.status !== 'VERIFY_RESIZE',
  });
  await awaitStatus(context, trace.former_status);
  return (await context.cloud.compute.getServer(uuid))?.flavor.name === trace.previous_flavor;
}
