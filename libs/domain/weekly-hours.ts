/** Hours that repeat each week, such as `Mon-Fri 08:00-18:00`. */
export interface WeeklyHours {
  /** As given, with the time zone. */
  text: string;
  /** IANA name. */
  timeZone: string;
  /** Numbers of days, 0 for Sunday, on which they start. */
  days: readonly number[];
  /** Minutes of the day, 0 to 1440. If the end is before the start, the hours continue past midnight. */
  from: number;
  to: number;
}

const dayNames = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const form = /^(?:(\w{3})(?:-(\w{3}))?\s+)?(\d{2}):(\d{2})-(\d{2}):(\d{2})$/;
const example = 'must be hours such as "Mon-Fri 08:00-18:00" or "22:00-06:00"';

/** @throws Error with the reason */
export function parseHours(given: unknown, timeZone: unknown): WeeklyHours {
  const [, first, last, ...times] = (typeof given === 'string' && form.exec(given.trim())) || [];
  const [fromHour, fromMinute, toHour, toMinute] = times.map(Number) as [number, number, number, number];
  if (times.length !== 4) throw new Error(`hours ${example}, not ${JSON.stringify(given)}`);
  const [from, to] = [fromHour * 60 + fromMinute, toHour * 60 + toMinute];
  const isTime = (minutes: number, ofHour: number) => ofHour < 60 && minutes <= 1440;
  if (!isTime(from, fromMinute) || !isTime(to, toMinute) || from === to)
    throw new Error(`hours ${example}, not "${given}"`);
  const zone = zoneOf(timeZone);
  return { text: `${given} ${zone}`, timeZone: zone, days: daysOf(first, last), from, to };
}

function zoneOf(given: unknown): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: String(given) }).resolvedOptions().timeZone;
  } catch (error) {
    throw new Error(`time_zone must be such as UTC or Europe/Berlin, not "${given}"`, { cause: error });
  }
}

function daysOf(first: string | undefined, last: string | undefined): number[] {
  if (first === undefined) return [0, 1, 2, 3, 4, 5, 6];
  const [start, end] = [first, last ?? first].map((name) => {
    const day = dayNames.findIndex((known) => known.toLowerCase() === name.toLowerCase());
    if (day < 0) throw new Error(`hours: unknown day "${name}"; known days: ${dayNames.join(', ')}`);
    return day;
  }) as [number, number];
  return Array.from({ length: ((end - start + 7) % 7) + 1 }, (_, at) => (start + at) % 7);
}

/** Whether a moment, in milliseconds since 1970, is within the hours. */
export function isWithinHours({ timeZone, days, from, to }: WeeklyHours, nowMs: number): boolean {
  const { day, minutes } = localTime(nowMs, timeZone);
  if (from < to) return days.includes(day) && minutes >= from && minutes < to;
  return (days.includes(day) && minutes >= from) || (days.includes((day + 6) % 7) && minutes < to);
}

function localTime(nowMs: number, timeZone: string): { day: number; minutes: number } {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const parts = Object.fromEntries(format.formatToParts(nowMs).map(({ type, value }) => [type, value]));
  return { day: dayNames.indexOf(parts.weekday ?? ''), minutes: Number(parts.hour) * 60 + Number(parts.minute) };
}
