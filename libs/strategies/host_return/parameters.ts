import type { JsonObject } from '#libs/domain';

/** Parameters of `host_return`. */
export type HostReturnParameters = {
  /** Host names of compute services. */
  compute_nodes: string[];
  /** Whether what left the hosts for maintenance is moved back; default false. */
  bring_back: boolean;
  /** Whether hosts are enabled that somebody else disabled; default false. */
  any_reason: boolean;
};

/** JSON Schema (draft 4) of the parameters. */
export const hostReturnParameters: JsonObject = {
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
};
