import { expect, test } from 'vitest';
import { ticksTo, timeRange, topOf, wholeTicks } from './chart-axes.ts';

test('a single point has half an hour on either side', () => {
  expect(timeRange([7200], [7200, 86_407_200])).toEqual([5400, 9000]);
  expect(timeRange([7200, 9000], [7200, 8000])).toEqual([7200, 8000]);
});

test('a single point of a requested window has the axis of that window', () => {
  expect(timeRange([7200], [7200, 86_407_200], [0, 604_800])).toEqual([0, 604_800]);
  expect(timeRange([7200, 9000], [7200, 9000], [0, 604_800])).toEqual([7200, 9000]);
});

test.each([
  [22.4, [0, 10, 20, 30]],
  [100, [0, 25, 50, 75, 100]],
  [0, [0, 0.25, 0.5, 0.75, 1]],
  [9.1, [0, 2.5, 5, 7.5, 10]],
  [430, [0, 200, 400, 600]],
])('values up to %d have several labels up to a round one', (highest, ticks) => {
  const top = topOf(highest);
  expect(ticksTo(top)).toEqual(ticks);
  expect(top).toBeGreaterThanOrEqual(highest);
});

test('every axis has three to six labels', () => {
  for (let highest = 1; highest < 5000; highest *= 1.07) {
    const ticks = ticksTo(topOf(highest));
    expect(ticks.length, String(highest)).toBeGreaterThanOrEqual(3);
    expect(ticks.length, String(highest)).toBeLessThanOrEqual(6);
    expect(ticks.at(-1)).toBeCloseTo(topOf(highest));
  }
});

test.each([
  [1, [0, 1]],
  [3, [0, 1, 2, 3]],
  [9, [0, 5, 10]],
  [10, [0, 5, 10]],
  [116, [0, 50, 100, 150]],
])('counts up to %d have whole labels', (highest, ticks) => {
  expect(wholeTicks(highest)).toEqual(ticks);
});
