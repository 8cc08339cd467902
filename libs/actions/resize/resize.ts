import type { FlavorDetails, Server } from '#libs/openstack';
import type { ActionContext, ActionPlugin, PreConditionResult, ProbeResult } from '#libs/plugin-kit';
import { resultOf } from '../change/journal-slot.ts';
import { pollUntil } from '../change/poll.ts';
import { sendOnce, tookLateEffect } from '../change/send-once.ts';
import {
  awaitStatus,
  type Direction,
  type MoveJudgement,
  moveFailure,
  probeResult,
  settleMove,
} from '../change/settle-move.ts';
import { ActionFailedError } from '../errors.ts';
import { readForCheck, readServer, requireMovable } from '../read-for-check.ts';
import { judge } from './judgement.ts';
import {
  findLostTrace,
  observe,
  type ResizeInput,
  type ResizeTrace,
  resizeSchema,
  startTrace,
  traceOf,
} from './resize-trace.ts';

/** A flavor by id or, when no flavor has that id, by name. Undefined when there is neither. */
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

/** Gives an instance another flavor, confirms it, and waits until the instance is as before. */
export const resize: ActionPlugin<ResizeInput> = {
  kind: 'action',
  name: 'resize',
  description: 'Resize a server with specified flavor.',
  schema: resizeSchema,
  revertible: 'best-effort',
  abortable: true,
  timeoutMs: (_input, options) => options.migrationTimeoutMs * 1.2,
  occupies: (input) => [`resource:${input.resource_id}`],
  preCondition,
  execute: (context) => changeFlavor(context, 'forward', context.input.flavor),
  postCondition: async () => {},
  probe,
  waitFor,
  findLost,
  revert,
  revertCondition,
  describeRevert: ({ resource_id: id }, journal) => {
    const trace = traceOf({ journal: { current: () => journal } }, 'forward');
    return trace ? `Gives instance ${id} flavor ${trace.previous_flavor} again` : `Leaves instance ${id} unchanged`;
  },
  abort: abortResize,
};

/** Whether the instance still has the flavor that the plan gave it. */
async function revertCondition(context: ActionContext<ResizeInput>): Promise<PreConditionResult> {
  const { resource_id: id } = context.input;
  const trace = traceOf(context, 'forward');
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
  return { go: true };
}

async function findLost(context: ActionContext<ResizeInput>, since: Date | null): Promise<ResizeTrace | null> {
  const flavor = await findFlavor(context, context.input.flavor);
  return flavor ? findLostTrace(context, flavor, since) : null;
}

function waitFor(context: ActionContext<ResizeInput>): Promise<boolean> {
  const trace = traceOf(context, 'forward');
  return trace ? settle(context, trace, 'forward') : changeFlavor(context, 'forward', context.input.flavor);
}

async function revert(context: ActionContext<ResizeInput>): Promise<boolean> {
  const trace = traceOf(context, 'forward');
  if (!trace || (await wasUndone(context, trace))) return true;
  const isWaiting = !traceOf(context, 'backward') && judge(await observe(context, trace), trace).kind === 'verify';
  return isWaiting ? undoResize(context, trace) : changeFlavor(context, 'backward', trace.previous_flavor);
}

async function probe(context: ActionContext<ResizeInput>): Promise<ProbeResult> {
  const trace = traceOf(context, 'forward');
  if (!trace) return 'not_started';
  const { kind } = judge(await observe(context, trace), trace);
  return probeResult(kind, resultOf(context, 'forward')?.accepted === true);
}

/**
 * Gives the instance a flavor and waits until that is confirmed. Safe to be called again: an instance that has it
 * counts as resized, and a journalled request is not sent a second time unless the cloud shows no sign of it.
 */
async function changeFlavor(
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
  const fresh = await startTrace(context, server, flavor);
  // A request of an earlier attempt may still come. Its record counts as well.
  const trace = asked ? { ...fresh, after_migration_id: asked.after_migration_id } : fresh;
  await sendOnce(context, {
    slot: direction,
    intent: trace,
    send: () => context.cloud.compute.resizeServer(uuid, trace.flavor_id),
    tookEffect: async () => judge(await observe(context, trace), trace).kind !== 'idle',
  });
  return settle(context, trace, direction);
}

/**
 * Waits for the end of a resize that was requested, confirms it, and waits for the former status.
 * @throws ActionFailedError with the evidence.
 */
async function settle(context: ActionContext<ResizeInput>, trace: ResizeTrace, direction: Direction): Promise<boolean> {
  await settleMove(context, {
    direction,
    noun: 'resize',
    request: 'resize',
    observe: () => observe(context, trace),
    judge: (sighting) => judge(sighting, trace),
    failure: (evidence) => moveFailure(context, evidence),
  });
  await awaitStatus(context, trace.former_status, 'resize');
  return true;
}

/**
 * Gives a running resize up: once it waits for its confirmation it is reverted. True when the instance is as before,
 * false when it was too late.
 */
async function abortResize(context: ActionContext<ResizeInput>): Promise<boolean> {
  const trace = traceOf(context, 'forward');
  if (!trace) return true;
  await tookLateEffect(context, {
    slot: 'forward',
    tookEffect: async () => judge(await observe(context, trace), trace).kind !== 'idle',
  });
  if (await wasUndone(context, trace)) return true;
  const seen = await pollUntil<MoveJudgement>(context, context.options.pollIntervalMs, async () => {
    const judgement = judge(await observe(context, trace), trace);
    return judgement.kind === 'running' ? undefined : judgement;
  });
  if (seen.kind === 'verify') return undoResize(context, trace);
  const server = await context.cloud.compute.getServer(context.input.resource_id);
  return server?.flavor.name === trace.previous_flavor && server.status === trace.former_status;
}

/** Reverts a resize that waits for its confirmation, and waits until the instance is as before. */
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
 * Whether an earlier run has reverted the resize, and the instance is as before. Waits while Nova still reverts it. The
 * record of that migration alone resembles that of a failed resize.
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
