import type { JsonObject } from '#libs/domain';
import { migrationBudgetSchema } from '../migration-budget.ts';

/** Parameters of `allocation_balance`. */
export type AllocationBalanceParameters = {
  /** What is evened out, default `instances`. */
  resource: 'instances' | 'vcpus' | 'memory';
  /** Largest difference between the numbers of instances of two hosts; at least 1 (default). */
  instance_difference: number;
  /** How far the allocated share of a host may be from that of the whole cluster, in percent of its capacity; default 5. */
  share_tolerance: number;
  /** Migrations in a plan at most; default 0, no limit. */
  migration_budget?: number;
};

/** JSON Schema (draft 4) of the parameters. */
export const allocationBalanceParameters: JsonObject = {
  type: 'object',
  properties: {
    resource: {
      description: 'What is evened out over compute nodes: the number of instances, or allocated vcpus or memory.',
      type: 'string',
      enum: ['instances', 'vcpus', 'memory'],
      default: 'instances',
    },
    instance_difference: {
      description: 'For instances: the largest difference between two compute nodes that is left alone.',
      type: 'integer',
      default: 1,
      minimum: 1,
    },
    share_tolerance: {
      description:
        'For vcpus and memory: how far the allocated share of a compute node may be from that of the whole cluster, in ' +
        'percent of its capacity.',
      type: 'number',
      default: 5,
      minimum: 0.1,
      maximum: 100,
    },
    migration_budget: migrationBudgetSchema,
  },
};
