import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Placement } from '../kernel/placement.ts';
import { Random } from '../kernel/random.ts';
import { Neighbourhood } from '../moves/neighbourhood.ts';
import { evaluateFully } from '../testing/full-evaluation.ts';
import { anyShape, randomProblem } from '../testing/random-problem.ts';
import { MoveMix } from './move-mix.ts';
import { solve } from './solve.ts';

const sharers = 2;

test('the moves of two sharers within their own hosts together keep all rules', () => {
  let moved = 0;
  fc.assert(
    fc.property(anyShape, (shape) => {
      const problem = randomProblem(shape);
      const host = problem.home.slice();
      // Hosts of one location belong to one sharer, another one in each round.
      for (let round = 0; round < 4; round += 1) {
        const begin = host.slice();
        for (let sharer = 0; sharer < sharers; sharer += 1) {
          const placement = new Placement(problem);
          const open = Uint8Array.from(problem.groups.locationOf, (l) => ((l + round) % sharers === sharer ? 1 : 0));
          placement.share(begin, open, sharers);
          const around = new Neighbourhood(placement, new Random(shape.seed + round * sharers + sharer));
          if (around.order.length === 0 || !open.includes(1)) continue;
          const mix = new MoveMix();
          around.temperature = 30;
          around.listHot();
          for (let step = 0; step < 60; step += 1) mix.step(around);
          placement.host.forEach((at, item) => {
            if (open[begin[item]!] === 0) expect(at).toBe(begin[item]);
            else expect(open[at]).toBe(1);
            if (at === begin[item]) return;
            host[item] = at;
            moved += 1;
          });
        }
        expect(evaluateFully(problem, host).broken).toEqual([]);
      }
    }),
    { numRuns: 60 },
  );
  expect(moved).toBeGreaterThan(100);
});

test('after the rounds every host is open again and the best keeps all rules', () => {
  fc.assert(
    fc.property(anyShape, (shape) => {
      const problem = randomProblem({ ...shape, transientColumns: 0 });
      let meetings = 0;
      const meet = () => {
        meetings += 1;
      };
      const team = { index: 0, count: 1, host: problem.home.slice(), meet };

      const best = solve(problem, { seed: 1, team, progress: (done) => done / 3000 });

      const { cost, broken } = evaluateFully(problem, best.host);
      expect(broken).toEqual([]);
      expect(best.value).toBeCloseTo(cost, 6);
      // A search that can gain nothing has no rounds.
      expect([0, 64 * 2 + 1]).toContain(meetings);
    }),
    {
      numRuns: 20,
      // With rounds in its runs with soft room, the search of this problem returned a host above its limit.
      examples: [[{ seed: 629_231, hosts: 3, items: 5, columns: 3, transientColumns: 0 }]],
    },
  );
});
