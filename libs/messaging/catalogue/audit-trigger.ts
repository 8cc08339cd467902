import type { MessageDefinition } from './message-definition.ts';

/** Requests a decision engine to run an audit. */
export const auditTrigger = {
  type: 'audit.trigger',
  version: 1,
  queue: 'engine.audit.trigger',
  deliveryLimit: 5,
  retrySeconds: [5, 30, 120, 600],
  description: 'Requests a run of an audit; one decision engine claims it.',
  schema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    required: ['schema', 'audit_uuid', 'reason'],
    properties: {
      schema: { const: 'audit.trigger/1' },
      audit_uuid: { type: 'string', format: 'uuid' },
      reason: { enum: ['created', 'webhook', 'schedule', 'recovery'] },
    },
  },
} as const satisfies MessageDefinition;
