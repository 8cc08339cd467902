import { displayNameOf } from '../texts/api-names.ts';

/** Goal of the strategies that test an installation. Pages show it only on request. */
export const testGoal = 'dummy';

/** Goals by their names in the language of the page. */
export function sortedGoals<Goal extends { name: string; display_name: string }>(goals: readonly Goal[]): Goal[] {
  return [...goals].sort((a, b) => displayNameOf('goal', a).localeCompare(displayNameOf('goal', b)));
}

/** Goals to choose from: all but that of tests, unless it is chosen. Sorted by name. */
export function offeredGoals<Goal extends { name: string; display_name: string; uuid: string }>(
  goals: readonly Goal[],
  chosen: string,
): Goal[] {
  return sortedGoals(goals.filter(({ name, uuid }) => name !== testGoal || uuid === chosen));
}
