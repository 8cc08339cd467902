import { expect, test } from 'vitest';
import { layoutPlan, stepSize } from './graph-layout.ts';

const chain = Array.from({ length: 8 }, (_unused, index) => ({
  uuid: `s${index}`,
  parents: index === 0 ? [] : [`s${index - 1}`],
}));

test('a chain goes across where there is room, and downwards where there is not', () => {
  const wide = layoutPlan(chain, 4000);
  expect(wide.width).toBeGreaterThan(8 * stepSize.width);
  expect(wide.arrows).toHaveLength(7);
  const narrow = layoutPlan(chain, 400);
  expect(narrow.width).toBeLessThan(400);
  expect(narrow.steps.map(({ y }) => y)).toEqual(narrow.steps.map(({ y }) => y).toSorted((a, b) => a - b));
});

test('steps that nothing connects fill the room, also on a phone, and parents of other plans do not matter', () => {
  const alone = Array.from({ length: 7 }, (_unused, index) => ({ uuid: `a${index}`, parents: ['elsewhere'] }));
  expect(layoutPlan(alone, 300).width).toBeLessThan(300);
  const rows = new Set(layoutPlan(alone, 900).steps.map(({ y }) => y));
  expect(rows.size).toBe(2);
});
