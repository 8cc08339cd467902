import { wordsOf } from '#libs/client';
import { useLiveEntities } from '../live/use-live.ts';

/** Display names of goals and strategies by their names; one that is not known is put in words. */
export function useDisplayNames(): (name: string | null | undefined) => string | null {
  const goals = useLiveEntities('goal');
  const strategies = useLiveEntities('strategy');
  return (name) =>
    name ? ([...strategies, ...goals].find((known) => known.name === name)?.display_name ?? wordsOf(name)) : null;
}

/** A strategy as people know it; for an audit without one, who chooses. */
export function StrategyName({ name }: { name: string | null | undefined }) {
  return useDisplayNames()(name) ?? 'chosen by Vigil';
}

/** A goal as people know it. */
export function GoalName({ name }: { name: string | null | undefined }) {
  return useDisplayNames()(name) ?? '–';
}
