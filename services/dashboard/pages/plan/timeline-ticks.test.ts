import { expect, test } from 'vitest';
import { timelineTicks } from './timeline-ticks.ts';

test.each([
  [1, [0, 0.5, 1]],
  [5, [0, 1, 2, 3, 4, 5]],
  [95, [0, 20, 40, 60, 80]],
  [3600, [0, 600, 1200, 1800, 2400, 3000, 3600]],
])('an axis of %s seconds is marked at %s', (length, ticks) => {
  expect(timelineTicks(length)).toEqual(ticks);
});

test('however long it took, there are few marks', () => {
  expect(timelineTicks(10 * 86_400)).toHaveLength(7);
});
