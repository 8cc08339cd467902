import type { GlobalEfficacy, JsonObject } from '#libs/domain';

/** One number that strategies of a goal report. */
export interface IndicatorDefinition {
  name: string;
  description: string;
  unit: string | null;
  required: boolean;
  /** JSON Schema of the value. */
  schema: JsonObject;
}

/** A goal: the aim of an operator, and its measure of success. */
export interface GoalPlugin {
  kind: 'goal';
  name: string;
  displayName: string;
  indicators: IndicatorDefinition[];
  /** Entries of the plan's global efficacy from the indicator values. An empty list when the goal has none. */
  globalEfficacy(indicators: Record<string, number>): GlobalEfficacy[];
}
