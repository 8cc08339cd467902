import type { ActionContext, ActionPlugin, PreConditionResult, ProbeResult } from '#libs/plugin-kit';
import { ActionFailedError } from '../errors.ts';
import { resultOf } from '../journal-slot.ts';
import { lookUp, lookUpServer, requireMovable } from '../look-up.ts';
import { probeResult } from '../probe-result.ts';
import { changeFlavor } from './change-flavor.ts';
import { findFlavor, hasFlavor } from './flavor.ts';
import { type ResizeInput, resizeSchema } from './input.ts';
import { judge } from './judgement.ts';
import { observe, traceOf } from './resize-trace.ts';
import { settle } from './settle.ts';
import { abortResize, undoResize } from './undo.ts';

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
  revert,
  revertCondition,
  describeRevert: ({ resource_id: id }, journal) => {
    const trace = traceOf({ journal: { current: () => journal } }, 'forward');
    return trace ? `Gives instance ${id} flavor ${trace.previous_flavor} again` : `Leaves instance ${id} as it is`;
  },
  abort: abortResize,
};

/** Whether the instance still has the flavor that the plan gave it. */
async function revertCondition(context: ActionContext<ResizeInput>): Promise<PreConditionResult> {
  const { resource_id: id } = context.input;
  const trace = traceOf(context, 'forward');
  if (!trace) return { go: false, skip: `Instance ${id} was not resized by the action plan` };
  const server = await lookUpServer(context, id);
  if (!server) return { go: false, skip: `Instance ${id} not found` };
  if (server.flavor.name !== trace.flavor) {
    return { go: false, skip: `Instance ${id} has flavor ${server.flavor.name}, not ${trace.flavor}` };
  }
  requireMovable(server);
  return { go: true };
}

async function preCondition(context: ActionContext<ResizeInput>): Promise<PreConditionResult> {
  const { resource_id: id, flavor: reference } = context.input;
  const server = await lookUpServer(context, id);
  if (!server) return { go: false, skip: `Instance ${id} not found` };
  const flavor = await lookUp(() => findFlavor(context, reference));
  if (!flavor) throw new ActionFailedError(`Flavor ${reference} not found`);
  if (hasFlavor(server, flavor)) return { go: false, skip: `Instance ${id} already has flavor ${flavor.name}` };
  requireMovable(server);
  return { go: true };
}

function waitFor(context: ActionContext<ResizeInput>): Promise<boolean> {
  const trace = traceOf(context, 'forward');
  return trace ? settle(context, trace, 'forward') : changeFlavor(context, 'forward', context.input.flavor);
}

async function revert(context: ActionContext<ResizeInput>): Promise<boolean> {
  const trace = traceOf(context, 'forward');
  if (!trace) return true;
  const isWaiting = !traceOf(context, 'backward') && judge(await observe(context, trace), trace).kind === 'verify';
  return isWaiting ? undoResize(context, trace) : changeFlavor(context, 'backward', trace.previous_flavor);
}

async function probe(context: ActionContext<ResizeInput>): Promise<ProbeResult> {
  const trace = traceOf(context, 'forward');
  if (!trace) return 'not_started';
  const { kind } = judge(await observe(context, trace), trace);
  return probeResult(kind, resultOf(context, 'forward')?.accepted === true);
}
