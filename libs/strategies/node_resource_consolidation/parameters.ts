import type { JsonObject } from '#libs/domain';
import { failureReserveSchema } from '../failure-reserve.ts';
import { hostOrderSchema } from '../host-order.ts';
import { migrationBudgetSchema } from '../migration-budget.ts';
import { reserveHostsSchema } from '../reserve-hosts.ts';
import { type TargetUtilization, targetUtilizationSchema } from '../target-utilization.ts';

/** Parameters of `node_resource_consolidation`. */
export type NodeResourceConsolidationParameters = {
  /** `auto` (default): Nova's scheduler chooses destinations; `specify`: the plan names them. */
  host_choice: 'auto' | 'specify';
  /** Compute nodes that could be emptied and are not; default 0. Not one of Watcher's. */
  reserve_hosts?: number;
  /** Hosts of each failure domain that may fail at once; default 1. Not one of Watcher's. */
  failure_reserve?: number;
  /** Percent to which hosts are filled by allocations; default 80 of each resource. Not one of Watcher's. */
  target_utilization?: Partial<TargetUtilization>;
  /** Migrations in a plan at most; default 0, no limit. Not one of Watcher's. */
  migration_budget?: number;
  /** Default `fewest_moves`; `watcher` begins with the fewest allocated vcpus and looks no further. */
  host_order?: 'fewest_moves' | 'watcher';
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
    failure_reserve: failureReserveSchema,
    target_utilization: targetUtilizationSchema,
    migration_budget: migrationBudgetSchema,
    host_order: hostOrderSchema,
  },
};
