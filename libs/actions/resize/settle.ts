import type { ActionContext } from '#libs/plugin-kit';
import { pollWithin } from '../poll.ts';
import { type Direction, moveFailure, settleMove } from '../settle-move.ts';
import { judge } from './judgement.ts';
import { observe, type ResizeInput, type ResizeTrace } from './resize-trace.ts';

/** Wait for the former status after the confirmation, as for cold migrations. */
const formerStatusMs = 60_000;
const formerStatusIntervalMs = 1000;

/**
 * Waits for the end of a resize that was asked for, confirms it, and waits for the former status.
 * @throws ActionFailedError with the evidence.
 */
export async function settle(
  context: ActionContext<ResizeInput>,
  trace: ResizeTrace,
  direction: Direction,
): Promise<boolean> {
  await settleMove(context, {
    direction,
    noun: 'resize',
    request: 'resize',
    observe: () => observe(context, trace),
    judge: (sighting) => judge(sighting, trace),
    failure: (evidence) => moveFailure(context, evidence),
  });
  await awaitStatus(context, trace.former_status);
  return true;
}

/** Waits until the server has the status. @throws ActionFailedError when it has not in time. */
export async function awaitStatus(context: ActionContext<ResizeInput>, status: string): Promise<void> {
  const look = () => context.cloud.compute.getServer(context.input.resource_id);
  const time = { intervalMs: formerStatusIntervalMs, budgetMs: formerStatusMs };
  const reached = await pollWithin(context, time, async () => ((await look())?.status === status ? true : undefined));
  if (reached) return;
  throw moveFailure(context, `Instance is ${(await look())?.status ?? 'gone'} after the resize, was ${status}`);
}
