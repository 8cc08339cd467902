import type { Filter, Store } from '#libs/store';
import { canonicalUuid } from '../http/faults/notation.ts';
import { type QueryArguments, textArgument } from './query-arguments.ts';

interface GoalAndStrategy {
  goalId: number;
  strategyId: number | null;
}

/** Sort keys of entities that have a goal and a strategy, by their names in the API. */
export const goalAndStrategySortKeys = {
  goal_uuid: 'goalUuid',
  goal_name: 'goalName',
  strategy_uuid: 'strategyUuid',
  strategy_name: 'strategyName',
} as const;

/** An id that no row has: an unknown goal or strategy gives an empty list. */
const noId = -1;

/** Conditions for the filter arguments `goal` and `strategy`, each a uuid or a name. Empty text is not a condition. */
export async function goalAndStrategyFilters<View extends GoalAndStrategy>(
  store: Store,
  query: QueryArguments,
): Promise<Filter<View>[]> {
  const goal = textArgument(query, 'goal');
  const strategy = textArgument(query, 'strategy');
  const filters: Filter<View>[] = [];
  if (goal) filters.push(await goalFilter<View>(store, goal));
  if (strategy) filters.push(await strategyFilter(store, strategy));
  return filters;
}

/** The condition for one goal, given by uuid or name. */
export async function goalFilter<View extends { goalId: number }>(store: Store, goal: string): Promise<Filter<View>> {
  const row = await store.db.goals.find(canonicalUuid(goal) ?? goal, { showDeleted: true });
  return { field: 'goalId', value: row?.id ?? noId };
}

/** The condition for one strategy, given by uuid or name. */
export async function strategyFilter<View extends { strategyId: number | null }>(
  store: Store,
  strategy: string,
): Promise<Filter<View>> {
  const row = await store.db.strategies.find(canonicalUuid(strategy) ?? strategy, { showDeleted: true });
  return { field: 'strategyId', value: row?.id ?? noId };
}
