import { expect, test } from 'vitest';
import { nextStep } from './next-step.ts';

const steps = [
  { uuid: 'a', x: 0, y: 0 },
  { uuid: 'b', x: 204, y: 0 },
  { uuid: 'c', x: 10, y: 76 },
  { uuid: 'd', x: 214, y: 152 },
];

test.each([
  ['a', 'ArrowRight', 'b'],
  ['a', 'ArrowDown', 'c'],
  ['c', 'ArrowUp', 'a'],
  ['c', 'ArrowRight', 'b'],
  ['d', 'ArrowLeft', 'c'],
  ['b', 'ArrowDown', 'd'],
  ['a', 'ArrowLeft', undefined],
  ['c', 'Home', 'a'],
  ['a', 'End', 'd'],
  ['a', 'x', undefined],
])('from %s, %s goes to %s', (from, key, to) => {
  expect(nextStep(steps, from, key)).toBe(to);
});
