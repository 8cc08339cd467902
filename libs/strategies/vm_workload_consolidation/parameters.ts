import type { JsonObject, SchemaValue } from '#libs/domain';
import { minimumCoverageSchema } from '../shared/hosts/covered-use.ts';
import { targetUtilizationSchema } from '../shared/hosts/target-utilization.ts';
import {
  aggregationMethodSchema,
  migrationBudgetSchema,
  reserveHostsSchema,
} from '../shared/moves/shared-parameters.ts';
import { failureReserveSchema } from '../shared/reserve/failure-reserve.ts';

/** JSON Schema (draft 4) of the parameters. */
export const vmWorkloadConsolidationParameters = {
  type: 'object',
  'x-aim': 'pack',
  'x-merges': true,
  properties: {
    period: {
      'x-advanced': true,
      'x-texts': { de: { title: 'Messzeitraum' } },
      description: 'Seconds before now over which metrics are averaged.',
      'x-unit': 's',
      type: 'number',
      minimum: 1,
      default: 3600,
    },
    granularity: {
      'x-advanced': true,
      'x-texts': { de: { title: 'Abstand der Messwerte' } },
      description: 'Seconds between two stored samples, where the source has several series.',
      'x-unit': 's',
      type: 'number',
      minimum: 0,
      default: 300,
    },
    migration_budget: migrationBudgetSchema,
    reserve_hosts: reserveHostsSchema,
    aggregation_method: aggregationMethodSchema,
    minimum_coverage: minimumCoverageSchema,
    failure_reserve: failureReserveSchema,
    target_utilization: targetUtilizationSchema,
  },
} as const satisfies JsonObject;

/** Parameters of `vm_workload_consolidation`. */
export type VmWorkloadConsolidationParameters = SchemaValue<typeof vmWorkloadConsolidationParameters>;
