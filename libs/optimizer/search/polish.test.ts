import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Placement } from '../kernel/placement.ts';
import { Random } from '../kernel/random.ts';
import { Neighbourhood } from '../moves/neighbourhood.ts';
import { evaluateFully } from '../testing/full-evaluation.ts';
import { anyShape, randomProblem } from '../testing/random-problem.ts';
import { polish } from './polish.ts';

test('after a polish no single shift improves anything', () => {
  fc.assert(
    fc.property(anyShape, (shape) => {
      const problem = randomProblem({ ...shape, items: Math.min(shape.items, 8), hosts: Math.min(shape.hosts, 4) });
      const placement = new Placement(problem);

      polish(new Neighbourhood(placement, new Random(1)), () => 0);

      const { cost } = evaluateFully(problem, placement.host);
      expect(placement.cost).toBe(cost);
      // The cost of groups depends on several items at once and may hold single shifts up.
      fc.pre(problem.groups.awayCost === 0);
      for (let item = 0; item < problem.items; item += 1)
        for (let to = 0; to < problem.hosts; to += 1) {
          const other = evaluateFully(problem, placement.host.with(item, to));
          if (other.broken.length === 0) expect(other.cost).toBeGreaterThanOrEqual(cost);
        }
    }),
    { numRuns: 60 },
  );
});
