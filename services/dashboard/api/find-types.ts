import type { components } from './generated/internal-schema.ts';

type Schemas = components['schemas'];

/** `/internal/cluster/find`. */
export type ClusterFound = Schemas['ClusterFound'];

/** A host, instance, project or flavor that was found. */
export type FoundEntry = ClusterFound['found'][number];

/** `/internal/forecasts/flavors/{flavor}`. */
export type CapacityForecast = Schemas['CapacityForecast'];

/** `/internal/cluster/instances/{uuid}`. */
export type ClusterInstance = Schemas['ClusterInstance'];

/** `/internal/cluster/hosts/{hostname}`. */
export type ClusterHostDetail = Schemas['ClusterHost'];

/** A move of `/internal/moves`. */
export type Move = Schemas['Move'];

/** `/internal/moves`. */
export type MoveList = Schemas['MoveList'];

/** A rule of `/internal/placement-rules`. */
export type PlacementRule = Schemas['PlacementRule'];

/** Fields of a new rule. */
export type PlacementRuleCreate = Schemas['PlacementRuleCreate'];

/** A rule of `/internal/placement-rule-effects`. */
export type RuleEffect = Schemas['PlacementRuleEffect'];

/** `/internal/placement-rule-effects`. */
export type RuleEffects = Schemas['PlacementRuleEffects'];

/** `/internal/trends`. */
export type TrendsResponse = Schemas['Trends'];

/** Promises of a strategy of `/internal/trends`. */
export type TrendPromise = Schemas['TrendPromise'];

/** A plan of `/internal/trends`. */
export type TrendPlan = Schemas['TrendPlan'];

/** A plan of `/internal/plan-ends`. */
export type PlanEnd = Schemas['PlanEnd'];

/** `/internal/plan-ends`. */
export type PlanEndList = Schemas['PlanEndList'];
