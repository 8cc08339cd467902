import type { JsonObject, SchemaValue } from '#libs/domain';
import { leaveProperties } from '../shared/moves/leave-host.ts';

/** JSON Schema (draft 4) of the parameters. */
export const hostMaintenanceParameters = {
  type: 'object',
  properties: {
    maintenance_node: {
      'x-texts': { de: { title: 'Host in Wartung' } },
      format: 'host',
      description: 'Host name of the compute node to empty.',
      type: 'string',
    },
    backup_node: {
      'x-texts': { de: { title: 'Host, der alle Instanzen übernimmt' } },
      format: 'host',
      description: 'Host name of the compute node that takes all instances. Default: Nova chooses for each instance.',
      type: 'string',
    },
    ...leaveProperties,
  },
  required: ['maintenance_node'],
} as const satisfies JsonObject;

/** Parameters of `host_maintenance`. */
export type HostMaintenanceParameters = SchemaValue<typeof hostMaintenanceParameters>;
