import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Placement } from '../kernel/placement.ts';
import { evaluateFully } from '../testing/full-evaluation.ts';
import { anyShape, randomProblem } from '../testing/random-problem.ts';
import { solve } from './solve.ts';

function solveWith(
  problem: ReturnType<typeof randomProblem>,
  seed: number,
  work: number,
  blockedPrice = 0,
  runs = 1,
  pull = 0,
) {
  return solve(problem, { seed, blockedPrice, runs, pull, progress: (evaluations) => evaluations / work });
}

test('the result keeps all rules, has the reported cost and is no worse than the start', () => {
  fc.assert(
    fc.property(
      anyShape,
      fc.constantFrom(0, 0.3),
      fc.constantFrom(1, 3),
      fc.constantFrom(0, 2),
      (shape, blockedPrice, runs, pull) => {
        const problem = randomProblem(shape);
        const best = solveWith(problem, shape.seed, 3000, blockedPrice, runs, pull);
        const { cost, broken } = evaluateFully(problem, best.host);
        expect(broken).toEqual([]);
        expect(best.value).toBeCloseTo(cost, 6);
        expect(best.value).toBeLessThanOrEqual(new Placement(problem).cost);
      },
    ),
    { numRuns: 40 },
  );
});

test('the same seed and work give the same placement', () => {
  fc.assert(
    fc.property(anyShape, (shape) => {
      const problem = randomProblem(shape);
      const [first, second] = [solveWith(problem, 7, 2000), solveWith(problem, 7, 2000)];
      expect(second.value).toBe(first.value);
      expect(second.host).toEqual(first.host);
    }),
    { numRuns: 25 },
  );
});
