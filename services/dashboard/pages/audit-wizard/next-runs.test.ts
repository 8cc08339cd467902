import { expect, test } from 'vitest';
import { enPages } from '../../texts/en/pages.ts';
import { addTexts, text } from '../../texts/texts.ts';
import { nextRuns, scheduleProblem } from './next-runs.ts';

addTexts(enPages);

const from = new Date('2026-11-21T05:00:30Z');

test('seconds run immediately and then repeatedly, and a cron expression has a time zone, with seconds last', () => {
  expect(nextRuns('3600', from, 'UTC').map((run) => run.getTime() - from.getTime())).toEqual(
    [0, 1, 2, 3, 4].map((hours) => hours * 3_600_000),
  );
  expect(nextRuns('0 3 * * *', from, 'UTC')[0]?.toISOString()).toBe('2026-11-22T03:00:00.000Z');
  expect(nextRuns('0 3 * * *', from, 'Europe/Berlin')[0]?.toISOString()).toBe('2026-11-22T02:00:00.000Z');
  expect(nextRuns('0 3 * * * 15', from, 'UTC')[0]?.toISOString()).toBe('2026-11-22T03:00:15.000Z');
});

test.each([
  ['', text('schedule.needed')],
  ['0', text('schedule.tooShort')],
  ['every day', 'every day is not a cron expression: it needs five fields, or six with the seconds last'],
  ['* * * * * * *', /five fields, or six/],
  ['61 * * * *', /.+/],
  ['0 0 31 2 *', text('schedule.never')],
])('%j is not a schedule', (interval, reason) => {
  expect(scheduleProblem(interval, from, 'UTC')).toMatch(reason);
});

test('a good schedule has no problem', () => {
  expect(scheduleProblem('*/5 * * * *', from, 'UTC')).toBeNull();
});
