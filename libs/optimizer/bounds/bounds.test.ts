import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Placement } from '../kernel/placement.ts';
import { Random } from '../kernel/random.ts';
import { MoveMix } from '../search/move-mix.ts';
import { Neighbourhood } from '../search/neighbourhood.ts';
import { anyShape, type RandomShape, randomProblem } from '../test-support/random-problem.ts';
import { durationBound } from './duration.ts';
import { emptyingBound, hostsInUseBound } from './hosts-in-use.ts';
import { immovablePartBound } from './immovable-part.ts';
import { limitedMovesBound } from './limited-moves.ts';
import { mergedHostBound } from './merged-host.ts';

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
        visit(shape, ({ cost, awayCount }) => expect(cost).toBeGreaterThanOrEqual(bounds[awayCount]!));
      }),
      { numRuns: 40 },
    );
  });
});

test('without moves the hinges cost what they cost now', () => {
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

test('emptying hosts costs at least what the cheapest cost', () => {
  expect(emptyingBound([7, 2, 9, 4], 2)).toBe(6);
  expect(emptyingBound([7, 2], 0)).toBe(0);
  expect(emptyingBound([7, 2], 5)).toBe(9);
});

test('a plan takes as long as its busiest lane', () => {
  expect(durationBound([])).toBe(0);
  expect(
    durationBound([
      { seconds: 90, parallel: 2 },
      { seconds: 60, parallel: 1 },
    ]),
  ).toBe(60);
});
