import type { JsonObject } from '#libs/domain';
import { type LeaveParameters, leaveProperties } from '../leave-host.ts';

/** Parameters of `rolling_maintenance`. */
export type RollingMaintenanceParameters = {
  /** Host names of compute services, in the order in which they go into maintenance. */
  compute_nodes: string[];
  /** Nodes in maintenance at once; default 1. */
  at_once: number;
  /** Whether what left a node is moved back once that is enabled again; default false. */
  bring_back: boolean;
  /** Beginning and end, `HH:MM` in UTC, of the time of day in which anything is done; default: all day. */
  window_start?: string;
  window_end?: string;
  /** Actions of this audit that may fail; one more stops it. Default 0. */
  max_failures: number;
  /** What happens at a node that cannot be emptied: `stop` (default) or `skip`, which leaves it as it is. */
  if_stuck: 'stop' | 'skip';
} & LeaveParameters;

const timeOfDay = { type: 'string', pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$' };

/** JSON Schema (draft 4) of the parameters. */
export const rollingMaintenanceParameters: JsonObject = {
  type: 'object',
  properties: {
    compute_nodes: {
      description: 'Host names of the compute nodes, in the order in which they go into maintenance.',
      type: 'array',
      items: { type: 'string', minLength: 1 },
      minItems: 1,
      uniqueItems: true,
    },
    at_once: {
      description: 'Nodes in maintenance at the same time.',
      type: 'integer',
      minimum: 1,
      default: 1,
    },
    bring_back: {
      description: 'Move back what left a node once its service is enabled again.',
      type: 'boolean',
      default: false,
    },
    window_start: {
      ...timeOfDay,
      description: 'Time of day (HH:MM, UTC) from which on something is done; needs window_end.',
    },
    window_end: {
      ...timeOfDay,
      description: 'Time of day (HH:MM, UTC) from which on nothing is begun; may be after midnight.',
    },
    max_failures: {
      description: 'Actions of this audit that may fail before it stops.',
      type: 'integer',
      minimum: 0,
      default: 0,
    },
    if_stuck: {
      description: 'At a node that cannot be emptied: `stop`, or `skip` it, which leaves it as it is.',
      type: 'string',
      enum: ['stop', 'skip'],
      default: 'stop',
    },
    ...leaveProperties,
  },
  required: ['compute_nodes'],
};
