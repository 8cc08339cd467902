import { expect, test } from 'vitest';
import { longestChain, shapeOf } from './plan-shape.ts';

const action = (uuid: string, actionType: string, parents: string[], duration: number | null = null) => ({
  actionPlanId: 1,
  uuid,
  actionType,
  parents,
  duration,
});
const seconds = (type: string, own: number | null) => own ?? (type === 'migrate' ? 60 : 10);

test('the longest chain follows parents, whatever the order of the rows; own times count, cycles and strangers do not', () => {
  const rows = [
    action('c', 'migrate', ['b', 'b', 'unknown']),
    action('a', 'migrate', []),
    action('b', 'nop', ['a']),
    action('d', 'sleep', ['a'], 100),
  ];
  expect(longestChain(shapeOf(rows), seconds)).toBe(160);
  expect(longestChain(shapeOf(rows.slice(0, 3)), seconds)).toBe(130);
  expect(longestChain(shapeOf([]), seconds)).toBe(0);
  expect(longestChain(shapeOf([action('x', 'nop', ['y']), action('y', 'nop', ['x'])]), seconds)).toBeLessThanOrEqual(
    20,
  );
});
