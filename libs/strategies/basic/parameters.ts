import type { JsonObject, SchemaValue } from '#libs/domain';
import { minimumCoverageSchema } from '../shared/hosts/covered-use.ts';
import { targetUtilizationSchema } from '../shared/hosts/target-utilization.ts';
import {
  hostOrderSchema,
  loadAggregates,
  migrationBudgetSchema,
  reserveHostsSchema,
} from '../shared/moves/shared-parameters.ts';
import { failureReserveSchema } from '../shared/reserve/failure-reserve.ts';

/** JSON Schema (draft 4) of the parameters. */
export const basicParameters = {
  type: 'object',
  'x-aim': 'pack',
  'x-merges': true,
  properties: {
    migration_attempts: {
      'x-advanced': true,
      'x-texts': { de: { title: 'Maximale nicht leerbare Hosts' } },
      description: 'Number of consecutive hosts that may be impossible to empty before the search ends; 0: no limit.',
      type: 'number',
      minimum: 0,
      default: 0,
    },
    period: {
      'x-advanced': true,
      'x-texts': { de: { title: 'Messzeitraum' } },
      description: 'Length of the metric window in seconds.',
      'x-unit': 's',
      type: 'number',
      minimum: 1,
      default: 7200,
    },
    granularity: {
      'x-advanced': true,
      'x-texts': { de: { title: 'Abstand der Messwerte' } },
      description: 'Seconds between two points of a metric.',
      'x-unit': 's',
      type: 'number',
      minimum: 0,
      default: 300,
    },
    aggregation_method: {
      'x-advanced': true,
      'x-texts': { de: { title: 'Aggregation der Messwerte' } },
      description: 'Aggregate of the points of a window.',
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
      'x-advanced': true,
      'x-texts': { de: { title: 'Metadaten der Instanzen beachten' } },
      description: 'Whether to move instances with metadata only if their `optimize` is yes.',
      type: 'boolean',
    },
    reserve_hosts: reserveHostsSchema,
    minimum_coverage: minimumCoverageSchema,
    failure_reserve: failureReserveSchema,
    target_utilization: targetUtilizationSchema,
    migration_budget: migrationBudgetSchema,
    host_order: hostOrderSchema,
  },
} as const satisfies JsonObject;

/** Parameters of `basic`. */
export type BasicParameters = SchemaValue<typeof basicParameters>;

/** The two metric windows that the parameters request. */
export function basicWindows({ period, granularity, aggregation_method: method }: BasicParameters) {
  const window = { periodSeconds: period, granularitySeconds: granularity };
  return {
    hosts: { ...window, aggregate: method.node === '' ? method.compute_node : method.node },
    instances: { ...window, aggregate: method.instance },
  };
}
