import type { MessageDefinition } from './message-definition.ts';

/** Requests an applier to execute an action plan that is PENDING. */
export const planLaunch = {
  type: 'plan.launch',
  version: 1,
  queue: 'applier.plan.launch',
  deliveryLimit: 5,
  retrySeconds: [5, 30, 120, 600],
  description: 'An action plan became PENDING; one applier claims and executes it.',
  schema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    required: ['schema', 'plan_uuid', 'launch_seq'],
    properties: {
      schema: { const: 'plan.launch/1' },
      plan_uuid: { type: 'string', format: 'uuid' },
      launch_seq: { type: 'integer', minimum: 1 },
      requested_by: { type: ['string', 'null'] },
    },
  },
} as const satisfies MessageDefinition;
