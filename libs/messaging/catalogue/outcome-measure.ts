import type { MessageDefinition } from './message-definition.ts';

/** Requests a decision engine to measure the quantities that an action plan improves. */
export const outcomeMeasure = {
  type: 'outcome.measure',
  version: 1,
  queue: 'engine.outcome.measure',
  deliveryLimit: 5,
  retrySeconds: [30, 120, 600],
  description: "An action plan starts or has ended; its goal's numbers are measured and stored with it.",
  schema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    required: ['schema', 'plan_uuid', 'phase'],
    properties: {
      schema: { const: 'outcome.measure/1' },
      plan_uuid: { type: 'string', format: 'uuid' },
      phase: { enum: ['before', 'after'] },
    },
  },
} as const satisfies MessageDefinition;
