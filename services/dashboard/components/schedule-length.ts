import { readCron } from '#libs/cron';

/** Runs whose mean distance is the length of a cron expression: the days of a week differ. */
const runs = 8;

/** Seconds from one run of a schedule to the next, for the order of schedules. Infinity: none, or an invalid one. */
export function scheduleLength(interval: string | null, from: Date = new Date()): number {
  if (interval === null || interval === '') return Number.POSITIVE_INFINITY;
  if (/^\d+$/.test(interval)) return Number(interval);
  try {
    const upcoming = readCron(interval, 'UTC').upcoming(runs, from);
    const [first, last] = [upcoming[0], upcoming.at(-1)];
    if (!first || !last || first === last) return Number.POSITIVE_INFINITY;
    return (last.getTime() - first.getTime()) / 1000 / (upcoming.length - 1);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
