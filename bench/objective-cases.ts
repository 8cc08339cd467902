import type { JsonObject } from '#libs/domain';
import {
  allocationDeviation,
  countDeviation,
  cpuDeviation,
  hostsAbove,
  hostsInUse,
  type Measure,
  overload,
} from './objective-measures.ts';

/** A strategy compared with the optimizer for the same aim, by the objective of the strategy. */
export interface ObjectiveCase {
  name: string;
  strategy: string;
  parameters: JsonObject;
  optimizer: string;
  /** Beside the limit of migrations and the time of the search. */
  optimizerParameters: JsonObject;
  /** Objectives of the strategy by name. */
  measures: Record<string, Measure>;
}

/**
 * Threshold of `workload_balance` in percent. Its default, 25, is the mean load of the crooked cloud, so that no
 * placement keeps all hosts below it.
 */
const threshold = 50;
/** `hot_limit` that treats hosts from the threshold on as hot. Smaller differences to the limit are noise. */
const hotLimit = threshold - 2;

/** Migrations cost the search nothing, as they cost the strategies nothing. */
const balanceOnly = { preset: 'even', effort: 'best', min_gain: 0 };

/** Terms of the search, limited to those of the compared strategies: they empty no disabled host. */
const termsOf = (name: string): JsonObject => ({
  ...{ disabled_hosts: 'off', cpu_balance: 'off', memory_balance: 'off' },
  [name]: 'normal',
});

const allocations = (
  [
    ['memory', 'memory_deviation', allocationDeviation('memory')],
    ['vcpus', 'vcpus_deviation', allocationDeviation('vcpus')],
    ['instances', 'count_deviation', countDeviation],
  ] as const
).map(
  ([what, name, measure]): ObjectiveCase => ({
    name: `allocation_balance_${what}`,
    strategy: 'allocation_balance',
    parameters: { resource: what },
    optimizer: 'balance_optimizer',
    // The strategy reads no load, and leaves hot hosts unchanged.
    optimizerParameters: { ...balanceOnly, terms: { ...termsOf(`${what}_balance`), hot_spots: 'off' } },
    measures: { [name]: measure },
  }),
);

const consolidations = ['vm_workload_consolidation', 'basic', 'node_resource_consolidation'].map(
  (strategy): ObjectiveCase => ({
    name: strategy,
    strategy,
    // With `auto`, Nova chooses where instances go.
    parameters: strategy === 'node_resource_consolidation' ? { host_choice: 'specify' } : {},
    optimizer: 'consolidation_optimizer',
    // This strategy reads neither load nor other metrics, and also empties disabled hosts.
    optimizerParameters:
      strategy === 'node_resource_consolidation'
        ? { hot_limit: 100, minimum_coverage: 0, empty_disabled: true }
        : { aggregation_method: 'mean' },
    measures: { hosts_in_use: hostsInUse },
  }),
);

/**
 * All comparisons. They exclude strategies that carry out an order (maintenance, evacuation, `zone_migration`,
 * `actuator`, `host_return`) and strategies that place no instances (`saving_energy`, `storage_capacity_balance`, the
 * dummies). They also exclude strategies whose measure cannot be predicted for a placement: temperature, airflow,
 * cache.
 */
export const objectiveCases: readonly ObjectiveCase[] = [
  {
    name: 'workload_stabilization',
    strategy: 'workload_stabilization',
    parameters: {},
    optimizer: 'balance_optimizer',
    optimizerParameters: {
      ...balanceOnly,
      aggregation_method: 'mean',
      terms: termsOf('cpu_balance'),
    },
    measures: { cpu_deviation: cpuDeviation },
  },
  {
    name: 'workload_balance',
    strategy: 'workload_balance',
    parameters: { threshold },
    optimizer: 'balance_optimizer',
    optimizerParameters: {
      ...balanceOnly,
      aggregation_method: 'mean',
      hot_limit: hotLimit,
      terms: termsOf('cpu_balance'),
    },
    measures: { hosts_above: hostsAbove(threshold), overload: overload(threshold) },
  },
  ...allocations,
  ...consolidations,
];
