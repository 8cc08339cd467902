import type { JsonObject, MetricAggregate } from '#libs/domain';
import { loadAggregates } from '../aggregation-method.ts';
import { minimumCoverageSchema } from '../covered-use.ts';
import { failureReserveSchema } from '../failure-reserve.ts';
import { hostOrderSchema } from '../host-order.ts';
import { migrationBudgetSchema } from '../migration-budget.ts';
import { reserveHostsSchema } from '../reserve-hosts.ts';
import { type TargetUtilization, targetUtilizationSchema } from '../target-utilization.ts';

/** Parameters of `basic`. */
export type BasicParameters = {
  /** Gives up after more than so many hosts in a row that cannot be emptied; 0 (default) never does. */
  migration_attempts: number;
  /** Seconds of history, default 7200. */
  period: number;
  /** Seconds between points of the history, default 300. */
  granularity: number;
  aggregation_method: {
    instance: MetricAggregate;
    compute_node: MetricAggregate;
    /** Deprecated: when not empty it takes the place of `compute_node`. */
    node: MetricAggregate | '';
  };
  /** Instances with metadata move only when these have an `optimize` that says yes; default false. An option in Watcher. */
  check_optimize_metadata?: boolean;
  /** Hosts that could be freed and are not; default 0. Not one of Watcher's. */
  reserve_hosts?: number;
  /** Percent of what is allocated on a host that has to be measured; default 80. Not one of Watcher's. */
  minimum_coverage?: number;
  /** Hosts of each failure domain that may fail at once; default 1. Not one of Watcher's. */
  failure_reserve?: number;
  /** Percent to which hosts are filled; default 80 of each resource. Not one of Watcher's. */
  target_utilization?: Partial<TargetUtilization>;
  /** Migrations in a plan at most; default 0, no limit. Not one of Watcher's. */
  migration_budget?: number;
  /** Default `fewest_moves`; `watcher` begins with the least loaded host and looks no further. */
  host_order?: 'fewest_moves' | 'watcher';
};

/** JSON Schema (draft 4) of the parameters. */
export const basicParameters: JsonObject = {
  type: 'object',
  properties: {
    migration_attempts: {
      description: 'Gives up after more than so many hosts in a row that can not be emptied; 0 never does.',
      type: 'number',
      minimum: 0,
      default: 0,
    },
    period: { description: 'Length of the metric window in seconds.', type: 'number', minimum: 1, default: 7200 },
    granularity: { description: 'Seconds between two points of a metric.', type: 'number', minimum: 0, default: 300 },
    aggregation_method: {
      description: 'How the points of a window become one number.',
      type: 'object',
      properties: {
        instance: { type: 'string', enum: loadAggregates, default: 'mean' },
        compute_node: { type: 'string', enum: loadAggregates, default: 'mean' },
        node: {
          description: 'Deprecated, see compute_node.',
          type: 'string',
          enum: [...loadAggregates, ''],
          default: '',
        },
      },
      default: { instance: 'mean', compute_node: 'mean', node: '' },
    },
    check_optimize_metadata: {
      description: 'Whether instances that have metadata are moved only when `optimize` in them says yes.',
      type: 'boolean',
    },
    reserve_hosts: reserveHostsSchema,
    minimum_coverage: minimumCoverageSchema,
    failure_reserve: failureReserveSchema,
    target_utilization: targetUtilizationSchema,
    migration_budget: migrationBudgetSchema,
    host_order: hostOrderSchema,
  },
};

/** The two metric windows that the parameters ask for. */
export function basicWindows({ period, granularity, aggregation_method: method }: BasicParameters) {
  const window = { periodSeconds: period, granularitySeconds: granularity };
  return {
    hosts: { ...window, aggregate: method.node === '' ? method.compute_node : method.node },
    instances: { ...window, aggregate: method.instance },
  };
}
