import type { JsonObject, SchemaValue } from '#libs/domain';

/** JSON Schema (draft 4) of the parameters. */
export const hostReturnParameters = {
  type: 'object',
  properties: {
    compute_nodes: {
      'x-texts': { de: { title: 'Hosts' } },
      description: 'Host names of the compute nodes that return from maintenance.',
      type: 'array',
      items: { type: 'string', format: 'host', minLength: 1 },
      minItems: 1,
      uniqueItems: true,
    },
    bring_back: {
      'x-texts': { de: { title: 'Instanzen zurückmigrieren' } },
      description: 'Return the instances that plans of this goal have moved off the nodes.',
      type: 'boolean',
      default: false,
    },
    any_reason: {
      'x-texts': { de: { title: 'Auch anders deaktivierte Hosts' } },
      description: 'Also enable nodes that were not disabled by a maintenance of Vigil.',
      type: 'boolean',
      default: false,
    },
  },
  required: ['compute_nodes'],
} as const satisfies JsonObject;

/** Parameters of `host_return`. */
export type HostReturnParameters = SchemaValue<typeof hostReturnParameters>;
