import { actionStateTable, isTerminal } from '#libs/domain';
import type { ActionStateCount } from '#libs/store';

/** How much of a plan is done, by the states of its actions; `percent` to one decimal. */
export function planProgress(counts: readonly Pick<ActionStateCount, 'state' | 'count'>[]) {
  const sum = (found: typeof counts) => found.reduce((total, { count }) => total + count, 0);
  const total = sum(counts);
  const ended = sum(counts.filter(({ state }) => isTerminal(actionStateTable, state)));
  return {
    total,
    ended,
    running: sum(counts.filter(({ state }) => state === 'ONGOING' || state === 'CANCELLING')),
    percent: total === 0 ? 100 : Math.round((ended / total) * 1000) / 10,
    by_state: Object.fromEntries(counts.map(({ state, count }) => [state, count])),
  };
}
