import { expect, test } from 'vitest';
import { emptyRun, nextWindows, runOptions } from './run-options.ts';

const now = new Date('2026-11-28T05:00:00Z');
const nightly = { ...emptyRun, repeat: 'cron' as const, cron: '0 22 * * *', zone: 'UTC' };

test('the default run has no options', () => {
  expect(runOptions(emptyRun)).toEqual({});
  expect(nextWindows(emptyRun, now)).toEqual([]);
});

test.each([
  ['22:30', '30 22 * * *'],
  ['06:05', '5 6 * * *'],
])('a daily window at %s is %s in its zone', (daily, cron) => {
  const form = { ...emptyRun, repeat: 'daily' as const, daily, zone: 'Europe/Berlin' };
  expect(runOptions(form)).toEqual({ window_cron: cron, window_seconds: 3600, window_zone: 'Europe/Berlin' });
});

test('a daily window keeps its time of day when the clocks change', () => {
  const form = { ...emptyRun, repeat: 'daily' as const, daily: '22:00', zone: 'Europe/Berlin' };
  const starts = nextWindows(form, new Date('2026-10-24T12:00:00Z')).map((start) => start.toISOString());
  expect(starts.slice(0, 2)).toEqual(['2026-10-24T20:00:00.000Z', '2026-10-25T21:00:00.000Z']);
});

test('a recurring window lasts an hour unless it has a length', () => {
  expect(runOptions(nightly)).toEqual({ window_cron: '0 22 * * *', window_seconds: 3600, window_zone: 'UTC' });
  expect(runOptions({ ...nightly, minutes: '90' })).toMatchObject({ window_seconds: 5400 });
});

test('the next windows are between start and end', () => {
  const days = (form: typeof nightly) => nextWindows(form, now).map((start) => start.toISOString().slice(0, 13));
  expect(days(nightly)).toEqual(['2026-11-28T22', '2026-11-29T22', '2026-11-30T22']);
  expect(days({ ...nightly, start: '2026-12-05T00:00Z', end: '2026-12-06T00:00Z' })).toEqual(['2026-12-05T22']);
  expect(() => nextWindows({ ...nightly, cron: 'soon' }, now)).toThrow();
});
