import { expect, test } from 'vitest';
import { isCron, nextRunTime } from './next-run-time.ts';

const at = (text: string) => new Date(`2026-03-01T${text}Z`);

test.each([
  ['the next point of the grid', '60', '10:00:00', '10:00:07', 0, '10:01:00'],
  ['what a long run missed is passed over', '60', '10:00:00', '10:04:07', 0, '10:05:00'],
  ['a point that is now has been used up', '60', '10:00:00', '10:01:00', 0, '10:02:00'],
  ['the first failure costs nothing', '60', '10:00:00', '10:00:07', 1, '10:01:00'],
  ['the second one an interval', '60', '10:00:00', '10:00:07', 2, '10:02:00'],
  ['the fourth one seven', '60', '10:00:00', '10:00:07', 4, '10:08:00'],
  ['never more than ten intervals', '60', '10:00:00', '10:00:07', 40, '10:10:00'],
  ['nor more than an hour', '1200', '10:00:00', '10:00:07', 9, '11:00:00'],
  ['an interval above an hour stays what it is', '7200', '10:00:00', '10:00:07', 9, '12:00:00'],
  ['cron expression in UTC', '*/15 * * * *', '10:00:00', '10:00:07', 0, '10:15:00'],
  ['cron expression with seconds last', '* * * * * */20', '10:00:00', '10:00:07', 0, '10:00:20'],
  ['an alias', '@hourly', '10:00:00', '10:00:07', 0, '11:00:00'],
  ['cron expression backs off too', '*/5 * * * *', '10:00:00', '10:00:07', 3, '10:20:00'],
])('%s', (_what, interval, due, now, failedRuns, expected) => {
  expect(nextRunTime({ interval, due: at(due), now: at(now), failedRuns })).toEqual(at(expected));
});

test.each([[null], ['0'], ['-5'], ['often'], ['0 0 30 2 *'], ['99 * * * *']])('%s is not an interval', (interval) => {
  expect(() => nextRunTime({ interval, due: at('10:00:00'), now: at('10:00:07'), failedRuns: 0 })).toThrow(/interval/);
});

test.each([
  ['in winter', 'Europe/Berlin', '2026-02-28T12:00:00Z', '2026-03-01T02:30:00Z'],
  ['in summer', 'Europe/Berlin', '2026-06-01T12:00:00Z', '2026-06-02T01:30:00Z'],
  ['in the night that has no such time', 'Europe/Berlin', '2026-03-28T12:00:00Z', '2026-03-29T01:30:00Z'],
  ['west of Greenwich', 'America/New_York', '2026-02-28T12:00:00Z', '2026-03-01T08:30:00Z'],
])('half past three of a time zone %s', (_when, timeZone, now, expected) => {
  const schedule = { interval: '30 3 * * *', due: new Date(now), now: new Date(now), failedRuns: 0, timeZone };
  expect(nextRunTime(schedule)).toEqual(new Date(expected));
});

test('a cron expression is distinguished from seconds', () => {
  expect(['60', ' +60 ', '* * * * *', '@daily', null].map(isCron)).toEqual([false, false, true, true, false]);
});
