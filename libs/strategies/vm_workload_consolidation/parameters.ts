import type { JsonObject, MetricAggregate } from '#libs/domain';
import { aggregationMethodSchema } from '../aggregation-method.ts';
import { minimumCoverageSchema } from '../covered-use.ts';
import { failureReserveSchema } from '../failure-reserve.ts';
import { migrationBudgetSchema } from '../migration-budget.ts';
import { reserveHostsSchema } from '../reserve-hosts.ts';
import { type TargetUtilization, targetUtilizationSchema } from '../target-utilization.ts';

/** Parameters of `vm_workload_consolidation`. */
export type VmWorkloadConsolidationParameters = {
  /** Seconds before now that the metrics cover, default 3600. */
  period: number;
  /** Seconds between two stored samples, default 300. */
  granularity: number;
  /** Migrations in a plan at most; default 0, no limit. Not one of Watcher's. */
  migration_budget?: number;
  /** Hosts that could be freed and stay, so that others may fail; default 0. Not one of Watcher's. */
  reserve_hosts?: number;
  /** How the samples of the window become one number; default `p95`. Not one of Watcher's. */
  aggregation_method?: MetricAggregate;
  /** Percent of what is allocated on a host that has to be measured; default 80. Not one of Watcher's. */
  minimum_coverage?: number;
  /** Hosts of each failure domain that may fail at once; default 1. Not one of Watcher's. */
  failure_reserve?: number;
  /** Percent to which hosts are filled; default 80 of each resource. Not one of Watcher's. */
  target_utilization?: Partial<TargetUtilization>;
};

/** JSON Schema (draft 4) of the parameters. */
export const vmWorkloadConsolidationParameters: JsonObject = {
  type: 'object',
  properties: {
    period: {
      description: 'Seconds before now over which metrics are averaged.',
      type: 'number',
      minimum: 1,
      default: 3600,
    },
    granularity: {
      description: 'Seconds between two stored samples, where the source has several series.',
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
};
