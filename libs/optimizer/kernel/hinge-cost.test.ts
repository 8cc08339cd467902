import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildGroups } from '../problem/build-groups.ts';
import type { Problem } from '../problem/problem.ts';
import { anyShape, randomProblem } from '../testing/random-problem.ts';
import { hingeCost } from './hinge-cost.ts';
import { Placement } from './placement.ts';
import { Random } from './random.ts';

/** The hinges of a problem, with uses and prices that sums must round. */
function hingesOf(problem: Problem): Problem {
  const { items, hosts, use, prices, distance } = problem;
  return {
    ...problem,
    use: use.map((amount) => amount / 3),
    prices: prices.map((price) => price / 7),
    moveCost: new Float64Array(items),
    distance: new Float64Array(distance.length),
    groups: buildGroups({ groups: [] }, items, hosts),
    terms: null,
  };
}

test('the cost of hinges is exactly the objective of a placement', () => {
  fc.assert(
    fc.property(anyShape, (shape) => {
      const problem = hingesOf(randomProblem(shape));
      const random = new Random(shape.seed);
      const host = problem.home.map((home) => (random.below(2) === 0 ? home : random.below(problem.hosts)));
      expect(hingeCost(problem, problem.home)).toBe(new Placement(problem).objective());
      expect(hingeCost(problem, host)).toBe(new Placement(problem, host).objective());
    }),
  );
});
