import type { ActionView, Store } from '#libs/store';

/** Newest finished actions of a type that are checked. */
const sample = 50;
/** Seconds that an action takes of whose type none has finished yet. */
const unknownSeconds: Record<string, number> = {
  nop: 1,
  change_nova_service_state: 2,
  stop: 30,
  migrate: 60,
  resize: 60,
};
const otherSeconds = 60;

/** Part of an action that tells how long it takes. */
type TimedAction = Pick<ActionView, 'actionType' | 'inputParameters'>;

/** How long actions take, and whether that was measured. */
export interface Durations {
  secondsOf(action: TimedAction): number;
  /** Types of whose actions none has finished yet. */
  guessed: string[];
}

/** Estimates from the median of the newest finished actions of each type. `sleep` says itself how long it takes. */
export async function loadDurations(store: Store, actions: readonly TimedAction[]): Promise<Durations> {
  const types = [...new Set(actions.map((action) => action.actionType))].filter((type) => type !== 'sleep');
  const medians = new Map<string, number>();
  for (const type of types) {
    const median = await medianSeconds(store, type);
    if (median !== null) medians.set(type, median);
  }
  return {
    secondsOf: (action) => {
      const { duration } = action.inputParameters;
      if (action.actionType === 'sleep' && typeof duration === 'number') return duration;
      return medians.get(action.actionType) ?? unknownSeconds[action.actionType] ?? otherSeconds;
    },
    guessed: types.filter((type) => !medians.has(type)).sort(),
  };
}

async function medianSeconds(store: Store, actionType: string): Promise<number | null> {
  const rows = await store.db.actions.list({
    filters: [
      { field: 'actionType', value: actionType },
      { field: 'state', value: 'SUCCEEDED' },
    ],
    sortKey: 'id',
    sortDir: 'desc',
    limit: sample,
  });
  const seconds = rows
    .flatMap(({ startedAt, endedAt }) =>
      startedAt && endedAt ? [(endedAt.getTime() - startedAt.getTime()) / 1000] : [],
    )
    .sort((left, right) => left - right);
  return seconds[Math.floor(seconds.length / 2)] ?? null;
}
