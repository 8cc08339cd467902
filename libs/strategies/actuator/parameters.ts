import type { JsonObject } from '#libs/domain';

/** Parameters of `actuator`. */
export type ActuatorParameters = {
  actions: {
    action_type: string;
    /** Goes into the action's input parameters under the same name. */
    resource_id?: string;
    /** What the action type's schema wants, without `resource_id`. */
    input_parameters: JsonObject;
  }[];
};

/** JSON Schema (draft 4) of the parameters. */
export const actuatorParameters: JsonObject = {
  $schema: 'http://json-schema.org/draft-04/schema#',
  type: 'object',
  properties: {
    actions: {
      description: 'Actions to propose, in this order; action types are those of the applier.',
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
};
