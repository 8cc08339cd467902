// announce.js
/** @type {import('openstack-vigil/plugin-kit').ActionPlugin<{ message: string }>} */
export const announce = {
  kind: 'action',
  name: 'announce',
  description: 'Writes a message to the log of the applier',
  schema: {
    type: 'object',
    properties: { message: { type: 'string', minLength: 1 } },
    required: ['message'],
    additionalProperties: false,
  },
  revertible: 'exact',
  abortable: false,
  timeoutMs: () => 10_000,
  occupies: () => [],
  access: async () => [],
  preCondition: async () => ({ go: true }),
  async execute({ input, log, guard }) {
    await guard();
    log.info({ message: input.message }, 'announcement');
    return true;
  },
  postCondition: async () => undefined,
  probe: async () => 'not_started',
  waitFor: async () => true,
  revert: async () => true,
  abort: async () => false,
};
