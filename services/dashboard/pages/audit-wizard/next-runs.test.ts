import { expect, test } from 'vitest';
import { nextRuns, scheduleProblem } from './next-runs.ts';

const from = new Date('2026-11-21T05:00:30Z');

test('seconds run at once and then again; cron text is in UTC', () => {
  expect(nextRuns('3600', from).map((run) => run.getTime() - from.getTime())).toEqual(
    [0, 1, 2, 3, 4].map((hours) => hours * 3_600_000),
  );
  expect(nextRuns('0 3 * * *', from)[0]?.toISOString()).toBe('2026-11-22T03:00:00.000Z');
});

test.each([
  ['', 'A schedule is needed.'],
  ['0', 'At least one second.'],
  ['every day', 'Seconds, or cron text with five fields.'],
  ['61 * * * *', /.+/],
  ['0 0 31 2 *', 'It would never run.'],
])('%j is no schedule', (interval, reason) => {
  expect(scheduleProblem(interval, from)).toMatch(reason);
});

test('a good schedule has no problem', () => {
  expect(scheduleProblem('*/5 * * * *', from)).toBeNull();
});
