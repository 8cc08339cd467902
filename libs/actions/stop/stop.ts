import type { Server } from '#libs/openstack';
import type { ActionContext, ActionPlugin, PreConditionResult, ProbeResult } from '#libs/plugin-kit';
import { actOnServer } from '../access.ts';
import { intentOf } from '../change/journal-slot.ts';
import { pollWithin } from '../change/poll.ts';
import { lostResponsesMs, sendOnce } from '../change/send-once.ts';
import { ActionFailedError } from '../errors.ts';
import { readServer } from '../read-for-check.ts';
import { inputSchema, uuidPattern } from '../schema.ts';

/** Time limit for a server to stop or start: Watcher's 8 polls, 10 s apart. */
const powerBudgetMs = 80_000;

type Wanted = 'stopped' | 'active';

const tasks: Record<Wanted, string> = { stopped: 'powering-off', active: 'powering-on' };

/** Parameters of `stop`. */
export type StopInput = { resource_id: string };

/** Shuts an instance down. Its revert starts it again. */
export const stop: ActionPlugin<StopInput> = {
  kind: 'action',
  name: 'stop',
  description: 'Stop a VM instance',
  schema: inputSchema(['resource_id'], { resource_id: { type: 'string', pattern: uuidPattern } }),
  revertible: 'best-effort',
  abortable: false,
  timeoutMs: (_input, options) => powerBudgetMs * 1.2 + lostResponsesMs(options),
  occupies: (input) => [`resource:${input.resource_id}`],
  access: async ({ input }) => [actOnServer(input.resource_id)],
  preCondition,
  execute,
  postCondition: async () => {},
  probe,
  waitFor: execute,
  revert,
  revertCondition,
  describeRevert: ({ resource_id: id }) => `Starts instance ${id} again`,
  abort: async () => false,
};

/** Whether the instance still is stopped, and was stopped by the plan. */
async function revertCondition(context: ActionContext<StopInput>): Promise<PreConditionResult> {
  const { resource_id: id } = context.input;
  if (!intentOf(context, 'forward')) {
    return { go: false, skip: `Instance ${id} was not stopped by the action plan` };
  }
  const server = await readServer(context, id);
  if (!server) return { go: false, skip: `Instance ${id} not found` };
  if (server.vmState !== 'stopped') return { go: false, skip: `Instance ${id} is ${server.vmState}, not stopped` };
  return { go: true };
}

async function preCondition(context: ActionContext<StopInput>): Promise<PreConditionResult> {
  const { resource_id: id } = context.input;
  const server = await readServer(context, id);
  if (!server) return { go: false, skip: `Instance ${id} not found` };
  if (server.status === 'SHUTOFF') return { go: false, skip: `Instance ${id} is already stopped` };
  return { go: true };
}

/** A deleted instance counts as stopped. */
async function execute(context: ActionContext<StopInput>): Promise<boolean> {
  const server = await changePower(context, 'forward', 'stopped');
  if (!server || server.vmState === 'stopped') return true;
  throw stillThere(context, server.vmState, 'stopped');
}

async function probe(context: ActionContext<StopInput>): Promise<ProbeResult> {
  if (!intentOf(context, 'forward')) return 'not_started';
  const server = await context.cloud.compute.getServer(context.input.resource_id);
  if (!server || server.vmState === 'stopped') return 'applied';
  if (server.status === 'ERROR') return 'failed';
  return server.taskState === 'powering-off' ? 'in_progress' : 'not_started';
}

async function revert(context: ActionContext<StopInput>): Promise<boolean> {
  if (!intentOf(context, 'forward')) return true;
  const server = await changePower(context, 'backward', 'active');
  if (!server) throw new ActionFailedError(`The instance '${context.input.resource_id}' could not be found`);
  if (server.vmState === 'active') return true;
  throw stillThere(context, server.vmState, 'active');
}

function stillThere(context: ActionContext<StopInput>, vmState: string, wanted: string): ActionFailedError {
  const seconds = Math.round(powerBudgetMs / 1000);
  return new ActionFailedError(
    `Instance ${context.input.resource_id} is ${vmState} instead of ${wanted} after ${seconds}s`,
  );
}

/**
 * Stops or starts the server, unless it already has that state or is changing to it, and waits. Returns the resulting
 * server, null when it was deleted.
 */
async function changePower(
  context: ActionContext<{ resource_id: string }>,
  slot: 'forward' | 'backward',
  wanted: Wanted,
): Promise<Server | null> {
  const { compute } = context.cloud;
  const { resource_id: uuid } = context.input;
  const read = () => compute.getServer(uuid);
  const isUnderWay = (server: Server | null) =>
    !server || server.vmState === wanted || server.taskState === tasks[wanted];

  const before = await read();
  if (!before || before.vmState === wanted) return before;
  if (!isUnderWay(before)) {
    await sendOnce(context, {
      slot,
      intent: { wanted, former_vm_state: before.vmState },
      send: () => (wanted === 'stopped' ? compute.stopServer(uuid) : compute.startServer(uuid)),
      tookEffect: async () => isUnderWay(await read()),
      mayHappenAnyway: true,
    });
  }
  const time = { intervalMs: context.options.pollIntervalMs, budgetMs: powerBudgetMs };
  const settled = await pollWithin(context, time, async () => {
    const server = await read();
    return !server || server.vmState === wanted || server.vmState === 'error' ? { server } : undefined;
  });
  return settled ? settled.server : read();
}
