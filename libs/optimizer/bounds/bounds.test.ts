import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Placement } from '../kernel/placement.ts';
import { Random } from '../kernel/random.ts';
import { Neighbourhood } from '../moves/neighbourhood.ts';
import { buildGroups } from '../problem/build-groups.ts';
import type { Problem } from '../problem/problem.ts';
import { MoveMix } from '../search/move-mix.ts';
import { anyShape, type RandomShape, randomProblem } from '../testing/random-problem.ts';
import { emptyingBound, hostsInUseBound, mostEmptied } from './hosts-in-use.ts';
import { immovablePartBound } from './immovable-part.ts';
import { limitedMovesBound } from './limited-moves.ts';
import { mergedHostBound } from './merged-host.ts';
import { placesBound } from './places.ts';

/** Random placements that keep the rules, with their costs. */
function visit(shape: RandomShape, check: (placement: Placement) => void): void {
  const placement = new Placement(randomProblem(shape));
  const around = new Neighbourhood(placement, new Random(shape.seed));
  const mix = new MoveMix();
  check(placement);
  if (around.order.length === 0) return;
  for (let step = 0; step < 60; step += 1) {
    around.temperature = step % 3 === 0 ? 30 : 0;
    mix.step(around);
    check(placement);
  }
}

/** The problem with places of the first column alone. Walls stay. `places`: the same. */
function onlyPlaces(problem: Problem): Problem & { places: Problem } {
  const { columns, hosts, items } = problem;
  const own: Problem = {
    ...problem,
    prices: new Float64Array(columns),
    moveCost: new Float64Array(items),
    distance: new Float64Array(problem.distance.length),
    groups: buildGroups({ groups: [] }, items, hosts),
    terms: {
      slotPrices: Float64Array.of(1),
      slotNeeds: Float64Array.from({ length: columns }, (_, k) => (k === 0 ? 10 : 0)),
      inUsePrices: new Float64Array(hosts),
      squarePrices: new Float64Array(columns),
    },
  };
  return { ...own, places: own };
}

/** Hosts of 10 units, each with two items of 3. */
function hostsOfThrees(hosts: number): Problem {
  const shape = { seed: 1, hosts, items: 2 * hosts, columns: 2, transientColumns: 0 };
  return {
    ...randomProblem(shape),
    use: Float64Array.from({ length: 4 * hosts }, (_, at) => (at % 2 === 0 ? 3 : 0)),
    base: new Float64Array(2 * hosts),
    limit: new Float64Array(2 * hosts).fill(10),
    home: Int32Array.from({ length: 2 * hosts }, (_, item) => item >> 1),
    fixed: new Uint8Array(2 * hosts),
  };
}

describe('no placement is below the bound', () => {
  test('of the merged host and of the immovable part, which is no lower', () => {
    fc.assert(
      fc.property(anyShape, (shape) => {
        const problem = randomProblem(shape);
        const bound = immovablePartBound(problem);
        expect(bound).toBeGreaterThanOrEqual(mergedHostBound(problem));
        visit(shape, ({ cost }) => expect(cost).toBeGreaterThanOrEqual(bound));
      }),
      { numRuns: 40 },
    );
  });

  test('of as many moves', () => {
    fc.assert(
      fc.property(anyShape, (shape) => {
        const problem = randomProblem(shape);
        const bounds = Array.from({ length: shape.items + 1 }, (_, moves) => limitedMovesBound(problem, moves));
        visit(shape, ({ cost, movedCount }) => expect(cost).toBeGreaterThanOrEqual(bounds[movedCount]!));
      }),
      { numRuns: 40 },
    );
  });
});

test('no plan has fewer missing places than the bound, with any number of moves', () => {
  fc.assert(
    fc.property(anyShape, (shape) => {
      const problem = onlyPlaces(randomProblem(shape));
      const bounds = Array.from({ length: shape.items + 1 }, (_, moves) => placesBound(problem, moves));
      const { places } = problem;
      visit(shape, ({ host, movedCount }) => {
        const missing = new Placement(places, host).objective();
        expect(missing).toBeGreaterThanOrEqual(bounds[0]!);
        if (movedCount > 0) expect(missing).toBeGreaterThanOrEqual(bounds[movedCount]!);
      });
    }),
    { numRuns: 40 },
  );
});

test('places that only several moves make are bounded by their number', () => {
  // Each host has 4 of 10 units free in fragments: two items of 3 have to leave for one place of 10.
  const problem = onlyPlaces(hostsOfThrees(3));

  expect([1, 2, 3, 4].map((moves) => placesBound(problem, moves))).toEqual([3, 2, 2, 2]);
  expect(placesBound(problem, 0)).toBe(2);
});

test('without moves the cost of the hinges is unchanged', () => {
  const shape = { seed: 3, hosts: 5, items: 12, columns: 3, transientColumns: 0 };
  const problem = { ...randomProblem(shape), terms: null };

  expect(limitedMovesBound(problem, 0)).toBe(new Placement(problem).cost);
});

test('hosts in use hold the demand of every resource', () => {
  const cpu = { demand: 25, capacities: [10, 10, 4, 8] };

  expect(hostsInUseBound([cpu])).toBe(3);
  expect(hostsInUseBound([cpu, { demand: 31, capacities: [10, 10, 10, 10] }])).toBe(4);
  expect(hostsInUseBound([{ demand: 33, capacities: [10, 10, 4, 8] }])).toBe(Number.POSITIVE_INFINITY);
  expect(hostsInUseBound([{ demand: 0, capacities: [1] }])).toBe(0);
});

test('emptying hosts costs at least as much as the cheapest hosts', () => {
  expect(emptyingBound([7, 2, 9, 4], 2)).toBe(6);
  expect(emptyingBound([7, 2], 0)).toBe(0);
  expect(emptyingBound([7, 2], 5)).toBe(9);
  expect([0, 1, 2, 5, 6, 21, 22].map((most) => mostEmptied([7, 2, 9, 4], most))).toEqual([0, 0, 1, 1, 2, 3, 4]);
});
