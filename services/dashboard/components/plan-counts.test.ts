import { expect, test } from 'vitest';
import { countsOf, countsText } from './plan-counts.ts';

const progress = (by_state: Record<string, number>) => ({
  progress: {
    total: Object.values(by_state).reduce((sum, count) => sum + count, 0),
    ended: 0,
    running: 0,
    percent: 0,
    by_state,
  },
});

test('the words count succeeded actions first, and every other end separately', () => {
  const counts = countsOf(
    progress({ SUCCEEDED: 5, FAILED: 1, CANCELLED: 3, SKIPPED: 2, ONGOING: 1, CANCELLING: 1, PENDING: 4 }),
  );
  expect(counts).toEqual({ total: 17, succeeded: 5, failed: 1, cancelled: 3, skipped: 2, running: 2, waiting: 4 });
  expect(countsText(counts)).toBe('5 of 17 succeeded, 1 failed, 3 cancelled, 2 skipped, 2 running');
});

test('a plan that was cancelled before its start has no succeeded actions', () => {
  expect(countsText(countsOf(progress({ CANCELLED: 8 })))).toBe('0 of 8 succeeded, 8 cancelled');
});
