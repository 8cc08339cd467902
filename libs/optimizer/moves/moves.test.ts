import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergedHostBound } from '../bounds/merged-host.ts';
import { Placement } from '../kernel/placement.ts';
import { Random } from '../kernel/random.ts';
import { type MoveKind, MoveMix, moveKinds, usualShares } from '../search/move-mix.ts';
import { evaluateFully } from '../testing/full-evaluation.ts';
import { anyShape, type RandomShape, randomProblem } from '../testing/random-problem.ts';
import { Neighbourhood } from './neighbourhood.ts';

function only(kind: MoveKind): Record<MoveKind, number> {
  const none = Object.fromEntries(Object.keys(usualShares).map((name) => [name, 0]));
  return { ...(none as Record<MoveKind, number>), [kind]: 1 };
}

/** Thirty steps of the given kinds on a random problem. `check` sees the placement after each. */
function walk(shape: RandomShape, shares: Record<MoveKind, number>, check: (placement: Placement) => void): number {
  const placement = new Placement(randomProblem(shape));
  const around = new Neighbourhood(placement, new Random(shape.seed + 1));
  const mix = new MoveMix(shares);
  if (around.order.length === 0) return 0;
  for (let step = 0; step < 30; step += 1) {
    around.temperature = step % 2 === 0 ? 20 : 0;
    around.listHot();
    mix.step(around);
    check(placement);
  }
  return mix.made.reduce((sum, made) => sum + made, 0);
}

describe.each(moveKinds)('moves of kind %s', (kind) => {
  test('cost the same as a full evaluation, and keep all rules', () => {
    const shares = only(kind);
    // Ways home need an item off its home.
    shares.shift = kind === 'shift' ? 1 : 0.5;
    let made = 0;
    fc.assert(
      fc.property(anyShape, (shape) => {
        made += walk(shape, shares, (placement) => {
          const { cost, broken } = evaluateFully(placement.problem, placement.host);
          expect(broken).toEqual([]);
          expect(placement.cost).toBe(cost);
        });
      }),
      { numRuns: 12 },
    );
    expect(made).toBeGreaterThan(0);
  });
});

test('a step respects its limit for cost increases', () => {
  fc.assert(
    fc.property(anyShape, (shape) => {
      const placement = new Placement(randomProblem(shape));
      const around = new Neighbourhood(placement, new Random(shape.seed));
      fc.pre(around.order.length > 0);
      const mix = new MoveMix();
      let last = placement.cost;
      for (let step = 0; step < 100; step += 1) {
        mix.step(around);
        expect(placement.cost).toBeLessThanOrEqual(last);
        last = placement.cost;
      }
    }),
    { numRuns: 40 },
  );
});

test('prices that steer the search are not part of the objective', () => {
  fc.assert(
    fc.property(anyShape, (shape) => {
      const placement = new Placement(randomProblem(shape));
      placement.steer(0.5, 0.4, 0, 0.3);
      const around = new Neighbourhood(placement, new Random(shape.seed));
      fc.pre(around.order.length > 0);
      around.temperature = 50;
      const mix = new MoveMix();
      for (let step = 0; step < 60; step += 1) mix.step(around);
      expect(placement.objective()).toBeCloseTo(evaluateFully(placement.problem, placement.host).cost, 6);
    }),
    { numRuns: 40 },
  );
});

test('with soft room hosts rise above their limits, pay for it and keep all other rules', () => {
  let above = 0;
  fc.assert(
    fc.property(anyShape, (shape) => {
      const placement = new Placement(randomProblem(shape));
      placement.steer(0, 0, 2);
      const around = new Neighbourhood(placement, new Random(shape.seed));
      fc.pre(around.order.length > 0);
      const mix = new MoveMix();
      for (let step = 0; step < 60; step += 1) {
        around.temperature = step % 2 === 0 ? 100 : 0;
        const before = placement.cost;
        mix.step(around);
        if (around.temperature === 0) expect(placement.cost).toBeLessThanOrEqual(before);
        if (step % 8 === 0) placement.press();
      }
      const { cost, broken } = evaluateFully(placement.problem, placement.host);
      const roomless = broken.filter((rule) => rule.includes('lacks room'));
      expect(broken).toEqual(roomless);
      expect(placement.keepsLimits).toBe(roomless.length === 0);
      expect(placement.isWithinLimits()).toBe(roomless.length === 0);
      expect(placement.objective()).toBeCloseTo(cost, 6);
      const running = placement.cost;
      placement.recompute();
      expect(running).toBeCloseTo(placement.cost, 6);
      if (roomless.length > 0) above += 1;
    }),
    { numRuns: 60 },
  );
  expect(above).toBeGreaterThan(0);
});

test('nothing is below the bound of the merged host', () => {
  fc.assert(
    fc.property(anyShape, (shape) => {
      const bound = mergedHostBound(randomProblem(shape));
      walk(shape, usualShares, ({ cost }) => expect(cost).toBeGreaterThanOrEqual(bound));
    }),
    { numRuns: 40 },
  );
});
