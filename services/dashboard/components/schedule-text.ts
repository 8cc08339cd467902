import { text } from '../texts/texts.ts';
import { durationText } from './time.tsx';

/** A schedule in words: seconds as a duration, a cron expression with its time zone. */
export function scheduleText(interval: string | null, timeZone: string): string {
  if (interval === null || interval === '') return '–';
  return /^\d+$/.test(interval)
    ? text('common.every', { time: durationText(Number(interval)) })
    : `${interval} (${timeZone})`;
}
