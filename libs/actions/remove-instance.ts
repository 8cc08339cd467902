import type { AccessRule, Server, TakenRequest } from '#libs/openstack';
import type { ActionContext, ActionOptions, ActionPlugin, PreConditionResult } from '#libs/plugin-kit';
import { intentOf } from './change/journal-slot.ts';
import { pollWithin } from './change/poll.ts';
import { lostResponsesMs, sendOnce } from './change/send-once.ts';
import { ActionFailedError } from './errors.ts';
import { readServer } from './read-for-check.ts';
import { inputSchema, uuidPattern } from './schema.ts';

/** Parameters of `delete` and `shelve`. */
export type RemoveInput = { resource_id: string };

/** A way to remove an instance from its host. */
export interface Removal {
  name: string;
  description: string;
  /** Nova's task during the operation. */
  task: string;
  /** States of the instance after the operation. */
  endStates: ReadonlySet<string>;
  /** Whether a missing instance counts as success instead of as a failure. */
  doneWhenMissing: boolean;
  /** Reason to skip an existing instance. Null: the operation is required. */
  skipReason(server: Server): string | null;
  /** Sends the request for an instance. */
  access(uuid: string): AccessRule;
  send(context: ActionContext<RemoveInput>): Promise<TakenRequest>;
  /** Time limit of the operation, in milliseconds. */
  budgetMs(options: ActionOptions): number;
}

/**
 * An action type that removes an instance from its host: it sends one request and polls Nova until the instance has an
 * end state. It cannot be undone, so its abort and its revert return false, as in Watcher.
 */
export function createRemovalAction(removal: Removal): ActionPlugin<RemoveInput> {
  type Context = ActionContext<RemoveInput>;
  const isDone = (server: Server | null) =>
    server === null ? removal.doneWhenMissing : removal.endStates.has(server.vmState);
  const read = (context: Context) => context.cloud.compute.getServer(context.input.resource_id);

  async function preCondition(context: Context): Promise<PreConditionResult> {
    const { resource_id: id } = context.input;
    const server = await readServer(context, id);
    if (!server) return { go: false, skip: `Instance ${id} not found` };
    const skip = removal.skipReason(server);
    return skip === null ? { go: true } : { go: false, skip };
  }

  async function execute(context: Context): Promise<boolean> {
    const before = await read(context);
    if (isDone(before)) return true;
    if (before === null) throw new ActionFailedError(`Instance ${context.input.resource_id} not found`);
    if (before.taskState !== removal.task) {
      await sendOnce(context, {
        slot: 'forward',
        intent: { former_vm_state: before.vmState },
        send: () => removal.send(context),
        async tookEffect() {
          const server = await read(context);
          return isDone(server) || server?.taskState === removal.task;
        },
        mayHappenAnyway: true,
      });
    }
    const time = { intervalMs: context.options.pollIntervalMs, budgetMs: removal.budgetMs(context.options) };
    const ended = await pollWithin(context, time, async () => {
      const server = await read(context);
      return server === null || isDone(server) || server.vmState === 'error' ? { server } : undefined;
    });
    const server = ended === undefined ? await read(context) : ended.server;
    if (isDone(server)) return true;
    const state = server === null ? 'deleted' : server.vmState;
    throw new ActionFailedError(
      `Instance ${context.input.resource_id} is ${state} ${Math.round(time.budgetMs / 1000)} s after the ${removal.name} request`,
    );
  }

  return {
    kind: 'action',
    name: removal.name,
    description: removal.description,
    schema: inputSchema(['resource_id'], { resource_id: { type: 'string', pattern: uuidPattern } }),
    revertible: 'impossible',
    abortable: false,
    timeoutMs: (_input, options) => removal.budgetMs(options) * 1.2 + lostResponsesMs(options),
    occupies: (input) => [`resource:${input.resource_id}`],
    access: async ({ input }) => [removal.access(input.resource_id)],
    preCondition,
    execute,
    postCondition: async () => {},
    async probe(context) {
      if (!intentOf(context, 'forward')) return 'not_started';
      const server = await read(context);
      if (isDone(server)) return 'applied';
      if (server === null || server.vmState === 'error') return 'failed';
      return server.taskState === removal.task ? 'in_progress' : 'not_started';
    },
    waitFor: execute,
    revert: async () => false,
    abort: async () => false,
  };
}
