import type { MisfirePolicy } from '#libs/store';
import type { NextTime } from './cron.ts';

/** Firings of one transaction; what is left comes with the next. */
const most = 100;

/** What is to fire now, and when the schedule is due next. */
export interface DueFirings {
  fire: Date[];
  next: Date | null;
}

/**
 * Firings of a schedule that was due at `due`. Those not older than `graceMs` are on time and always fire; for older ones
 * the policy decides: `skip` none, `run_once` one for all unless one is on time, `catch_up` each.
 */
export function dueFirings(
  nextTime: NextTime,
  { due, now, policy, graceMs }: { due: Date; now: Date; policy: MisfirePolicy; graceMs: number },
): DueFirings {
  if (policy === 'catch_up') return collect(nextTime, due, now);
  const since = new Date(now.getTime() - graceMs);
  if (due >= since) return collect(nextTime, due, now);
  const first = nextTime(new Date(since.getTime() - 1));
  if (first !== null && first <= now) return collect(nextTime, first, now);
  return { fire: policy === 'run_once' ? [due] : [], next: first };
}

function collect(nextTime: NextTime, first: Date, now: Date): DueFirings {
  const fire: Date[] = [];
  let next: Date | null = first;
  while (next !== null && next <= now && fire.length < most) {
    fire.push(next);
    next = nextTime(next);
  }
  return { fire, next };
}
