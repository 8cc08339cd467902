import { readCron } from '#libs/cron';

const shown = 5;

/**
 * The next runs of a schedule that is seconds or cron text in a time zone, as decision engines understand it.
 * @throws Error with a reason when it is neither.
 */
export function nextRuns(interval: string, from: Date, timeZone: string): Date[] {
  const text = interval.trim();
  if (text === '') throw new Error('A schedule is needed.');
  if (/^\d+$/.test(text)) {
    const seconds = Number(text);
    if (seconds < 1) throw new Error('At least one second.');
    return Array.from({ length: shown }, (_unused, index) => new Date(from.getTime() + index * seconds * 1000));
  }
  const runs = readCron(text, timeZone).upcoming(shown, from);
  if (runs.length === 0) throw new Error('It would never run.');
  return runs;
}

/** Why a schedule cannot be used, in one sentence; null when it can. */
export function scheduleProblem(interval: string, from: Date, timeZone: string): string | null {
  try {
    nextRuns(interval, from, timeZone);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
