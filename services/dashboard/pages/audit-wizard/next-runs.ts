import { readCron } from '#libs/cron';
import { text } from '../../texts/texts.ts';

const shown = 5;

/**
 * The next runs of a schedule of seconds or a cron expression in a time zone, as in decision engines.
 * @throws Error with a reason if it is neither.
 */
export function nextRuns(interval: string, from: Date, timeZone: string): Date[] {
  const given = interval.trim();
  if (given === '') throw new Error(text('schedule.needed'));
  if (/^\d+$/.test(given)) {
    const seconds = Number(given);
    if (seconds < 1) throw new Error(text('schedule.tooShort'));
    return Array.from({ length: shown }, (_unused, index) => new Date(from.getTime() + index * seconds * 1000));
  }
  const runs = readCron(given, timeZone).upcoming(shown, from);
  if (runs.length === 0) throw new Error(text('schedule.never'));
  return runs;
}

/** Error of a schedule in one sentence. Null if it is valid. */
export function scheduleProblem(interval: string, from: Date, timeZone: string): string | null {
  try {
    nextRuns(interval, from, timeZone);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
