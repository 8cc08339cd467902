import fc from 'fast-check';
import { expect, test } from 'vitest';
import { emptyingBound } from '../bounds/hosts-in-use.ts';
import { buildGroups } from '../problem/build-groups.ts';
import type { Problem } from '../problem/problem.ts';
import { evaluateFully } from '../testing/full-evaluation.ts';
import { anyShape, randomProblem } from '../testing/random-problem.ts';
import { emptyHosts } from './empty-hosts.ts';

/** Hosts with room for `capacity` units each that hold items of these sizes. An item pays its size for a move. */
function hostsWith(capacity: number, sizes: readonly (readonly number[])[]): Problem {
  const hosts = sizes.length;
  const use = Float64Array.from(sizes.flat());
  const items = use.length;
  return {
    hosts,
    items,
    columns: 1,
    transientColumns: 0,
    prices: new Float64Array(1),
    use,
    base: new Float64Array(hosts),
    limit: new Float64Array(hosts).fill(capacity),
    home: Int32Array.from(sizes.flatMap((list, host) => list.map(() => host))),
    fixed: new Uint8Array(items),
    moveCost: use,
    classOf: new Int32Array(hosts),
    classes: 1,
    distance: new Float64Array(1),
    groups: buildGroups({ groups: [] }, items, hosts),
    terms: null,
  };
}

test('only emptied hosts lose items, all rules are kept, and nothing is cheaper than the bound', () => {
  fc.assert(
    fc.property(anyShape, (shape) => {
      const problem = randomProblem(shape);
      const { home, moveCost, hosts } = problem;

      const { emptied, host, price } = emptyHosts(problem);

      expect(evaluateFully(problem, host).broken).toEqual([]);
      const left = new Set(emptied);
      const prices = new Float64Array(hosts);
      home.forEach((from, item) => {
        prices[from]! += moveCost[item]!;
        expect(host[item] !== from).toBe(left.has(from));
        expect(left.has(host[item]!)).toBe(false);
      });
      expect(price).toBe(emptied.reduce((sum, one) => sum + prices[one]!, 0));
      const inUse = prices.filter((_, one) => home.includes(one));
      expect(price).toBeGreaterThanOrEqual(emptyingBound(inUse, emptied.length));
    }),
    { numRuns: 100 },
  );
});

test('hosts are emptied together when emptying them in sequence would waste room', () => {
  // Host by host the items of the cheapest would take the place that the large one of the second needs.
  const sizes = [[2, 2], [3], [5], [4]];
  const problem = { ...hostsWith(8, sizes), moveCost: Float64Array.of(1, 1, 3, 5, 4) };

  expect(emptyHosts(problem).emptied.sort()).toEqual([0, 1]);
});

test('empties the requested number of hosts, the cheapest first', () => {
  const problem = hostsWith(10, [[4], [2], [3], [5]]);

  expect(emptyHosts(problem, { most: 1 })).toMatchObject({ emptied: [1], price: 2 });
  expect(emptyHosts(problem, { most: 0 }).emptied).toEqual([]);
});

test('a host with an immovable item stays, and so does one whose items fit nowhere', () => {
  const problem = hostsWith(10, [[5], [6], [7], [8]]);
  problem.fixed[0] = 1;

  expect(emptyHosts(problem).emptied).toEqual([]);
});
