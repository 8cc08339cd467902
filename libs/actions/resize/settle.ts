import type { ActionContext } from '#libs/plugin-kit';
import { ActionFailedError } from '../errors.ts';
import { resultOf } from '../journal-slot.ts';
import { pollUntil, pollWithin } from '../poll.ts';
import { sendOnce } from '../send-once.ts';
import type { ResizeInput } from './input.ts';
import { type Judgement, judge } from './judgement.ts';
import { type Direction, observe, type ResizeTrace, type Sighting } from './resize-trace.ts';

/** Looks without any sign of an accepted resize before it counts as lost. */
const idleLooks = 12;
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
  let idle = 0;
  await pollUntil(context, context.options.pollIntervalMs, async () => {
    const sighting = await observe(context, trace);
    await noteRecord(context, sighting, direction);
    const judgement = judge(sighting, trace);
    idle = judgement.kind === 'idle' ? idle + 1 : 0;
    if (idle >= idleLooks) throw failure(context, 'Nova accepted the request but shows no resize');
    return decide(context, trace, direction, judgement);
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
  throw failure(context, `Instance is ${(await look())?.status ?? 'gone'} after the resize, was ${status}`);
}

async function decide(
  context: ActionContext<ResizeInput>,
  trace: ResizeTrace,
  direction: Direction,
  judgement: Judgement,
): Promise<true | undefined> {
  if (judgement.kind === 'applied') return true;
  if (judgement.kind === 'failed') throw failure(context, judgement.evidence);
  if (judgement.kind !== 'verify') return undefined;
  context.progress(0.9);
  await sendOnce(context, {
    slot: `${direction}_confirm`,
    intent: { operation: 'confirmResize' },
    send: () => context.cloud.compute.confirmResize(context.input.resource_id),
    tookEffect: async () => judge(await observe(context, trace), trace).kind !== 'verify',
    mayHappenAnyway: true,
  });
  return undefined;
}

async function noteRecord(context: ActionContext<ResizeInput>, { record }: Sighting, direction: Direction) {
  const known = resultOf(context, direction);
  if (!record || known?.migration_id === record.id) return;
  await context.journal.result({ [direction]: { ...known, accepted: true, migration_id: record.id } }, record.uuid);
  context.progress(0.1);
}

function failure(context: ActionContext<ResizeInput>, evidence: string): ActionFailedError {
  return new ActionFailedError(`${evidence} (instance ${context.input.resource_id})`);
}
