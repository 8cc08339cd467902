import { indicatorText, quantities, withUnits } from '#libs/client';
import type { PlanHeadlineData } from '../api/list-types.ts';
import { countText } from './efficacy.tsx';
import { durationText } from './time.tsx';

/** What a plan brings, and what it costs, each in a few words. */
export interface HeadlineParts {
  gain: string[];
  cost: string[];
}

const undoing: Readonly<Record<string, string>> = {
  exact: 'can be undone',
  'best-effort': 'can be undone as far as the cloud allows',
  impossible: 'cannot be undone',
};

const counted = (count: number, one: string, many = `${one}s`) =>
  count === 0 ? [] : [`${countText(count)} ${count === 1 ? one : many}`];

/** The headline of a plan in words. */
export function headlineParts(headline: PlanHeadlineData, strategy: string | null = null): HeadlineParts {
  const { live_migrations: live, cold_migrations: cold, volume_moves: volumes, other_actions: others } = headline;
  if (live + cold + volumes + others === 0) return { gain: [], cost: ['nothing to do'] };
  const { gap, hosts_freed: freed, memory, rollback, seconds } = headline;
  return {
    gain: [
      ...gainedQuantities(withUnits(headline.indicators, strategy)),
      ...(freed === null ? [] : counted(freed, 'host freed', 'hosts freed')),
      ...(gap === null
        ? []
        : [gap <= 0.005 ? 'no plan can be better' : `${percent(gap)} left to the best there can be`]),
    ],
    cost: [
      ...counted(live, 'live migration'),
      ...counted(cold, 'cold migration'),
      ...counted(volumes, 'volume moved', 'volumes moved'),
      ...counted(others, 'other action'),
      ...(memory === null || memory === 0 ? [] : [gibText(memory)]),
      ...(seconds > 0 ? [`at least ${durationText(roughly(seconds))}`] : []),
      ...(rollback === null ? [] : [undoing[rollback] ?? rollback]),
    ],
  };
}

/** MiB as GiB. */
export function gibText(mib: number): string {
  const gib = mib / 1024;
  return `${gib.toLocaleString('en', { maximumFractionDigits: gib < 10 ? 1 : 0 })}\u00a0GiB`;
}

function gainedQuantities(indicators: PlanHeadlineData['indicators']): string[] {
  const find = (name: string) => indicators.find((indicator) => indicator.name === name);
  return quantities.flatMap(({ title, before, after }) => {
    const [from, to] = [find(before), find(after)];
    if (from?.value === null || from?.value === undefined || to?.value === null || to?.value === undefined) return [];
    return [`${title} ${indicatorText(before, from.value, from.unit)} → ${indicatorText(after, to.value, to.unit)}`];
  });
}

const percent = (part: number) => `${(part * 100).toLocaleString('en', { maximumFractionDigits: 0 })}\u00a0%`;

/** An estimate is not told to the second. */
function roughly(seconds: number): number {
  if (seconds < 60) return Math.max(10, Math.round(seconds / 10) * 10);
  return Math.round(seconds / 60) * 60;
}
