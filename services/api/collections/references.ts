import type { AuditView } from '#libs/store';

type GoalFields = Pick<AuditView, 'goalUuid' | 'goalName' | 'goalDeleted'>;
type StrategyFields = Pick<AuditView, 'strategyUuid' | 'strategyName' | 'strategyDeleted'>;

interface Visibility {
  showDeleted: boolean;
}

/** The goal of a row; null when it is soft-deleted and such rows are not asked for. */
export function goalOf(
  { goalUuid, goalName, goalDeleted }: GoalFields,
  { showDeleted }: Visibility,
): { goal_uuid: string | null; goal_name: string | null } {
  const shown = showDeleted || goalDeleted === 0;
  return { goal_uuid: shown ? goalUuid : null, goal_name: shown ? goalName : null };
}

/** The strategy of a row; null when there is none, or when it is soft-deleted and such rows are not asked for. */
export function strategyOf(
  { strategyUuid, strategyName, strategyDeleted }: StrategyFields,
  { showDeleted }: Visibility,
): { strategy_uuid: string | null; strategy_name: string | null } {
  const shown = showDeleted || strategyDeleted === 0;
  return { strategy_uuid: shown ? strategyUuid : null, strategy_name: shown ? strategyName : null };
}
