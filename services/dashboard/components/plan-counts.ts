import { text } from '../texts/texts.ts';
/** Number of actions of a plan, in total and by end state. */
export interface PlanCounts {
  total: number;
  succeeded: number;
  failed: number;
  cancelled: number;
  skipped: number;
  running: number;
  /** Not started. */
  waiting: number;
}

/** Actions of a plan by state, as in the stream or a list. */
export interface Counted {
  total?: number;
  by_state?: Readonly<Record<string, number>>;
  progress?: { total: number; by_state: Readonly<Record<string, number>> } | undefined;
}

/** Counts of a plan by the states of its actions. */
export function countsOf(plan: Counted): PlanCounts {
  const progress = plan.progress ?? { total: plan.total ?? 0, by_state: plan.by_state ?? {} };
  const by = (...states: string[]) => states.reduce((sum, state) => sum + (progress.by_state[state] ?? 0), 0);
  return {
    total: progress.total,
    succeeded: by('SUCCEEDED'),
    failed: by('FAILED'),
    cancelled: by('CANCELLED'),
    skipped: by('SKIPPED'),
    running: by('ONGOING', 'CANCELLING'),
    waiting: by('PENDING'),
  };
}

/** Counts in words: succeeded actions first, then every other state. */
export function countsText({ total, succeeded, failed, cancelled, skipped, running }: PlanCounts): string {
  const others = [
    failed > 0 && text('count.failed', { failed }),
    cancelled > 0 && text('count.cancelled', { cancelled }),
    skipped > 0 && text('count.skipped', { skipped }),
    running > 0 && text('count.running', { running }),
  ];
  return [text('count.done', { succeeded, total }), ...others.filter(Boolean)].join(', ');
}
