export type {
  BaremetalSnapshot,
  ComputeSnapshot,
  ConstraintName,
  StorageSnapshot,
  StorageWhatIf,
  WhatIf,
} from '#libs/cluster-model';
export type {
  AccessScope,
  ActionContext,
  ActionOptions,
  ActionPlugin,
  JournalEntries,
  PreConditionResult,
  ProbeResult,
  Revertibility,
  RevertUse,
} from './action.ts';
export { globalEfficacyOf, planWith } from './call-plugin.ts';
export type { ActionSchemas } from './check-actions.ts';
export { checkPlannedActions, checkProposedActions } from './check-actions.ts';
export { InvalidPluginResultError, InvalidStrategyResultError } from './errors.ts';
export type { MigrationTimes, StrategyRun } from './execute-strategy.ts';
export { executeStrategy, migrationTimesOf } from './execute-strategy.ts';
export type { GoalPlugin, IndicatorDefinition } from './goal.ts';
export { compileDraft4 } from './json-schema.ts';
export type { LoadedPlugins, PluginFault } from './load-configured-plugins.ts';
export { loadConfiguredPlugins } from './load-configured-plugins.ts';
export { loadPlugins } from './load-plugins.ts';
export type { HostWindow, MetricsSource, RecordedMetrics } from './metrics-reader.ts';
export { createMetricsReader } from './metrics-reader.ts';
export type { MigrationNetwork } from './migration-networks.ts';
export { migrationNetworksCheck, networksOf, parseMigrationNetworks } from './migration-networks.ts';
export { validateIndicators, validateParameters } from './parameters.ts';
export {
  type BlockedAction,
  migrationsAtOnce,
  type PlanLimits,
  type PlannedAction,
  type PlannerPlugin,
  type Weighting,
} from './planner.ts';
export type { PluginKind, VigilPlugin } from './plugin.ts';
export type { PredictedMetrics } from './predicted-metrics.ts';
export { predictMetrics } from './predicted-metrics.ts';
export type { PluginOrigin, PluginRegistry, PluginSource, ScoringSource } from './registry.ts';
export { createPluginRegistry } from './registry.ts';
export type { ScoringContainerPlugin, ScoringEnginePlugin, ScoringReader } from './scoring.ts';
export { createScoringReader, scoringEnginesOf } from './scoring.ts';
export type { DescentTask, PlacementGuard } from './search/descent.ts';
export { Descent } from './search/descent.ts';
export type { ImprovedPlacement, PlacementMove } from './search/improve-placement.ts';
export type { Hinge, PlacementCosts, PlacementProblem } from './search/placement-problem.ts';
export { createPlacementProblem } from './search/placement-problem.ts';
export type { Found, Searcher, SearchOptions } from './search/search-placements.ts';
export { searchPlacements } from './search/search-placements.ts';
export type { CollectorContext, CollectorPlugin, DataSourceContext, DataSourcePlugin, ModelInputs } from './sources.ts';
export type {
  MetricsReader,
  MetricsWindow,
  ModelName,
  PastActions,
  ProposedAction,
  StrategyContext,
  StrategyManifest,
  StrategyPlugin,
  StrategyReport,
  StrategyResult,
  StrategyVariant,
} from './strategy.ts';
export { modelNames } from './strategy.ts';
export { checkStrategyResult } from './strategy-result.ts';
export type { SearchProgress, StrategyWork, WorkOptions } from './work.ts';
export { createStrategyWork, stopSignal, workOf } from './work.ts';
