import type { ActionPlugin } from './action.ts';
import type { GoalPlugin } from './goal.ts';
import type { PlannerPlugin } from './planner.ts';
import type { ScoringContainerPlugin, ScoringEnginePlugin } from './scoring.ts';
import type { CollectorPlugin, DataSourcePlugin } from './sources.ts';
import type { StrategyPlugin } from './strategy.ts';

/** Entry of a plugin module's export `plugins`. Parameters and inputs may be declared as types or as interfaces. */
export type VigilPlugin =
  | GoalPlugin
  | StrategyPlugin<object>
  | PlannerPlugin
  | ActionPlugin<object>
  | ScoringEnginePlugin
  | ScoringContainerPlugin
  | DataSourcePlugin
  | CollectorPlugin;

/** The kinds, as `kind` of a manifest or plugin. */
export const pluginKinds = [
  'goal',
  'strategy',
  'planner',
  'action',
  'scoring_engine',
  'scoring_container',
  'data_source',
  'collector',
] as const;
export type PluginKind = (typeof pluginKinds)[number];

/** Kind of a plugin. A strategy says it in its manifest. */
export function kindOf(plugin: VigilPlugin): PluginKind {
  return 'manifest' in plugin ? plugin.manifest.kind : plugin.kind;
}

/** Name of a plugin, unique within its kind. */
export function nameOf(plugin: VigilPlugin): string {
  return 'manifest' in plugin ? plugin.manifest.name : plugin.name;
}
