import { madeOnce } from './formats.ts';

/** Milliseconds of a time of the API: with an offset, or without one in UTC. Null for none. */
export function millisOf(text: string | null | undefined): number | null {
  if (!text) return null;
  const hasOffset = /(Z|[+-]\d\d:?\d\d)$/.test(text);
  const millis = Date.parse(hasOffset ? text : `${text}Z`);
  return Number.isNaN(millis) ? null : millis;
}

const units: readonly [Intl.RelativeTimeFormatUnit, minutes: number][] = [
  ['day', 1440],
  ['hour', 60],
  ['minute', 1],
];

/** Texts of a language for times below a minute. */
interface NearWords {
  locale: string;
  soon: string;
  justNow: string;
}

const english: NearWords = { locale: 'en', soon: 'in a moment', justNow: 'just now' };

function formatIn(locale: string): Intl.RelativeTimeFormat {
  return madeOnce(`relativeTime:${locale}`, () => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }));
}

/**
 * How long before or after `now` a time is, both in milliseconds: `3 minutes ago`, `in 1 hour`. In English unless
 * `words` are another's.
 */
export function relativeTime(millis: number, now: number, words = english): string {
  const difference = millis - now;
  // Whole minutes decide about the unit, or 59.6 of them would be `60 minutes`.
  const minutes = Math.sign(difference) * Math.floor(Math.abs(difference) / 60_000 + 0.5);
  for (const [unit, length] of units) {
    if (Math.abs(difference) >= 60_000 && Math.abs(minutes) >= length)
      return formatIn(words.locale).format(Math.round(minutes / length), unit);
  }
  return difference > 30_000 ? words.soon : words.justNow;
}
