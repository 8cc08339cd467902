/** A period in milliseconds since 1970. Its end is not included. */
export interface Period {
  fromMs: number;
  toMs: number;
}

/** The month of a moment in the zone of the browser, or one that is so many months later. */
export function monthOf(atMs: number, later = 0): Period {
  const at = new Date(atMs);
  const startOf = (months: number) => new Date(at.getFullYear(), at.getMonth() + months, 1).getTime();
  return { fromMs: startOf(later), toMs: startOf(later + 1) };
}

/** Whether a period is one month in the zone of the browser. */
export function isMonth({ fromMs, toMs }: Period): boolean {
  const month = monthOf(fromMs);
  return month.fromMs === fromMs && month.toMs === toMs;
}

/** The period in the URL of the page. Default, also for invalid times: the current month. */
export function periodIn(query: URLSearchParams, nowMs: number): Period {
  const [fromMs, toMs] = [Date.parse(query.get('from') ?? ''), Date.parse(query.get('to') ?? '')];
  return Number.isNaN(fromMs) || Number.isNaN(toMs) ? monthOf(nowMs) : { fromMs, toMs };
}

/** The first and last day of a period as the browser's date fields write them, such as `2026-11-30`. */
export function daysOf({ fromMs, toMs }: Period): { first: string; last: string } {
  return { first: dayOf(fromMs), last: dayOf(toMs - 1) };
}

/** The period from the start of a day to the end of another, in the zone of the browser. Null: a field has no day. */
export function periodOf(first: string, last: string): Period | null {
  const [fromMs, toMs] = [startOf(first, 0), startOf(last, 1)];
  return Number.isNaN(fromMs) || Number.isNaN(toMs) ? null : { fromMs, toMs };
}

function dayOf(atMs: number): string {
  const at = new Date(atMs);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${String(at.getFullYear()).padStart(4, '0')}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

function startOf(day: string, later: number): number {
  const [year, month, date] = day.split('-').map(Number);
  if (year === undefined || month === undefined || date === undefined) return Number.NaN;
  return new Date(year, month - 1, date + later).getTime();
}
