import type { JsonObject, MetricAggregate } from '#libs/domain';
import { aggregationMethodSchema } from '../aggregation-method.ts';
import { minimumCoverageSchema } from '../covered-use.ts';
import { migrationBudgetSchema } from '../migration-budget.ts';
import { reserveHostsSchema } from '../reserve-hosts.ts';

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
  /** How the samples of the window become one number; default `mean`. Not one of Watcher's. */
  aggregation_method?: MetricAggregate;
  /** Percent of what is allocated on a host that has to be measured; default 80. Not one of Watcher's. */
  minimum_coverage?: number;
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
  },
};
