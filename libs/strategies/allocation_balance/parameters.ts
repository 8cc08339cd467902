import type { JsonObject, SchemaValue } from '#libs/domain';
import { migrationBudgetSchema } from '../shared/moves/shared-parameters.ts';

/** JSON Schema (draft 4) of the parameters. */
export const allocationBalanceParameters = {
  type: 'object',
  'x-aim': 'spread',
  properties: {
    resource: {
      description: 'Quantity to balance over compute nodes: the number of instances, or allocated vcpus or memory.',
      type: 'string',
      enum: ['instances', 'vcpus', 'memory'],
      default: 'instances',
    },
    instance_difference: {
      'x-texts': { de: { title: 'Erlaubter Unterschied an Instanzen' } },
      description: 'For instances: largest tolerated difference between two compute nodes.',
      type: 'integer',
      default: 1,
      minimum: 1,
    },
    share_tolerance: {
      'x-texts': { de: { title: 'Toleranz der Belegung' } },
      description:
        'For vcpus and memory: tolerated difference between the allocated share of a compute node and that of the ' +
        'whole cluster, in percent of its capacity.',
      'x-unit': '%',
      type: 'number',
      default: 5,
      minimum: 0.1,
      maximum: 100,
    },
    migration_budget: migrationBudgetSchema,
  },
} as const satisfies JsonObject;

/** Parameters of `allocation_balance`. */
export type AllocationBalanceParameters = SchemaValue<typeof allocationBalanceParameters>;
