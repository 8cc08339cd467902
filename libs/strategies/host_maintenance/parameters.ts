import type { JsonObject } from '#libs/domain';
import { type LeaveParameters, leaveProperties } from '../leave-host.ts';

/** Parameters of `host_maintenance`. */
export type HostMaintenanceParameters = {
  /** Host name of the compute service that is to be emptied. */
  maintenance_node: string;
  /** Host name of the compute service that takes the instances. */
  backup_node?: string;
} & LeaveParameters;

/** JSON Schema (draft 4) of the parameters. */
export const hostMaintenanceParameters: JsonObject = {
  type: 'object',
  properties: {
    maintenance_node: { description: 'Host name of the compute node to empty.', type: 'string' },
    backup_node: {
      description: 'Host name of the compute node that takes all instances; without it Nova chooses.',
      type: 'string',
    },
    ...leaveProperties,
  },
  required: ['maintenance_node'],
};
