import { expect, test } from 'vitest';
import { dailyCron, emptyRun, nextWindows, runOptions } from './run-options.ts';

const now = new Date('2026-11-28T05:00:00Z');
const nightly = { ...emptyRun, repeat: 'cron' as const, cron: '0 22 * * *' };

test('the default run has no options', () => {
  expect(runOptions(emptyRun)).toEqual({});
  expect(nextWindows(emptyRun, now)).toEqual([]);
});

test.each([
  ['22:30', -60, '30 21 * * *'],
  ['00:15', -120, '15 22 * * *'],
  ['23:00', 300, '0 4 * * *'],
  ['06:05', 0, '5 6 * * *'],
])('a daily window at %s with an offset of %i minutes is %s in UTC', (time, offset, cron) => {
  expect(dailyCron(time, offset)).toBe(cron);
});

test('a recurring window lasts an hour unless it has a length', () => {
  expect(runOptions(nightly)).toEqual({ window_cron: '0 22 * * *', window_seconds: 3600 });
  expect(runOptions({ ...nightly, minutes: '90' })).toMatchObject({ window_seconds: 5400 });
});

test('the next windows are between start and end', () => {
  const days = (form: typeof nightly) => nextWindows(form, now).map((start) => start.toISOString().slice(0, 13));
  expect(days(nightly)).toEqual(['2026-11-28T22', '2026-11-29T22', '2026-11-30T22']);
  expect(days({ ...nightly, begin: '2026-12-05T00:00Z', end: '2026-12-06T00:00Z' })).toEqual(['2026-12-05T22']);
  expect(() => nextWindows({ ...nightly, cron: 'soon' }, now)).toThrow();
});
