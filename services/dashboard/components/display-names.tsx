import { useLiveEntities } from '../live/use-live.ts';
import { wordsOf } from '../texts/api-names.ts';
import { text } from '../texts/texts.ts';

/** Display names of goals and strategies by their names. One that is not known is put in words. */
export function useDisplayNames(): (name: string | null | undefined) => string | null {
  const goals = useLiveEntities('goal');
  const strategies = useLiveEntities('strategy');
  return (name) =>
    name ? ([...strategies, ...goals].find((known) => known.name === name)?.display_name ?? wordsOf(name)) : null;
}

/** A strategy as people know it. For an audit without one, who chooses. */
export function StrategyName({ name }: { name: string | null | undefined }) {
  return useDisplayNames()(name) ?? text('common.chosenByVigil');
}

/** A goal as people know it. */
export function GoalName({ name }: { name: string | null | undefined }) {
  return useDisplayNames()(name) ?? '–';
}
