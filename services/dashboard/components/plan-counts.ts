import type { LivePlan } from '../live/live-entities.ts';

/** How many actions a plan has, and how many of them have come to which end. */
export interface PlanCounts {
  total: number;
  succeeded: number;
  failed: number;
  cancelled: number;
  skipped: number;
  running: number;
  /** Not begun. */
  waiting: number;
}

/** Counts of a plan by the states of its actions, as the stream and lists tell them. */
export function countsOf({ progress }: Pick<LivePlan, 'progress'>): PlanCounts {
  const by = (...states: string[]) => states.reduce((sum, state) => sum + (progress?.by_state[state] ?? 0), 0);
  return {
    total: progress?.total ?? 0,
    succeeded: by('SUCCEEDED'),
    failed: by('FAILED'),
    cancelled: by('CANCELLED'),
    skipped: by('SKIPPED'),
    running: by('ONGOING', 'CANCELLING'),
    waiting: by('PENDING'),
  };
}

/** Counts in words: what was done first, everything else by its name. */
export function countsText({ total, succeeded, failed, cancelled, skipped, running }: PlanCounts): string {
  const others = [
    failed > 0 && `${failed} failed`,
    cancelled > 0 && `${cancelled} cancelled`,
    skipped > 0 && `${skipped} skipped`,
    running > 0 && `${running} running`,
  ];
  return [`${succeeded} of ${total} done`, ...others.filter(Boolean)].join(', ');
}
