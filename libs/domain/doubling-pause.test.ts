import { expect, it } from 'vitest';
import { doublingPause } from './doubling-pause.ts';

it('doubles up to the longest pause, however many tries fail', () => {
  const pauses = [0, 1, 2, 3, 5_000].map((failures) => doublingPause(failures, { firstMs: 100, longestMs: 500 }));
  expect(pauses).toEqual([100, 200, 400, 500, 500]);
});
