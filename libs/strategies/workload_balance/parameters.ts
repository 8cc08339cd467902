import type { JsonObject, MetricAggregate } from '#libs/domain';
import { aggregationMethodSchema } from '../aggregation-method.ts';
import { minimumCoverageSchema } from '../covered-use.ts';
import { migrationBudgetSchema } from '../migration-budget.ts';

/** Parameters of `workload_balance`. */
export type WorkloadBalanceParameters = {
  /** What is balanced, default `instance_cpu_usage`. */
  metrics: 'instance_cpu_usage' | 'instance_ram_usage';
  /** Percent of a host's physical vcpus or memory, default 25. */
  threshold: number;
  /** Seconds of history, default 300. */
  period: number;
  /** Seconds between points of the history, default 300. */
  granularity: number;
  /** How the samples of the window become one number; default `mean`. Not one of Watcher's. */
  aggregation_method?: MetricAggregate;
  /** Migrations in a plan at most; default 0, no limit. Not one of Watcher's. */
  migration_budget?: number;
  /** Percent of what is allocated on a host that has to be measured; default 80. Not one of Watcher's. */
  minimum_coverage?: number;
};

/** JSON Schema (draft 4) of the parameters. */
export const workloadBalanceParameters: JsonObject = {
  type: 'object',
  properties: {
    metrics: {
      description: 'The metric to balance.',
      type: 'string',
      enum: ['instance_cpu_usage', 'instance_ram_usage'],
      default: 'instance_cpu_usage',
    },
    threshold: {
      description:
        'Load in percent from which on a host gives instances away, and below which a destination must stay.',
      type: 'number',
      minimum: 0,
      default: 25.0,
    },
    period: { description: 'Length of the metric window in seconds.', type: 'number', minimum: 1, default: 300 },
    granularity: { description: 'Seconds between two points of a metric.', type: 'number', minimum: 0, default: 300 },
    aggregation_method: aggregationMethodSchema,
    migration_budget: migrationBudgetSchema,
    minimum_coverage: minimumCoverageSchema,
  },
};
