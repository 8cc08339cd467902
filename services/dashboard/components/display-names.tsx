import { useLiveEntities } from '../live/use-live.ts';
import { displayNameOf, wordsOf } from '../texts/api-names.ts';
import { text } from '../texts/texts.ts';

/** Display names of goals and strategies by name. Unknown names are turned into words. */
export function useDisplayNames(): (name: string | null | undefined) => string | null {
  const goals = useLiveEntities('goal');
  const strategies = useLiveEntities('strategy');
  return (name) => {
    if (!name) return null;
    const strategy = strategies.find((known) => known.name === name);
    if (strategy) return displayNameOf('strategy', strategy);
    const goal = goals.find((known) => known.name === name);
    return goal ? displayNameOf('goal', goal) : wordsOf(name);
  };
}

/** Display name of a strategy. For an audit without one, the text that Vigil selects it. */
export function StrategyName({ name }: { name: string | null | undefined }) {
  return useDisplayNames()(name) ?? text('common.chosenByVigil');
}

/** Display name of a goal. */
export function GoalName({ name }: { name: string | null | undefined }) {
  return useDisplayNames()(name) ?? '–';
}

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
