import type { JsonObject } from '#libs/domain';

/** Parameters of `host_maintenance`. */
export type HostMaintenanceParameters = {
  /** Host name of the compute service that is to be emptied. */
  maintenance_node: string;
  /** Host name of the compute service that takes the instances. */
  backup_node?: string;
  /** Active instances are migrated cold; default false. */
  disable_live_migration: boolean;
  /** No cold migrations; default false. */
  disable_cold_migration: boolean;
};

/** JSON Schema (draft 4) of the parameters. */
export const hostMaintenanceParameters: JsonObject = {
  type: 'object',
  properties: {
    maintenance_node: { description: 'Host name of the compute node to empty.', type: 'string' },
    backup_node: {
      description: 'Host name of the compute node that takes all instances; without it Nova chooses.',
      type: 'string',
    },
    disable_live_migration: {
      description: 'Never migrate live; active instances are migrated cold.',
      type: 'boolean',
      default: false,
    },
    disable_cold_migration: {
      description: 'Never migrate cold. Together with disable_live_migration active instances are stopped.',
      type: 'boolean',
      default: false,
    },
  },
  required: ['maintenance_node'],
};
