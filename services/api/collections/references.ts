import type { Store } from '#libs/store';
import { visibleUuids } from './find-entity.ts';

interface WithGoal {
  goalUuid: string;
  goalName: string;
}
interface WithStrategy {
  strategyUuid: string | null;
  strategyName: string | null;
}

/** Shows what rows refer to; goals and strategies that are soft-deleted (and not asked for) are null. */
export interface References {
  goalOf(row: WithGoal): { goal_uuid: string | null; goal_name: string | null };
  strategyOf(row: WithStrategy): { strategy_uuid: string | null; strategy_name: string | null };
}

/** Looks up, in one query per kind, which goals and strategies of `rows` may be shown. */
export async function loadReferences(
  store: Store,
  rows: readonly (Partial<WithGoal> & WithStrategy)[],
  options: { showDeleted: boolean },
): Promise<References> {
  const goalUuids = rows.map((row) => row.goalUuid ?? null);
  const strategyUuids = rows.map((row) => row.strategyUuid);
  const [goals, strategies] = await Promise.all([
    visibleUuids(store.db.goals, goalUuids, options),
    visibleUuids(store.db.strategies, strategyUuids, options),
  ]);
  return {
    goalOf: ({ goalUuid, goalName }) =>
      goals.has(goalUuid) ? { goal_uuid: goalUuid, goal_name: goalName } : { goal_uuid: null, goal_name: null },
    strategyOf: ({ strategyUuid, strategyName }) =>
      strategyUuid !== null && strategies.has(strategyUuid)
        ? { strategy_uuid: strategyUuid, strategy_name: strategyName }
        : { strategy_uuid: null, strategy_name: null },
  };
}
