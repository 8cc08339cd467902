import fc from 'fast-check';
import { expect, test } from 'vitest';
import { slotsBound } from '../bounds/slots.ts';
import { Random } from '../kernel/random.ts';
import type { FragmentProblem } from '../problem/fragments.ts';
import { annealPatterns } from './anneal-patterns.ts';
import { orderMoves } from './order-moves.ts';

const sizes = [1, 2, 4];
const slot = 4;

/** A few nodes of at most ten units with some instances each. */
const anyFragments: fc.Arbitrary<FragmentProblem> = fc
  .array(fc.record({ free: fc.nat(6), contents: fc.tuple(fc.nat(2), fc.nat(2), fc.nat(1)) }), {
    minLength: 2,
    maxLength: 4,
  })
  .map((nodes) => ({
    slot,
    sizes,
    free: Int32Array.from(nodes, ({ free }) => free),
    counts: new Uint8Array(nodes.length).fill(1),
    contents: Int32Array.from(nodes.flatMap(({ contents }) => contents)),
  }));

function places(free: ArrayLike<number>): number {
  return Array.from(free).reduce((sum, units) => sum + Math.floor(units / slot), 0);
}

/** Most places that up to `moves` moves can gain, one after the other, by trying all. */
function mostGain({ free, contents }: FragmentProblem, moves: number): number {
  const start = places(free);
  let seen = new Map([[`${free}|${contents}`, { free: [...free], contents: [...contents] }]]);
  let most = 0;
  for (let move = 0; move < moves; move += 1) {
    const next: typeof seen = new Map();
    for (const state of seen.values())
      for (let from = 0; from < free.length; from += 1)
        for (let to = 0; to < free.length; to += 1)
          for (let size = 0; size < sizes.length; size += 1) {
            if (from === to || state.contents[from * 3 + size] === 0 || state.free[to]! < sizes[size]!) continue;
            const after = { free: [...state.free], contents: [...state.contents] };
            after.free[from]! += sizes[size]!;
            after.free[to]! -= sizes[size]!;
            after.contents[from * 3 + size]! -= 1;
            after.contents[to * 3 + size]! += 1;
            next.set(`${after.free}|${after.contents}`, after);
          }
    for (const state of next.values()) most = Math.max(most, places(state.free) - start);
    seen = next;
  }
  return most;
}

test('no plan gains more places than the bound', () => {
  fc.assert(
    fc.property(anyFragments, fc.integer({ min: 1, max: 3 }), (problem, moves) => {
      expect(mostGain(problem, moves)).toBeLessThanOrEqual(slotsBound(problem, moves, { rounds: 60 }).gain + 1e-6);
    }),
    { numRuns: 60 },
  );
});

/** Nodes of eleven units, of which a seeded draw of instances takes seven eighths. */
function drawnFragments(seed: number, nodes: number): FragmentProblem {
  const random = new Random(seed);
  const free = new Int32Array(nodes).fill(11);
  const contents = new Int32Array(nodes * sizes.length);
  for (let left = Math.round(nodes * 11 * 0.875); left > 0; ) {
    const size = random.below(sizes.length);
    const node = random.below(nodes);
    if (free[node]! < sizes[size]!) continue;
    free[node]! -= sizes[size]!;
    contents[node * sizes.length + size]! += 1;
    left -= sizes[size]!;
  }
  return { slot, sizes, free, contents, counts: new Uint8Array(nodes).fill(1) };
}

test('the prices are found where plain subgradient steps oscillate', () => {
  const problem = drawnFragments(12, 80);
  const bound = slotsBound(problem, 10);
  const plan = annealPatterns(problem, bound, 10, new Random(1), (steps) => steps / 100_000);
  expect(bound.gain).toBeLessThan(10.1);
  expect(plan.gain).toBe(10);
});

test('a plan reaches its promised gain move by move', () => {
  fc.assert(
    fc.property(anyFragments, fc.integer({ min: 1, max: 6 }), (problem, moves) => {
      const bound = slotsBound(problem, moves, { rounds: 60 });
      const plan = annealPatterns(problem, bound, moves, new Random(1), (steps) => steps / 4000);
      const order = orderMoves(problem, plan.net);

      expect(plan.moves).toBeLessThanOrEqual(moves);
      expect(plan.gain).toBeLessThanOrEqual(bound.gain + 1e-6);
      const free = problem.free.slice();
      const contents = problem.contents.slice();
      for (const { size, from, to } of order.moves) {
        expect(free[to]).toBeGreaterThanOrEqual(sizes[size]!);
        expect(contents[from * 3 + size]).toBeGreaterThan(0);
        free[from]! += sizes[size]!;
        free[to]! -= sizes[size]!;
        contents[from * 3 + size]! -= 1;
        contents[to * 3 + size]! += 1;
      }
      expect(free).toEqual(order.free);
      if (order.stuck === 0) expect(places(free) - places(problem.free)).toBe(plan.gain);
    }),
    { numRuns: 60 },
  );
});
