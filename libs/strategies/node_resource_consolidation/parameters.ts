import type { JsonObject, SchemaValue } from '#libs/domain';
import { targetUtilizationSchema } from '../shared/hosts/target-utilization.ts';
import { hostOrderSchema, migrationBudgetSchema, reserveHostsSchema } from '../shared/moves/shared-parameters.ts';
import { failureReserveSchema } from '../shared/reserve/failure-reserve.ts';

/** JSON Schema (draft 4) of the parameters. */
export const nodeResourceConsolidationParameters = {
  type: 'object',
  'x-aim': 'pack',
  'x-merges': true,
  properties: {
    host_choice: {
      'x-advanced': true,
      'x-texts': { de: { title: 'Wahl der Zielhosts' } },
      description: '`auto`: Nova chooses the destinations. `specify`: the strategy chooses them.',
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
} as const satisfies JsonObject;

/** Parameters of `node_resource_consolidation`. */
export type NodeResourceConsolidationParameters = SchemaValue<typeof nodeResourceConsolidationParameters>;
