import type { GoalPlugin, StrategyPlugin } from '#libs/plugin-kit';
import type { AuditView } from '#libs/store';
import { AuditRefusedError } from './errors.ts';

/** Strategy that an audit runs, and its parameters. */
export interface ChosenPlugins {
  goal: GoalPlugin;
  strategy: StrategyPlugin;
}

/**
 * The goal and the strategy of an audit: its named strategy, otherwise the first loaded strategy of the goal.
 * @throws AuditRefusedError when one of them is not loaded here.
 */
export function choosePlugins(
  audit: Pick<AuditView, 'goalName' | 'strategyName'>,
  plugins: { goals: readonly GoalPlugin[]; strategies: readonly StrategyPlugin[] },
): ChosenPlugins {
  const goal = plugins.goals.find((candidate) => candidate.name === audit.goalName);
  if (!goal) throw new AuditRefusedError(`goal ${audit.goalName} is not loaded in this decision engine`);
  const strategy = audit.strategyName
    ? plugins.strategies.find((candidate) => candidate.manifest.name === audit.strategyName)
    : plugins.strategies.find((candidate) => candidate.manifest.goal === goal.name);
  if (strategy) return { goal, strategy };
  throw new AuditRefusedError(
    audit.strategyName
      ? `strategy ${audit.strategyName} is not loaded in this decision engine; check VIGIL_PLUGINS`
      : `no strategy for goal ${goal.name} is loaded in this decision engine`,
  );
}
