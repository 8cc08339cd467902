import { CronTextError, readCron } from '#libs/cron';
import type { ActionPlan } from '#libs/domain';

type Window = Pick<ActionPlan, 'windowStart' | 'windowEnd' | 'windowCron' | 'windowSeconds' | 'windowZone'>;

/** Whether a plan may start actions now. Otherwise the next time, or null without a next time. */
export type WindowState = { isOpen: true } | { isOpen: false; opensAt: Date | null };

const open: WindowState = { isOpen: true };

/**
 * Evaluates the maintenance window of a plan: from `windowStart` to `windowEnd`, and, with a cron expression, for
 * `windowSeconds` after each of its times in `windowZone` (null: UTC). A plan without a window may start at any time.
 */
export function windowAt(plan: Window, nowMs: number): WindowState {
  const { windowStart, windowEnd } = plan;
  const from = Math.max(nowMs, windowStart?.getTime() ?? nowMs);
  const opensAt = nextOpening(plan, from);
  const isOver = opensAt === null || (windowEnd !== null && opensAt >= windowEnd.getTime());
  if (isOver) return { isOpen: false, opensAt: null };
  return opensAt <= nowMs ? open : { isOpen: false, opensAt: new Date(opensAt) };
}

/** First time inside the repeated window, at or after `from`. */
function nextOpening({ windowCron, windowSeconds, windowZone }: Window, from: number): number | null {
  if (windowCron === null) return from;
  // The first start of a window that has not ended at `from`.
  const begin = nextTime(windowCron, windowZone ?? undefined, from - (windowSeconds ?? 0) * 1000);
  return begin === null ? null : Math.max(from, begin);
}

/** An invalid cron expression or an unknown time zone has no times. */
function nextTime(cron: string, zone: string | undefined, after: number): number | null {
  try {
    return readCron(cron, zone).next(new Date(after))?.getTime() ?? null;
  } catch (error) {
    if (error instanceof CronTextError) return null;
    throw error;
  }
}
