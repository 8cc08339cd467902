import type { ActionPlugin } from '#libs/plugin-kit';
import { ActionFailedError } from '../errors.ts';
import { inputSchema } from '../schema.ts';

/** Parameters of `nop`. The switches cause each phase to fail or skip. */
export type NopInput = {
  message: string | null;
  skip_pre_condition?: boolean;
  fail_pre_condition?: boolean;
  fail_execute?: boolean;
  fail_post_condition?: boolean;
};

/** Logs a message and changes nothing. */
export const nop: ActionPlugin<NopInput> = {
  kind: 'action',
  name: 'nop',
  description: 'Logging a NOP message',
  schema: inputSchema(['message'], {
    message: { type: ['string', 'null'] },
    skip_pre_condition: { type: 'boolean', default: false },
    fail_pre_condition: { type: 'boolean', default: false },
    fail_execute: { type: 'boolean', default: false },
    fail_post_condition: { type: 'boolean', default: false },
  }),
  revertible: 'impossible',
  abortable: true,
  timeoutMs: () => 60_000,
  occupies: () => [],
  access: async () => [],
  async preCondition({ input }) {
    if (input.skip_pre_condition) return { go: false, skip: 'Skipped in pre_condition' };
    if (input.fail_pre_condition) throw new ActionFailedError('Failed in pre_condition');
    return { go: true };
  },
  async execute({ input, uuid, log }) {
    log.info({ action: uuid, text: input.message }, 'nop');
    return !input.fail_execute;
  },
  async postCondition({ input }) {
    if (input.fail_post_condition) throw new ActionFailedError('Failed in post_condition');
  },
  probe: async () => 'not_started',
  waitFor: async ({ input }) => !input.fail_execute,
  revert: async () => true,
  abort: async () => true,
};
