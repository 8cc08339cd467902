import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Placement } from '../kernel/placement.ts';
import { steepest } from '../search/steepest.ts';
import { evaluateFully } from '../testing/full-evaluation.ts';
import { anyShape, randomProblem } from '../testing/random-problem.ts';
import { curve } from './curve.ts';
import { dropUseless } from './drop.ts';

describe('steepest shifts', () => {
  test('improve at every step, keep the rules and the budget', () => {
    fc.assert(
      fc.property(anyShape, fc.integer({ min: 0, max: 8 }), (shape, budget) => {
        const placement = new Placement(randomProblem(shape));
        const start = placement.cost;

        const made = steepest(placement, budget);

        const { cost, broken } = evaluateFully(placement.problem, placement.host);
        expect(broken).toEqual([]);
        expect(cost).toBe(placement.cost);
        expect(start + made.reduce((sum, { change }) => sum + change, 0)).toBe(cost);
        expect(made.every(({ change }) => change < 0)).toBe(true);
        expect(placement.movedCount).toBeLessThanOrEqual(budget);
      }),
      { numRuns: 40 },
    );
  });

  test('take the best single shift, where no rule and no transient column is in the way', () => {
    fc.assert(
      fc.property(anyShape, (shape) => {
        const random = randomProblem({ ...shape, transientColumns: 0 });
        const { groups } = random;
        const free = { ...groups, of: groups.of.map(() => -1), count: 0, awayCost: 0 };
        const problem = { ...random, groups: free, moveCost: new Float64Array(random.items), classes: 1 };
        const flat = { ...problem, classOf: new Int32Array(random.hosts), distance: new Float64Array(1) };
        const all = Array.from({ length: flat.items * flat.hosts }, (_, at) =>
          evaluateFully(flat, flat.home.with(Math.floor(at / flat.hosts), at % flat.hosts)),
        );
        const least = Math.min(...all.filter(({ broken }) => broken.length === 0).map(({ cost }) => cost));

        const placement = new Placement(flat);
        steepest(placement, 1);

        expect(placement.cost).toBeLessThanOrEqual(least);
      }),
      { numRuns: 40 },
    );
  });
});

test('after a drop every move left gains its price', () => {
  fc.assert(
    fc.property(anyShape, fc.nat(10), (shape, price) => {
      const placement = new Placement(randomProblem({ ...shape, transientColumns: 0 }));
      steepest(placement, 10);
      const before = { cost: placement.cost, away: placement.movedCount };

      const dropped = dropUseless(placement, price);

      expect(placement.movedCount).toBe(before.away - dropped);
      expect(placement.cost).toBeLessThanOrEqual(before.cost + price * dropped);
      expect(evaluateFully(placement.problem, placement.host).broken).toEqual([]);
    }),
    { numRuns: 40 },
  );
});

test('points of a curve keep budget and bound, and repeat', () => {
  fc.assert(
    fc.property(anyShape, (shape) => {
      const problem = randomProblem(shape);
      const options = { seed: 1, budgets: [1, 2, 4], progress: (evaluations: number) => evaluations / 3000 };

      const points = curve(problem, options);

      points.forEach(({ moves, value, bound, host }, index) => {
        expect(moves).toBeLessThanOrEqual([1, 2, 4][index]!);
        expect(value).toBeGreaterThanOrEqual(bound);
        expect(evaluateFully(problem, host)).toEqual({ cost: value, broken: [] });
      });
      expect(curve(problem, options)).toEqual(points);
    }),
    { numRuns: 30 },
  );
});
