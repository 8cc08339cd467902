import fc from 'fast-check';
import { expect, test } from 'vitest';
import { immovablePartBound } from '../bounds/immovable-part.ts';
import { Placement } from '../kernel/placement.ts';
import { Random } from '../kernel/random.ts';
import { Neighbourhood } from '../moves/neighbourhood.ts';
import { MoveMix } from '../search/move-mix.ts';
import { anyShape, randomProblem } from '../testing/random-problem.ts';
import type { Problem } from './problem.ts';
import { reachOf } from './reach.ts';

/** Hosts of 10 units with one item each. */
function hostsWith(uses: number[], transientColumns: number): Problem {
  const hosts = uses.length;
  return {
    ...randomProblem({ seed: 1, hosts, items: hosts, columns: 2, transientColumns }),
    use: Float64Array.from({ length: 2 * hosts }, (_, at) => (at % 2 === 0 ? uses[at / 2]! : 0)),
    base: new Float64Array(2 * hosts),
    limit: new Float64Array(2 * hosts).fill(10),
    home: Int32Array.from({ length: hosts }, (_, item) => item),
    fixed: new Uint8Array(hosts),
  };
}

test('no item is ever where it has no reach, and the bound with stuck items holds', () => {
  let unreachable = 0;
  fc.assert(
    fc.property(anyShape, (shape) => {
      const problem = randomProblem(shape);
      const reach = reachOf(problem);
      const bound = immovablePartBound(problem, reach.stuck);
      const placement = new Placement(problem);
      const around = new Neighbourhood(placement, new Random(shape.seed));
      fc.pre(around.order.length > 0);
      const mix = new MoveMix();
      for (let step = 0; step < 80; step += 1) {
        around.temperature = step % 3 === 0 ? 200 : 0;
        mix.step(around);
        for (const [item, host] of placement.host.entries()) expect(reach.hosts[item * problem.hosts + host]).toBe(1);
        expect(placement.cost).toBeGreaterThanOrEqual(bound);
      }
      unreachable += reach.hosts.filter((reached) => reached === 0).length;
    }),
    { numRuns: 60 },
  );
  expect(unreachable).toBeGreaterThan(0);
});

test('a leaving instance holds its room in transient columns only', () => {
  expect(reachOf(hostsWith([6, 5, 1], 1)).stuck).toEqual(Uint8Array.of(0, 0, 0));
  // 6 and 5 do not fit together, and neither leaves the other its room.
  expect(reachOf(hostsWith([6, 5], 1)).stuck).toEqual(Uint8Array.of(1, 1));
  expect(reachOf(hostsWith([6, 5], 0)).stuck).toEqual(Uint8Array.of(0, 0));
});

test('a stuck instance keeps its room from others', () => {
  const problem = hostsWith([11, 2], 0);
  problem.limit[0] = 12;

  // 11 has no room elsewhere, so that 2 finds none beside it.
  expect(reachOf(problem).stuck).toEqual(Uint8Array.of(1, 1));
});

test('a host above its limit at the start may exchange, so nothing is said of it', () => {
  expect(reachOf(hostsWith([12, 5], 1)).hosts).toEqual(Uint8Array.of(1, 0, 1, 1));
});
