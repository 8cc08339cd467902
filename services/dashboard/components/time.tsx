import { useSyncExternalStore } from 'react';

/** Milliseconds of a time of the API: with an offset, or without one in UTC. Null for none. */
export function millisOf(text: string | null | undefined): number | null {
  if (!text) return null;
  const hasOffset = /(Z|[+-]\d\d:?\d\d)$/.test(text);
  const millis = Date.parse(hasOffset ? text : `${text}Z`);
  return Number.isNaN(millis) ? null : millis;
}

const tickMs = 15_000;

function subscribe(listener: () => void): () => void {
  const timer = setInterval(listener, tickMs);
  return () => clearInterval(timer);
}

/** A time as people read it: how long ago, with the full time as title. */
export function Time({ at }: { at: string | number | null | undefined }) {
  const now = useSyncExternalStore(subscribe, () => Math.floor(Date.now() / tickMs) * tickMs);
  const millis = typeof at === 'number' ? at : millisOf(at);
  if (millis === null) return <>–</>;
  const full = new Date(millis);
  return (
    <time dateTime={full.toISOString()} title={full.toLocaleString()}>
      {relative(millis, now)}
    </time>
  );
}

const units: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

function relative(millis: number, now: number): string {
  const format = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
  const difference = millis - now;
  for (const [unit, length] of units) {
    if (Math.abs(difference) >= length) return format.format(Math.round(difference / length), unit);
  }
  return difference > 30_000 ? 'in a moment' : 'just now';
}

/** Seconds as people read them, such as `1 m 05 s`. */
export function durationText(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} m ${String(Math.round(seconds % 60)).padStart(2, '0')} s`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} m`;
}
