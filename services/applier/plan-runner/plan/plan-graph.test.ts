import fc from 'fast-check';
import { expect, it } from 'vitest';
import { buildPlanGraph } from './plan-graph.ts';

it('finds parents and children', () => {
  const graph = buildPlanGraph([
    { uuid: 'a', parents: [] },
    { uuid: 'b', parents: ['a'] },
    { uuid: 'c', parents: ['a', 'b'] },
  ]);
  expect(graph.childrenOf('a')).toEqual(['b', 'c']);
  expect(graph.parentsOf('c')).toEqual(['a', 'b']);
});

it('refuses circles and unknown parents', () => {
  expect(() => buildPlanGraph([{ uuid: 'a', parents: ['a'] }])).toThrow(/circle/);
  expect(() => buildPlanGraph([{ uuid: 'a', parents: ['x'] }])).toThrow(
    'action a waits for x, which is not in the plan',
  );
});

it('accepts every list in which parents come before their children', () => {
  const plans = fc.array(fc.array(fc.nat(20), { maxLength: 3 }), { maxLength: 20 }).map((lists) =>
    lists.map((parents, place) => ({
      uuid: `${place}`,
      parents: place === 0 ? [] : [...new Set(parents.map((parent) => `${parent % place}`))],
    })),
  );
  fc.assert(fc.property(plans, (plan) => void buildPlanGraph(plan)));
});
