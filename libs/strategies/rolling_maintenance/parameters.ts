import type { JsonObject, SchemaValue } from '#libs/domain';
import { leaveProperties } from '../shared/moves/leave-host.ts';
import { failureReserveSchema } from '../shared/reserve/failure-reserve.ts';

const timeOfDay = { type: 'string', pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$' } as const;

/** JSON Schema (draft 4) of the parameters. */
export const rollingMaintenanceParameters = {
  type: 'object',
  properties: {
    compute_nodes: {
      'x-texts': { de: { title: 'Hosts' } },
      description: 'Host names of the compute nodes, in the order in which they go into maintenance.',
      type: 'array',
      items: { type: 'string', format: 'host', minLength: 1 },
      minItems: 1,
      uniqueItems: true,
    },
    at_once: {
      'x-texts': { de: { title: 'Gleichzeitig' } },
      description: 'Concurrent nodes in maintenance, as far as `failure_reserve` allows.',
      type: 'integer',
      minimum: 1,
      default: 1,
    },
    bring_back: {
      'x-texts': { de: { title: 'Instanzen zurückmigrieren' } },
      description: 'Return the instances that left a node once its service is enabled again.',
      type: 'boolean',
      default: false,
    },
    window_start: {
      'x-texts': { de: { title: 'Fenster beginnt (UTC)' } },
      ...timeOfDay,
      description: 'Time of day (HH:MM, UTC) from which nodes may be emptied. Requires window_end.',
    },
    window_end: {
      'x-texts': { de: { title: 'Fenster endet (UTC)' } },
      ...timeOfDay,
      description: 'Time of day (HH:MM, UTC) after which no node is emptied. May be after midnight.',
    },
    max_failures: {
      'x-texts': { de: { title: 'Maximale Fehler' } },
      description: 'Actions of this audit that may fail before it stops.',
      type: 'integer',
      minimum: 0,
      default: 0,
    },
    if_stuck: {
      'x-texts': { de: { title: 'Bei nicht leerbarem Host' } },
      description: 'Reaction to a node that cannot be emptied: `stop`, or `skip` it and leave it unchanged.',
      type: 'string',
      enum: ['stop', 'skip'],
      default: 'stop',
    },
    failure_reserve: {
      ...failureReserveSchema,
      description:
        'Hosts of every failure domain that may fail simultaneously. Default: `VIGIL_FAILURE_RESERVE`, which is 1; ' +
        '0: no reserve.',
    },
    ...leaveProperties,
  },
  required: ['compute_nodes'],
} as const satisfies JsonObject;

/** Parameters of `rolling_maintenance`. */
export type RollingMaintenanceParameters = SchemaValue<typeof rollingMaintenanceParameters>;
