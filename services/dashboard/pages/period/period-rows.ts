import type { PeriodReport } from '#libs/client';
import { shareText } from '../../components/number-text.ts';

type StateRow = Pick<PeriodReport['plans']['by_state'][number], 'plans' | 'removed'> & { state: string };

/** Plans by shown state: paused plans have a separate row after the others of their state. */
export function stateRows(states: PeriodReport['plans']['by_state']): StateRow[] {
  const paused = states.reduce((sum, row) => sum + row.paused, 0);
  const rows = states.map((row): StateRow => ({ ...row, plans: row.plans - row.paused }));
  return [
    ...rows.filter(({ plans }) => plans > 0),
    ...(paused > 0 ? [{ state: 'PAUSED', plans: paused, removed: 0 }] : []),
  ];
}

/** A percentage with one decimal, so that all numbers of a column have the same form. */
export function percentText(percent: number | null): string {
  return percent === null ? '–' : shareText(percent / 100);
}
