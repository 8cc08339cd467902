import type { JsonObject } from '#libs/domain';

/** Parameters of `node_resource_consolidation`. */
export type NodeResourceConsolidationParameters = {
  /** `auto` (default): Nova's scheduler chooses destinations; `specify`: the plan names them. */
  host_choice: 'auto' | 'specify';
};

/** JSON Schema (draft 4) of the parameters. */
export const nodeResourceConsolidationParameters: JsonObject = {
  type: 'object',
  properties: {
    host_choice: {
      description: 'Who chooses destinations: Nova (auto) or the strategy (specify).',
      type: 'string',
      enum: ['auto', 'specify'],
      default: 'auto',
    },
  },
};
