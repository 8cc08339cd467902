import { madeOnce } from '#libs/client';
import { timeLocale } from '../../components/time.tsx';

/** Labels of dates that fit under the bars of a narrow page. */
const mostLabels = 6;

/** The day and month of a week's Monday, such as `23 Nov`. Weeks start in UTC. */
export function weekLabel(monday: string): string {
  return format({ day: 'numeric', month: 'short' }).format(Date.parse(monday));
}

/** A week's Monday with its year, such as `23 Nov 2026`. */
export function weekDate(monday: string): string {
  return format({ day: 'numeric', month: 'short', year: 'numeric' }).format(Date.parse(monday));
}

function format(parts: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const locale = timeLocale();
  const key = `week:${locale}:${Object.keys(parts).join()}`;
  return madeOnce(key, () => new Intl.DateTimeFormat(locale, { ...parts, timeZone: 'UTC' }));
}

/** Places of the weeks with a label: evenly apart, and always the last one. */
export function labelledWeeks(count: number): number[] {
  const step = Math.max(1, Math.ceil(count / mostLabels));
  return Array.from({ length: Math.ceil(count / step) }, (_, place) => count - 1 - place * step).reverse();
}
