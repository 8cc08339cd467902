import { madeOnce } from '#libs/client';
import { language, text } from '../texts/texts.ts';

const aliases: Readonly<Record<string, string>> = {
  '@hourly': '0 * * * *',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@weekly': '0 0 * * 0',
  '@monthly': '0 0 1 * *',
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
};
/** More times of a day are shorter as an expression. */
const mostTimes = 4;

/**
 * A cron expression in words, such as `every day at 02:00`. Null for one that is not among the usual forms: its words
 * would be longer than the expression.
 */
export function cronWords(expression: string): string | null {
  const fields = (aliases[expression.trim().toLowerCase()] ?? expression.trim()).split(/\s+/);
  const [minute = '', hour = '', day = '', month = '', weekday = '', second = '0'] = fields;
  if (fields.length < 5 || fields.length > 6 || !/^0+$/.test(second)) return null;
  const isDaily = day === '*' && month === '*' && weekday === '*';
  if (isDaily && hour === '*') return withinHour(minute);
  const hourStep = stepOf(hour, 24);
  if (isDaily && hourStep && hourStep.first === 0 && isNumber(minute))
    return text('cron.hours', { count: hourStep.step, minute: Number(minute) });
  const times = timesOf(hour, minute);
  if (times === null) return null;
  if (isDaily) return text('cron.daily', { times });
  if (day === '*' && month === '*') return onWeekdays(weekday, times);
  return weekday === '*' ? onDays(day, month, times) : null;
}

function withinHour(minute: string): string | null {
  if (isNumber(minute)) return text('cron.hours', { count: 1, minute: Number(minute) });
  const known = minute === '*' ? { step: 1, first: 0 } : stepOf(minute, 60);
  if (known === null) return null;
  const { step: count, first } = known;
  return first === 0 ? text('cron.minutes', { count }) : text('cron.minutesFrom', { count, minute: first });
}

/** A step such as `2-59/5` that continues evenly into the next hour. */
function stepOf(field: string, size: number): { step: number; first: number } | null {
  const [, from = '0', until = String(size - 1), every = ''] = /^(?:\*|(\d+)-(\d+))\/(\d+)$/.exec(field) ?? [];
  const [step, first] = [Number(every), Number(from)];
  return step > 0 && size % step === 0 && first < step && Number(until) === size - 1 ? { step, first } : null;
}

const isNumber = (field: string) => /^\d+$/.test(field);

/** Numbers of a list such as `1,15`, in order. Null for any other field. */
function listOf(field: string): number[] | null {
  return /^\d+(,\d+)*$/.test(field)
    ? field
        .split(',')
        .map(Number)
        .sort((a, b) => a - b)
    : null;
}

function timesOf(hour: string, minute: string): string | null {
  const [hours, minutes] = [listOf(hour), listOf(minute)];
  if (!hours || !minutes || hours.length * minutes.length > mostTimes) return null;
  const padded = (value: number) => String(value).padStart(2, '0');
  return joined(hours.flatMap((h) => minutes.map((m) => `${padded(h)}:${padded(m)}`)));
}

function joined(words: readonly string[]): string {
  return madeOnce(`list:${language()}`, () => new Intl.ListFormat(language(), { type: 'conjunction' })).format(words);
}

const weekdayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

function onWeekdays(field: string, times: string): string | null {
  const numeric = field.toLowerCase().replaceAll(/[a-z]{3}/g, (name) => String(weekdayNames.indexOf(name)));
  const [, from, to] = /^([0-7])-([0-7])$/.exec(numeric) ?? [];
  if (from !== undefined && to !== undefined)
    return text('cron.weekly', {
      days: text('cron.dayRange', { from: weekdayName(Number(from)), to: weekdayName(Number(to)) }),
      times,
    });
  const days = listOf(numeric);
  return days?.every((day) => day <= 7) ? text('cron.weekly', { days: joined(days.map(weekdayName)), times }) : null;
}

/** 0 and 7 are Sunday. */
function weekdayName(day: number): string {
  return dateText('weekday', { weekday: 'long' }, Date.UTC(2026, 0, 4 + (day % 7)));
}

function onDays(day: string, month: string, times: string): string | null {
  const days = listOf(day);
  if (days === null) return null;
  if (month === '*')
    return text('cron.monthly', { days: joined(days.map((one) => text('cron.day', { day: one }))), times });
  if (days.length > 1 || !isNumber(month)) return null;
  const at = Date.UTC(2024, Number(month) - 1, days[0]);
  return text('cron.yearly', { day: dateText('month-day', { month: 'long', day: 'numeric' }, at), times });
}

function dateText(name: string, format: Intl.DateTimeFormatOptions, at: number): string {
  const made = () => new Intl.DateTimeFormat(language(), { ...format, timeZone: 'UTC' });
  return madeOnce(`cron:${name}:${language()}`, made).format(at);
}
