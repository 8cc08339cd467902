import { describe, expect, it } from 'vitest';
import { choosePlan, curveBudgets } from './sizes.ts';

const plan = (moves: number, value: number, points = [0, 0, value]) => ({ moves: { length: moves }, value, points });

describe('the points of a curve', () => {
  it.each([
    [50, [5, 10, 20, 50]],
    [3, [3]],
    [30, [5, 10, 20, 30]],
    [0, [5, 10, 20, 50, 100, 200, 500, 0]],
  ])('end at the budget of %i', (budget, points) => {
    expect(curveBudgets(budget)).toEqual(points);
  });
});

describe('the choice of a plan', () => {
  const bent = [plan(5, 60), plan(10, 20), plan(50, 0)];

  it('is the largest by budget, and the knee where the curve has one', () => {
    expect(choosePlan(bent, 'budget', 100)).toBe(bent[2]);
    expect(choosePlan(bent, 'knee', 100)).toBe(bent[1]);
    expect(choosePlan([], 'knee', 100)).toBeUndefined();
  });

  it('is the largest where the curve is nearly straight', () => {
    const straight = [plan(5, 90), plan(10, 79), plan(50, 0)];
    expect(choosePlan(straight, 'knee', 100)).toBe(straight[2]);
  });

  it('gives up nothing of the levels above for a knee', () => {
    const risky = [plan(5, 60, [0, 50, 60]), plan(10, 20, [0, 50, 20]), plan(50, 0, [0, 0, 0])];
    expect(choosePlan(risky, 'knee', 100)).toBe(risky[2]);
  });
});
