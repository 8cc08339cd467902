import type { JsonObject, SchemaValue } from '#libs/domain';
import { loadAggregates, migrationBudgetSchema } from '../shared/moves/shared-parameters.ts';

/** Instance metrics that the strategy can balance. */
export const balancedMetrics = [
  'instance_cpu_usage',
  'instance_ram_usage',
  'instance_disk_io',
  'instance_network_io',
  'instance_cpu_steal',
] as const;
export type BalancedMetric = (typeof balancedMetrics)[number];

const threshold = { type: 'number', minimum: 0, maximum: 1, default: 0.1 } as const;
/** Has no default: only audits that balance its metric show the parameter. */
const optionalShare = { type: 'number', minimum: 0, maximum: 1 } as const;
const weight = { type: 'number', minimum: 0, maximum: 1, default: 1.0 } as const;
const german = (title: string) => ({ 'x-texts': { de: { title } } }) as const;
const seconds = (value: number, minimum = 1) => ({ 'x-unit': 's', type: 'integer', minimum, default: value }) as const;

/** JSON Schema (draft 4) of the parameters. Inner defaults complete partial objects. */
export const workloadStabilizationParameters = {
  type: 'object',
  'x-aim': 'spread',
  'x-merges': true,
  properties: {
    migration_budget: migrationBudgetSchema,
    metrics: {
      description: 'Instance metrics whose spread across hosts is reduced.',
      type: 'array',
      items: { type: 'string', enum: [...balancedMetrics] },
      default: ['instance_cpu_usage'],
    },
    thresholds: {
      'x-texts': { de: { title: 'Schwellwerte' } },
      description: 'Standard deviation of the load (0 to 1) above which the strategy acts, by metric.',
      type: 'object',
      properties: {
        instance_cpu_usage: threshold,
        instance_ram_usage: threshold,
        instance_disk_io: optionalShare,
        instance_network_io: optionalShare,
        instance_cpu_steal: optionalShare,
      },
      default: { instance_cpu_usage: 0.1, instance_ram_usage: 0.1 },
    },
    weights: {
      'x-advanced': true,
      'x-texts': { de: { title: 'Gewichte' } },
      description: 'Weight of each metric in the common deviation; names end in _weight.',
      type: 'object',
      properties: {
        instance_cpu_usage_weight: { ...weight, ...german('Gewicht der CPU-Last') },
        instance_ram_usage_weight: { ...weight, ...german('Gewicht des Arbeitsspeichers') },
        instance_disk_io_weight: { ...optionalShare, ...german('Gewicht der Plattenzugriffe') },
        instance_network_io_weight: { ...optionalShare, ...german('Gewicht des Netzverkehrs') },
        instance_cpu_steal_weight: { ...optionalShare, ...german('Gewicht des CPU-Steal') },
      },
      default: { instance_cpu_usage_weight: 1.0, instance_ram_usage_weight: 1.0 },
    },
    instance_metrics: {
      'x-advanced': true,
      'x-texts': { de: { title: 'Metriken der Hosts je Metrik der Instanzen' } },
      description: 'Host metric that shows the same load of a compute node, by instance metric.',
      type: 'object',
      default: { instance_cpu_usage: 'host_cpu_usage', instance_ram_usage: 'host_ram_usage' },
    },
    full_load: {
      'x-advanced': true,
      'x-texts': { de: { title: 'Volllast' } },
      description: 'Bytes per second that count as a host at full load (100 %), for disk and network.',
      type: 'object',
      properties: {
        instance_disk_io: { 'x-unit': 'B/s', type: 'number', minimum: 1, default: 500_000_000 },
        instance_network_io: { 'x-unit': 'B/s', type: 'number', minimum: 1, default: 1_250_000_000 },
      },
      default: { instance_disk_io: 500_000_000, instance_network_io: 1_250_000_000 },
    },
    host_choice: {
      'x-advanced': true,
      'x-texts': { de: { title: 'Wahl der Zielhosts' } },
      description:
        'Choice of destinations: fullsearch takes the best of all moves each time, cycle tries one host per instance ' +
        'in turn, retry tries retry_count random hosts per instance.',
      type: 'string',
      enum: ['cycle', 'retry', 'fullsearch'],
      default: 'fullsearch',
    },
    retry_count: {
      'x-advanced': true,
      'x-texts': { de: { title: 'Versuche pro Instanz' } },
      description: 'Number of random hosts per instance that retry tries.',
      type: 'number',
      minimum: 1,
      default: 1,
    },
    periods: {
      'x-advanced': true,
      'x-texts': { de: { title: 'Messzeiträume' } },
      description: 'Seconds before now that the metrics cover; node is a former name of compute_node.',
      type: 'object',
      properties: { instance: seconds(720), compute_node: seconds(600), node: seconds(0, 0) },
      default: { instance: 720, compute_node: 600, node: 0 },
    },
    aggregation_method: {
      'x-advanced': true,
      'x-texts': { de: { title: 'Aggregation der Messwerte' } },
      description: 'Aggregate of the values of the period; node is a former name of compute_node.',
      type: 'object',
      properties: {
        instance: { type: 'string', enum: [...loadAggregates, ''], default: 'mean' },
        compute_node: { type: 'string', enum: [...loadAggregates, ''], default: 'mean' },
        node: { type: 'string', enum: [...loadAggregates, ''], default: '' },
      },
      default: { instance: 'mean', compute_node: 'mean', node: '' },
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
  },
} as const satisfies JsonObject;

/** Parameters of `workload_stabilization`. */
export type WorkloadStabilizationParameters = Omit<
  SchemaValue<typeof workloadStabilizationParameters>,
  'instance_metrics'
> & { instance_metrics: { [metric: string]: string } };

/** Windows of the two kinds of metrics. Applies the former name `node`. */
export function windowsOf(parameters: WorkloadStabilizationParameters) {
  const { periods, aggregation_method: methods, granularity } = parameters;
  return {
    instances: {
      periodSeconds: periods.instance,
      granularitySeconds: granularity,
      aggregate: methods.instance || 'mean',
    },
    hosts: {
      periodSeconds: periods.node || periods.compute_node,
      granularitySeconds: granularity,
      aggregate: methods.node || methods.compute_node || 'mean',
    },
  };
}
