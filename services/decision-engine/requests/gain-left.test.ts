import { expect, it } from 'vitest';
import type { ObjectiveTerm } from '#libs/domain';
import { gainSince } from './evaluate-plan.ts';

const term = (level: number, name: string, before: number, after: number): ObjectiveTerm => ({
  level,
  term: name,
  unit: '%',
  before,
  after,
  bound: 0,
});

it.each([
  ['nothing has changed', [term(2, 'cpu', 10, 4)], [term(2, 'cpu', 10, 4)], 1],
  ['a third is left', [term(2, 'cpu', 10, 4)], [term(2, 'cpu', 6, 4)], 1 / 3],
  ['the plan would harm', [term(2, 'cpu', 10, 4)], [term(2, 'cpu', 4, 6)], 0],
  ['terms of a level add up', [term(2, 'cpu', 10, 5), term(2, 'memory', 20, 10)], [term(2, 'cpu', 10, 5)], 0.5],
  [
    'a repair that is still needed counts in full',
    [term(0, 'disabled', 2, 0), term(2, 'cpu', 10, 5)],
    [term(0, 'disabled', 2, 0), term(2, 'cpu', 5, 5)],
    1,
  ],
  ['there was nothing to gain', [term(2, 'cpu', 0, 0), term(3, 'moved', 0, 5)], [], null],
])('%s', (_, then, now, left) => {
  const found = gainSince(then, now);
  if (left === null) expect(found).toBeNull();
  else expect(found?.left).toBeCloseTo(left);
});

it('the gain is shown in percentage points of the terms', () => {
  expect(gainSince([term(2, 'cpu', 50, 42)], [term(2, 'cpu', 50, 48)])).toMatchObject({ promised: 16, now: 4 });
});
