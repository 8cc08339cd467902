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

/** A present strategy against the optimizer that has its aim, on what the strategy is for. */
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
 * Threshold of `workload_balance` in percent. Its default, 25, is the mean load of the crooked cloud: no placement has
 * all hosts below.
 */
const threshold = 50;
/** `hot_limit` that treats hosts from the threshold on as hot: what is nearer to the limit than that is noise. */
const hotLimit = threshold - 2;

/** Migrations cost the search nothing, as they cost the strategies nothing. */
const balanceOnly = { effort: 'best', min_gain: 0 };

/** Terms of the search, with nothing else than the present strategies do: they empty no disabled host. */
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
    // The strategy checks no load, and leaves hot hosts as they are.
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
    // The last one checks no load, nor at what is measured, and empties disabled hosts too.
    optimizerParameters:
      strategy === 'node_resource_consolidation'
        ? { hot_limit: 100, minimum_coverage: 0, empty_disabled: true }
        : { aggregation_method: 'mean' },
    measures: { hosts_in_use: hostsInUse },
  }),
);

/**
 * All comparisons. Left out are strategies that do what they are told (maintenance, evacuation, `zone_migration`,
 * `actuator`, `host_return`), that place no instances (`saving_energy`, `storage_capacity_balance`, the dummies), or
 * that act on what nobody can foretell for a placement: temperature, airflow, cache.
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
