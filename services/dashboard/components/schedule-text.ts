import { text } from '../texts/texts.ts';
import { durationText } from './time.tsx';

/** When something runs, in words: seconds as a duration, cron text with the time zone in which it is read. */
export function scheduleText(interval: string | null, timeZone: string): string {
  if (interval === null || interval === '') return '–';
  return /^\d+$/.test(interval)
    ? text('common.every', { time: durationText(Number(interval)) })
    : `${interval} (${timeZone})`;
}
