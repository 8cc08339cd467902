import type { JsonObject, SchemaValue } from '#libs/domain';

/** JSON Schema (draft 4) of the parameters. */
export const hostReturnParameters = {
  type: 'object',
  properties: {
    compute_nodes: {
      description: 'Host names of the compute nodes that come back from maintenance.',
      type: 'array',
      items: { type: 'string', minLength: 1 },
      minItems: 1,
      uniqueItems: true,
    },
    bring_back: {
      description: 'Move back what plans of this goal have moved away from the nodes.',
      type: 'boolean',
      default: false,
    },
    any_reason: {
      description: 'Also enable nodes that were not disabled by a maintenance of Vigil.',
      type: 'boolean',
      default: false,
    },
  },
  required: ['compute_nodes'],
} as const satisfies JsonObject;

/** Parameters of `host_return`. */
export type HostReturnParameters = SchemaValue<typeof hostReturnParameters>;
