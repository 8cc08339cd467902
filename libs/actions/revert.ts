import type { ActionAttemptJournal, JsonObject } from '#libs/domain';
import type { ActionContext, ActionPlugin, JournalEntries, PreConditionResult, ProbeResult } from '#libs/plugin-kit';
import { intentOf } from './change/journal-slot.ts';
import { ActionFailedError } from './errors.ts';
import { inputSchema, uuidPattern } from './schema.ts';

/** `action_type` of the actions of a plan that undoes another one. */
export const revertType = 'revert';

/** Parameters of `revert`: the planned action to undo, and the journal of its attempts. */
export type RevertInput = {
  action_uuid: string;
  action_type: string;
  resource_id?: string;
  resource_name?: string;
  input_parameters: JsonObject;
  journal: JournalEntries & JsonObject;
};

const schema = inputSchema(['action_uuid', 'action_type', 'input_parameters', 'journal'], {
  action_uuid: { type: 'string', pattern: uuidPattern },
  action_type: { type: 'string', minLength: 1 },
  resource_id: { type: 'string' },
  resource_name: { type: 'string' },
  input_parameters: { type: 'object' },
  journal: {
    type: 'object',
    required: ['intent', 'result'],
    properties: { intent: { type: 'object' }, result: { type: ['object', 'null'] } },
  },
});

/** The action types that can be undone. Both throw for an unknown one, `validate` also for an invalid input. */
interface Targets {
  get(actionType: string): ActionPlugin;
  validate(actionType: string, input: JsonObject): void;
}

/**
 * Undoes an action of an earlier plan through the `revert` of its type. That type first checks whether the effect of
 * the action still holds (`revertCondition`).
 */
export function createRevert(targets: Targets): ActionPlugin<RevertInput> {
  const targetOf = (input: RevertInput) => targets.get(input.action_type);

  async function execute(context: ActionContext<RevertInput>): Promise<boolean> {
    if (!intentOf(context, revertType)) await context.journal.intent({ [revertType]: { begun: true } });
    return targetOf(context.input).revert(undoing(context));
  }

  return {
    kind: 'action',
    name: revertType,
    description: 'Undoing an action of an earlier action plan',
    schema,
    revertible: 'impossible',
    abortable: true,
    timeoutMs: (input, options) => targetOf(input).timeoutMs(input.input_parameters, options),
    occupies: (input) => targetOf(input).occupies(input.input_parameters).map(turned),
    access: async ({ cloud, input }) =>
      (await targetOf(input).access?.({ cloud, input: input.input_parameters })) ?? null,
    async preCondition(context): Promise<PreConditionResult> {
      const { action_type: type, input_parameters: input } = context.input;
      targets.validate(type, input);
      const target = targetOf(context.input);
      if (target.revertible === 'impossible') throw new ActionFailedError(`Actions of type ${type} cannot be undone`);
      return (await target.revertCondition?.(reading(context))) ?? { go: true };
    },
    execute,
    postCondition: async () => {},
    probe: async (context): Promise<ProbeResult> => (intentOf(context, revertType) ? 'in_progress' : 'not_started'),
    waitFor: execute,
    revert: async () => false,
    abort: async (context) => (await targetOf(context.input).abortRevert?.(undoing(context))) ?? false,
  };
}

/** The revert starts on the destination of the undone action. */
function turned(name: string): string {
  if (name.startsWith('source:')) return name.replace('source:', 'destination:');
  return name.replace(/^destination:/, 'source:');
}

/** The context of the undone action: its input, and a journal that continues its own. */
function undoing(context: ActionContext<RevertInput>): ActionContext {
  const { input_parameters: input, journal: former } = context.input;
  return {
    ...context,
    input,
    journal: {
      ...context.journal,
      current() {
        const own = context.journal.current();
        return { ...own, intent: { ...former.intent, ...own.intent }, result: { ...former.result, ...own.result } };
      },
    },
  };
}

/** The context of the undone action before its revert has a journal. */
function reading(context: ActionContext<RevertInput>): ActionContext {
  const { input_parameters: input, journal: former } = context.input;
  const journal: ActionAttemptJournal = {
    id: 0,
    actionId: 0,
    attemptNo: 0,
    fence: 0,
    phase: 'result',
    intent: former.intent,
    result: former.result,
    externalRef: null,
    startedAt: new Date(context.clock.now()),
    endedAt: null,
  };
  return { ...context, input, journal: { ...context.journal, current: () => journal } };
}
