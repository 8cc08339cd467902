import type { JsonObject } from '#libs/domain';
import { reserveHostsSchema } from '../reserve-hosts.ts';

/** Parameters of `node_resource_consolidation`. */
export type NodeResourceConsolidationParameters = {
  /** `auto` (default): Nova's scheduler chooses destinations; `specify`: the plan names them. */
  host_choice: 'auto' | 'specify';
  /** Compute nodes that could be emptied and are not; default 0. Not one of Watcher's. */
  reserve_hosts?: number;
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
    reserve_hosts: reserveHostsSchema,
  },
};
