import type { AuditView } from '#libs/store';

type GoalFields = Pick<AuditView, 'goalUuid' | 'goalName' | 'goalDeleted'>;
type StrategyFields = Pick<AuditView, 'strategyUuid' | 'strategyName' | 'strategyDeleted'>;

interface Visibility {
  showDeleted: boolean;
}

/**
 * The goal of a row. A soft-deleted goal, without a plugin, keeps its name for the history of its
 * users. Its uuid is null as in Watcher, because it cannot be found, unless such rows are requested.
 */
export function goalOf(
  { goalUuid, goalName, goalDeleted }: GoalFields,
  { showDeleted }: Visibility,
): { goal_uuid: string | null; goal_name: string } {
  return { goal_uuid: showDeleted || goalDeleted === 0 ? goalUuid : null, goal_name: goalName };
}

/** The strategy of a row, by the rules of `goalOf`. Both are null when there is none. */
export function strategyOf(
  { strategyUuid, strategyName, strategyDeleted }: StrategyFields,
  { showDeleted }: Visibility,
): { strategy_uuid: string | null; strategy_name: string | null } {
  return { strategy_uuid: showDeleted || strategyDeleted === 0 ? strategyUuid : null, strategy_name: strategyName };
}
