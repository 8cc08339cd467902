import type { JsonObject, SchemaValue } from '#libs/domain';

/** JSON Schema (draft 4) of the parameters. */
export const actuatorParameters = {
  $schema: 'http://json-schema.org/draft-04/schema#',
  type: 'object',
  properties: {
    actions: {
      description: 'Actions to propose, in this order. Their types are those of the applier.',
      type: 'array',
      items: {
        type: 'object',
        properties: {
          action_type: { type: 'string' },
          resource_id: { type: 'string' },
          input_parameters: { type: 'object', additionalProperties: true },
        },
        required: ['action_type', 'input_parameters'],
        additionalProperties: true,
      },
    },
  },
  required: ['actions'],
} as const satisfies JsonObject;

/** Parameters of `actuator`. */
export type ActuatorParameters = SchemaValue<typeof actuatorParameters>;
