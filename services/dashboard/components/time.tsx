import { useSyncExternalStore } from 'react';
import { madeOnce, millisOf, relativeTime } from '#libs/client';
import { serverClock } from '../api/server-clock.ts';
import { language, text } from '../texts/texts.ts';
import { roundedText } from './number-text.ts';

export { millisOf };

const tickMs = 15_000;

function subscribe(listener: () => void): () => void {
  const timer = setInterval(listener, tickMs);
  return () => clearInterval(timer);
}

/** Format of times: that of the browser where it has the page's language, else that of the language. */
export function timeLocale(): string {
  const preferred = typeof navigator === 'undefined' ? [] : (navigator.languages ?? []);
  return localeOf(language(), preferred);
}

/** The first preferred locale of a language. English without one is British, which has 24 hours. */
export function localeOf(code: string, preferred: readonly string[]): string {
  return preferred.find((locale) => locale.startsWith(`${code}-`)) ?? (code === 'en' ? 'en-GB' : code);
}

/** A time in full with the browser's time zone, such as `21 Nov 2026, 05:09:12 GMT+1` in British English. */
export function fullTime(at: string | number | Date): string {
  const millis = typeof at === 'string' ? (millisOf(at) ?? Number.NaN) : Number(at);
  if (Number.isNaN(millis)) return '–';
  return fullFormat(timeLocale()).format(millis);
}

function fullFormat(locale: string): Intl.DateTimeFormat {
  return madeOnce(
    `fullTime:${locale}`,
    () =>
      new Intl.DateTimeFormat(locale, {
        day: 'numeric',
        month: 'short',
        year: 'numeric',
        hour: '2-digit',
        minute: '2-digit',
        second: '2-digit',
        hourCycle: 'h23',
        timeZoneName: 'short',
      }),
  );
}

/** The current name of the browser's time zone, such as `GMT+1`. */
export function zoneName(): string {
  const parts = fullFormat(timeLocale()).formatToParts();
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

interface TimeProps {
  at: string | number | null | undefined;
  /** Also shows the full time, for pages about a single entity. */
  isFull?: boolean;
}

/** The age of a time, with the full time as title. */
export function Time({ at, isFull = false }: TimeProps) {
  const now = useSyncExternalStore(subscribe, () => Math.floor(serverClock.now() / tickMs) * tickMs);
  const millis = typeof at === 'number' ? at : millisOf(at);
  if (millis === null) return <>–</>;
  const full = fullTime(millis);
  return (
    <time dateTime={new Date(millis).toISOString()} title={full}>
      {relativeTime(millis, now, { locale: language(), soon: text('common.soon'), justNow: text('common.justNow') })}
      {isFull && ` (${full})`}
    </time>
  );
}

/**
 * Seconds in words, such as `1 min 5 s`. A number stays on the line of its unit. Small clock differences give no
 * negative durations.
 */
export function durationText(length: number): string {
  const seconds = Math.max(0, length);
  if (seconds < 1) return `${Math.round(seconds * 1000)}\u00a0ms`;
  if (seconds < 10) return `${roundedText(seconds, 1)}\u00a0s`;
  if (seconds < 60) return `${Math.round(seconds)}\u00a0s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return joined(Math.floor(whole / 60), 'min', whole % 60, 's');
  const minutes = Math.round(whole / 60);
  return joined(Math.floor(minutes / 60), 'h', minutes % 60, 'min');
}

function joined(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return `${large}\u00a0${largeUnit}${small > 0 ? ` ${small}\u00a0${smallUnit}` : ''}`;
}
