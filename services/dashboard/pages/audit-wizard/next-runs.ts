import { Cron } from 'croner';

const shown = 5;

/**
 * The next runs of a schedule that is seconds or cron text in UTC, as the API understands it.
 * @throws Error with a reason when it is neither.
 */
export function nextRuns(interval: string, from: Date): Date[] {
  const text = interval.trim();
  if (text === '') throw new Error('A schedule is needed.');
  if (/^\d+$/.test(text)) {
    const seconds = Number(text);
    if (seconds < 1) throw new Error('At least one second.');
    return Array.from({ length: shown }, (_unused, index) => new Date(from.getTime() + index * seconds * 1000));
  }
  if (text.split(/\s+/).length < 5) throw new Error('Seconds, or cron text with five fields.');
  const runs = new Cron(text, { timezone: 'UTC' }).nextRuns(shown, from);
  if (runs.length === 0) throw new Error('It would never run.');
  return runs;
}

/** Why a schedule can not be used, in one sentence; null when it can. */
export function scheduleProblem(interval: string, from: Date): string | null {
  try {
    nextRuns(interval, from);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
