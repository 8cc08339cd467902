import { shareText as shareIn, writtenNumber } from '#libs/client';
import { language } from '../texts/texts.ts';

/** A number with its significant digits, and its unit on the same line. A fraction is shown in percent. */
export function numberText(value: number | null | undefined, unit?: string | null): string {
  if (value === null || value === undefined) return '–';
  if (unit === 'fraction') return shareText(value);
  const digits = unit !== '%' && Math.abs(value) < 10 ? 4 : 1;
  const written = roundedText(value, digits);
  return unit ? `${written}\u00a0${unit}` : written;
}

/** A number with at most so many decimals (default 0), in the format of the page's language. */
export function roundedText(value: number, digits = 0): string {
  return writtenNumber(value, language(), { most: digits });
}

/** The number of a field: grouped digits, except for an identifier such as `pid`. */
export function fieldNumber(name: string, value: number): string {
  return /(^|_)p?id$/.test(name) ? String(value) : roundedText(value, 6);
}

/** A fraction of 1 in percent with one decimal: `25.7 %`. */
export function shareText(part: number): string {
  return shareIn(part, language());
}

/** Percent without decimals: `26 %`. */
export function wholePercent(percent: number): string {
  return `${roundedText(percent)}\u00a0%`;
}

/** MiB as GiB. */
export function gibText(mib: number): string {
  const gib = mib / 1024;
  return `${roundedText(gib, Math.abs(gib) < 10 ? 1 : 0)}\u00a0GiB`;
}
