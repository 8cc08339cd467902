import type { JsonObject, SchemaValue } from '#libs/domain';
import { minimumCoverageSchema } from '../shared/hosts/covered-use.ts';
import { aggregationMethodSchema, migrationBudgetSchema } from '../shared/moves/shared-parameters.ts';

/** JSON Schema (draft 4) of the parameters. */
export const workloadBalanceParameters = {
  type: 'object',
  'x-aim': 'spread',
  'x-merges': true,
  properties: {
    metrics: {
      description: 'The metric to balance.',
      type: 'string',
      enum: ['instance_cpu_usage', 'instance_ram_usage'],
      default: 'instance_cpu_usage',
    },
    threshold: {
      'x-texts': { de: { title: 'Schwellwert' } },
      description: 'Load in percent at which a host loses instances, and below which a destination must stay.',
      'x-unit': '%',
      type: 'number',
      minimum: 0,
      default: 25.0,
    },
    period: {
      'x-advanced': true,
      'x-texts': { de: { title: 'Messzeitraum' } },
      description: 'Length of the metric window in seconds.',
      'x-unit': 's',
      type: 'number',
      minimum: 1,
      default: 300,
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
    aggregation_method: aggregationMethodSchema,
    migration_budget: migrationBudgetSchema,
    minimum_coverage: minimumCoverageSchema,
  },
} as const satisfies JsonObject;

/** Parameters of `workload_balance`. */
export type WorkloadBalanceParameters = SchemaValue<typeof workloadBalanceParameters>;
