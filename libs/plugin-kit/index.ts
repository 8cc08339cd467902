export type {
  ActionContext,
  ActionOptions,
  ActionPlugin,
  PreConditionResult,
  ProbeResult,
  Revertibility,
} from './action.ts';
export type { GoalPlugin, IndicatorDefinition } from './goal.ts';
export type { PlanLimits, PlannedAction, PlannerPlugin } from './planner.ts';
export type {
  MetricsReader,
  ProposedAction,
  StrategyContext,
  StrategyManifest,
  StrategyPlugin,
  StrategyReport,
  StrategyResult,
} from './strategy.ts';
