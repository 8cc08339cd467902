import type { FlavorDetails, Server } from '#libs/openstack';
import type { ActionContext, ActionPlugin, PreConditionResult } from '#libs/plugin-kit';
import { actOnServer } from '../access.ts';
import { type Direction, type Judgement, traceIn } from '../change/change.ts';
import { resultOf } from '../change/journal-slot.ts';
import { isMarked } from '../change/move-record.ts';
import { pollUntil } from '../change/poll.ts';
import { sendOnce, tookLateEffect } from '../change/send-once.ts';
import { awaitStatus, type MoveKind, openMove, type ServerMove } from '../change/server-move.ts';
import { ActionFailedError } from '../errors.ts';
import { readForCheck, readServer, requireMovable, requireNoShare } from '../read-for-check.ts';
import { judge } from './judgement.ts';
import {
  findLostTrace,
  type ResizeInput,
  type ResizeTrace,
  readTrace,
  resizeSchema,
  startTrace,
} from './resize-trace.ts';

/** A flavor by id or, when no flavor has that id, by name. Undefined without a match. */
async function findFlavor(
  context: Pick<ActionContext<ResizeInput>, 'cloud'>,
  reference: string,
): Promise<FlavorDetails | undefined> {
  const { compute } = context.cloud;
  const byId = await compute.getFlavor(reference);
  return byId ?? (await compute.listFlavors()).find((flavor) => flavor.name === reference);
}

/** Whether the server has that flavor. Servers show name and sizes, not the id. */
function hasFlavor(server: Server, flavor: FlavorDetails): boolean {
  const { name, vcpus, ramMb, diskGb } = server.flavor;
  return name === flavor.name && vcpus === flavor.vcpus && ramMb === flavor.ramMb && diskGb === flavor.diskGb;
}

/** Changes the flavor of an instance, confirms it, and waits until the instance has its former status. */
export const resize: ActionPlugin<ResizeInput> = {
  kind: 'action',
  name: 'resize',
  description: 'Resize a server with specified flavor.',
  schema: resizeSchema,
  revertible: 'best-effort',
  abortable: true,
  timeoutMs: (_input, options) => options.migrationTimeoutMs * 1.2,
  occupies: (input) => [`resource:${input.resource_id}`],
  access: async ({ input }) => [actOnServer(input.resource_id)],
  preCondition,
  execute: (context) => changeFlavor(context, 'forward', context.input.flavor),
  postCondition: async () => {},
  probe: (context) => resizeOf(context, 'forward').probe(),
  waitFor,
  findLost,
  revert,
  revertCondition,
  describeRevert: ({ resource_id: id }, journal) => {
    const trace = traceIn({ journal: { current: () => journal } }, 'forward', { read: readTrace });
    return trace ? `Gives instance ${id} flavor ${trace.previous_flavor} again` : `Leaves instance ${id} unchanged`;
  },
  abort: abortResize,
};

/** Whether the instance still has the flavor that the plan gave it. */
async function revertCondition(context: ActionContext<ResizeInput>): Promise<PreConditionResult> {
  const { resource_id: id } = context.input;
  const trace = resizeOf(context, 'forward').trace();
  if (!trace) return { go: false, skip: `Instance ${id} was not resized by the action plan` };
  if (trace.previous_flavor === '') return { go: false, skip: `The former flavor of instance ${id} is not known` };
  const server = await readServer(context, id);
  if (!server) return { go: false, skip: `Instance ${id} not found` };
  if (server.flavor.name !== trace.flavor) {
    return { go: false, skip: `Instance ${id} has flavor ${server.flavor.name}, not ${trace.flavor}` };
  }
  requireMovable(server);
  return { go: true };
}

async function preCondition(context: ActionContext<ResizeInput>): Promise<PreConditionResult> {
  const { resource_id: id, flavor: reference } = context.input;
  const server = await readServer(context, id);
  if (!server) return { go: false, skip: `Instance ${id} not found` };
  const flavor = await readForCheck(() => findFlavor(context, reference));
  if (!flavor) throw new ActionFailedError(`Flavor ${reference} not found`);
  if (hasFlavor(server, flavor)) return { go: false, skip: `Instance ${id} already has flavor ${flavor.name}` };
  requireMovable(server);
  await requireNoShare(context, id);
  return { go: true };
}

async function findLost(context: ActionContext<ResizeInput>, since: Date | null): Promise<ResizeTrace | null> {
  const flavor = await findFlavor(context, context.input.flavor);
  return flavor ? findLostTrace(context, flavor, since) : null;
}

function waitFor(context: ActionContext<ResizeInput>): Promise<boolean> {
  const resizing = resizeOf(context, 'forward');
  const trace = resizing.trace();
  return trace ? resizing.settle(trace) : changeFlavor(context, 'forward', context.input.flavor);
}

async function revert(context: ActionContext<ResizeInput>): Promise<boolean> {
  const resizing = resizeOf(context, 'forward');
  const trace = resizing.trace();
  if (!trace || (await wasUndone(context, trace))) return true;
  const isSentBack = resizeOf(context, 'backward').trace() !== undefined;
  const isWaiting = !isSentBack && (await resizing.judge(trace)).kind === 'verify';
  return isWaiting ? undoResize(context, trace) : changeFlavor(context, 'backward', trace.previous_flavor);
}

/**
 * Changes the flavor of the instance and waits for the confirmation. Idempotent: an instance with the flavor counts as
 * resized, and a journalled request is only repeated when the cloud shows no trace of it.
 */
async function changeFlavor(
  context: ActionContext<ResizeInput>,
  direction: Direction,
  reference: string,
): Promise<boolean> {
  const { resource_id: uuid } = context.input;
  const resizing = resizeOf(context, direction);
  const known = await resizing.visibleTrace();
  if (known) return resizing.settle(known);
  const server = await context.cloud.compute.getServer(uuid);
  if (!server) throw new ActionFailedError(`The instance '${uuid}' could not be found`);
  const flavor = await findFlavor(context, reference);
  if (!flavor) throw new ActionFailedError(`Flavor ${reference} not found`);
  if (hasFlavor(server, flavor) && server.taskState === null && server.status !== 'VERIFY_RESIZE') return true;
  const trace = await startTrace(context, server, flavor);
  return resizing.sendAndSettle(trace, () => context.cloud.compute.resizeServer(uuid, trace.flavor_id));
}

/**
 * Cancels a running resize: reverts it when it waits for its confirmation. True when the instance has its former
 * flavor, false when it was too late.
 */
async function abortResize(context: ActionContext<ResizeInput>): Promise<boolean> {
  const resizing = resizeOf(context, 'forward');
  const trace = resizing.trace();
  if (!trace) return true;
  await resizing.awaitLateEffect(trace);
  if (await wasUndone(context, trace)) return true;
  const seen = await pollUntil<Judgement>(context, context.options.pollIntervalMs, async () => {
    const judgement = await resizing.judge(trace);
    return judgement.kind === 'running' ? undefined : judgement;
  });
  if (seen.kind === 'verify') return undoResize(context, trace);
  const server = await context.cloud.compute.getServer(context.input.resource_id);
  return server?.flavor.name === trace.previous_flavor && server.status === trace.former_status;
}

/** Reverts a resize that waits for its confirmation, and waits until the instance has its former status. */
async function undoResize(context: ActionContext<ResizeInput>, trace: ResizeTrace): Promise<boolean> {
  await sendOnce(context, {
    slot: 'undo',
    intent: { operation: 'revertResize' },
    send: () => context.cloud.compute.revertResize(context.input.resource_id),
    tookEffect: () => leftVerify(context),
  });
  return isBack(context, trace);
}

/**
 * Whether an earlier run has reverted the resize, and the instance has its former status. Waits while Nova reverts it.
 * The record of that migration alone resembles that of a failed resize.
 */
async function wasUndone(context: ActionContext<ResizeInput>, trace: ResizeTrace): Promise<boolean> {
  const isTaken =
    resultOf(context, 'undo')?.accepted === true ||
    (await tookLateEffect(context, { slot: 'undo', tookEffect: () => leftVerify(context) }));
  return isTaken && isBack(context, trace);
}

async function leftVerify({ cloud, input }: ActionContext<ResizeInput>): Promise<boolean> {
  return (await cloud.compute.getServer(input.resource_id))?.status !== 'VERIFY_RESIZE';
}

/** Waits for the former status. Returns whether the instance has its former flavor. */
async function isBack(context: ActionContext<ResizeInput>, trace: ResizeTrace): Promise<boolean> {
  await awaitStatus(context, trace.former_status, 'resize');
  return (await context.cloud.compute.getServer(context.input.resource_id))?.flavor.name === trace.previous_flavor;
}

/** The trace of a resize in the journal and in Nova. */
const resizeKind: MoveKind<ResizeInput, ResizeTrace> = {
  noun: 'resize',
  read: readTrace,
  isTraced: (record, trace) => record.type === 'resize' && isMarked(record, trace),
  judge,
  request: () => 'resize',
  statusNoun: () => 'resize',
};

/** The change of the flavor that an action makes in `direction`. */
function resizeOf(context: ActionContext<ResizeInput>, direction: Direction): ServerMove<ResizeTrace> {
  return openMove(context, direction, resizeKind);
}
