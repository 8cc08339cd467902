import type { JsonObject, MetricAggregate } from '#libs/domain';
import { minimumCoverageSchema } from '../shared/hosts/covered-use.ts';
import { type TargetUtilization, targetUtilizationSchema } from '../shared/hosts/target-utilization.ts';
import { aggregationMethodSchema } from '../shared/moves/shared-parameters.ts';
import { type HotLimits, usualCpuLimit } from './hot-limits.ts';
import { type Effort, efforts } from './move-seconds.ts';
import type { Choice } from './sizes.ts';
import { optionalTerms, termFactors } from './terms.ts';

const hotPercent: JsonObject = { 'x-unit': '%', type: 'number', minimum: 10, maximum: 100 };

/** Parameters of every strategy that searches for a placement. */
export type SearchParameters = {
  /** Maximum migrations in the plan, default 50. 0: no limit. */
  max_moves: number;
  /** The same by the engine's name. The smaller of both is used. */
  migration_budget?: number;
  /** Maximum total duration of the migrations in sequence, in minutes. Default: no limit. */
  max_minutes?: number;
  /** The point of the curve that becomes the plan, default `budget`. */
  choose: Choice;
  /** Cost of migrations relative to the aim, default `balanced`. */
  effort: Effort;
  /** Minimum gain of a plan, in points of 100. Default 2. */
  min_gain: number;
  /** Maximum use of a host in percent of its physical CPUs, default 80, or an object of limits by resource. */
  hot_limit: number | Partial<HotLimits>;
  /** Hosts of each failure domain that may fail simultaneously. Default 1. */
  reserve_hosts?: number;
  /** Budget of the search in seconds of work, default 10. */
  time_limit: number;
  /** Weights of terms, by their names. Default `normal`. */
  terms: Record<string, keyof typeof termFactors>;
  /** Window of loads in seconds, default 3600. */
  period: number;
  aggregation_method: MetricAggregate;
  /** Minimum percent of the allocations of a host with measurements. Default 80. */
  minimum_coverage?: number;
};

/** Schemas of these parameters. */
export const searchProperties: Record<string, JsonObject> = {
  max_moves: {
    'x-texts': { de: { title: 'Maximale Migrationen' } },
    description:
      'Maximum migrations in the plan; 0: no limit. The smaller of this and the budget of the engine applies.',
    type: 'integer',
    default: 50,
    minimum: 0,
  },
  migration_budget: {
    'x-texts': { de: { title: 'Migrationsbudget' } },
    description: 'The same limit, by its name in other strategies. Default: the configuration of the engine.',
    type: 'integer',
    minimum: 0,
  },
  max_minutes: {
    'x-texts': { de: { title: 'Maximale Dauer' } },
    description: 'Maximum total duration of the migrations in sequence, in minutes. Default: no limit.',
    'x-unit': 'min',
    type: 'number',
    minimum: 1,
  },
  choose: {
    'x-advanced': true,
    'x-texts': { de: { title: 'Wahl der Plangröße' } },
    description:
      'Plan to propose, of several sizes: budget takes the largest one, knee the one beyond which further ' +
      'migrations gain little. The audit keeps the others, which can be planned later.',
    type: 'string',
    enum: ['budget', 'knee'],
    default: 'budget',
  },
  effort: {
    'x-texts': { de: { title: 'Aufwand' } },
    description: 'Migrations per point of 100 gained: 10, 40, or no limit.',
    type: 'string',
    enum: efforts,
    default: 'balanced',
  },
  min_gain: {
    'x-advanced': true,
    'x-texts': { de: { title: 'Mindestgewinn' } },
    description:
      'Minimum gain of a plan, in points of 100. A plan with less gain only repairs broken rules and relieves hot ' +
      'hosts.',
    'x-unit': 'points',
    type: 'number',
    default: 2,
    minimum: 0,
    maximum: 100,
  },
  hot_limit: {
    'x-texts': { de: { title: 'Grenze für heiße Hosts' } },
    description:
      'Maximum use of the physical CPUs of a host in percent, or an object of limits by resource (cpu, memory; ' +
      'memory as measured). A host above it by more than noise (2 %) is relieved to 5 % below it before anything ' +
      'else.',
    'x-unit': '%',
    type: ['number', 'object'],
    default: usualCpuLimit,
    minimum: 10,
    maximum: 100,
    properties: { cpu: hotPercent, memory: hotPercent },
    additionalProperties: false,
  },
  reserve_hosts: {
    'x-texts': { de: { title: 'Hosts in Reserve' } },
    description:
      'Hosts of every failure domain that may fail simultaneously: the others have room for their instances. ' +
      'Default: `VIGIL_FAILURE_RESERVE`, which is 1; 0: no reserve. A domain that already lacks the reserve does ' +
      'not get worse.',
    'x-setting': 'VIGIL_FAILURE_RESERVE',
    type: 'integer',
    minimum: 0,
    maximum: 10,
  },
  time_limit: {
    'x-advanced': true,
    'x-texts': { de: { title: 'Zeitlimit der Suche' } },
    description:
      'Budget of the search in seconds. It is counted as work, so the same cloud gives the same plan on any ' +
      'machine.',
    'x-unit': 's',
    type: 'integer',
    default: 10,
    minimum: 1,
    maximum: 240,
  },
  terms: {
    'x-advanced': true,
    'x-texts': { de: { title: 'Gewichtung der Zielfunktion' } },
    description:
      'Weights of terms of the objective, by their names in the report: off, low, normal or high. Off by default: ' +
      'vcpus_balance (allocated vcpus) and instances_balance (number of instances), for balance.',
    type: 'object',
    additionalProperties: { type: 'string', enum: Object.keys(termFactors) },
    default: {},
  },
  period: {
    'x-advanced': true,
    'x-texts': { de: { title: 'Messzeitraum' } },
    description: 'Window of the loads in seconds.',
    'x-unit': 's',
    type: 'integer',
    default: 3600,
    minimum: 1,
  },
  aggregation_method: { ...aggregationMethodSchema, default: 'p95' },
  minimum_coverage: minimumCoverageSchema,
};

/** Parameters of a search that frees hosts. */
export type ConsolidationParameters = Pick<
  SearchParameters,
  | 'max_moves'
  | 'migration_budget'
  | 'max_minutes'
  | 'choose'
  | 'hot_limit'
  | 'reserve_hosts'
  | 'time_limit'
  | 'period'
  | 'aggregation_method'
  | 'minimum_coverage'
> & {
  /** Percent to which hosts are filled by allocations. Default 80 of each resource. */
  target_utilization?: Partial<TargetUtilization>;
  /** Whether up but disabled hosts are also emptied. Default false. */
  empty_disabled?: boolean;
};

const { effort: _effort, min_gain: _gain, terms: _terms, ...sharedProperties } = searchProperties;

/** Schemas of these parameters. */
export const consolidationProperties = {
  ...sharedProperties,
  target_utilization: targetUtilizationSchema,
  empty_disabled: {
    'x-texts': { de: { title: 'Deaktivierte Hosts leeren' } },
    description:
      'Whether to also empty disabled hosts that are up, and to count them as hosts in use. They receive no ' +
      'instances. Default: false.',
    type: 'boolean',
  },
} as Record<string, JsonObject>;

/** The smaller of the two budgets of migrations. 0: none. */
export function budgetOf({
  max_moves: own,
  migration_budget: given = 0,
}: Pick<SearchParameters, 'max_moves' | 'migration_budget'>): number {
  return own > 0 && given > 0 ? Math.min(own, given) : Math.max(own, given);
}

/** Hosts of each failure domain that may fail simultaneously. 0: no reserve. */
export function reserveOf({ reserve_hosts: reserve = 1 }: Pick<SearchParameters, 'reserve_hosts'>): number {
  return reserve;
}

/** Weight of each term, as a factor. */
export function factorsOf({ terms }: SearchParameters): Record<string, number> {
  const given = Object.entries(terms).map(([name, word]) => [name, termFactors[word]] as const);
  return { ...optionalTerms, ...Object.fromEntries(given) };
}
