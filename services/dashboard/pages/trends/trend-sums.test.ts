import { expect, test } from 'vitest';
import { keptPart, totalPower } from './trend-sums.ts';

const plan = (planned: number | null, predicted: number, before: number, achieved: number | null) => ({
  deviation: { planned, predicted, before, achieved },
});

test('every second plan kept at least this part of its promise', () => {
  expect(keptPart([])).toEqual({ plans: 0, part: null });
  expect(keptPart([plan(0.3, 0.1, 0.3, 0.2)]).part).toBeCloseTo(0.5);
  const three = [plan(0.3, 0.1, 0.3, 0.28), plan(0.3, 0.1, 0.3, 0.15), plan(0.3, 0.1, 0.3, 0.05)];
  expect(keptPart(three).plans).toBe(3);
  expect(keptPart(three).part).toBeCloseTo(0.75);
});

test('a plan without prediction or measurement does not count, and one that got worse achieved nothing', () => {
  expect(keptPart([plan(0.1, 0.1, 0.3, 0.2), plan(0.3, 0.1, 0.3, null), plan(null, 0.1, 0.3, 0.2)]).plans).toBe(0);
  expect(keptPart([plan(0.3, 0.1, 0.3, 0.4)])).toEqual({ plans: 1, part: 0 });
});

test('power is that of all measured hosts', () => {
  expect(totalPower({ mean: [200, 210], count: [3] })).toEqual([600, 0]);
});
