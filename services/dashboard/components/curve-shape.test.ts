import { expect, it } from 'vitest';
import { migrationTicks, pathOf, placesOf } from './curve-shape.ts';

it('a curve starts today, and its bound lies above it', () => {
  const { reached, bounds } = placesOf([
    { moves: 5, value: 60, bound: 40 },
    { moves: 10, value: 20, bound: 0 },
  ]);
  expect(reached).toEqual([
    { x: 0, y: 200 },
    { x: 300, y: 120 },
    { x: 600, y: 40 },
  ]);
  expect(bounds.at(-1)).toEqual({ x: 600, y: 0 });
  expect(pathOf(reached)).toBe('M 0 200 L 300 120 L 600 40');
});

it.each([
  [1, ['0', '1']],
  [3, ['0', '1', '2', '3']],
  [17, ['0', '5', '10', '15']],
  [60, ['0', '20', '40', '60']],
  [100, ['0', '20', '40', '60', '80', '100']],
  [116, ['0', '50', '100']],
])('the axis of %i migrations has round numbers', (moves, labels) => {
  const ticks = migrationTicks([{ moves: 1 }, { moves }]);
  expect(ticks.map(({ label }) => label)).toEqual(labels);
  expect(ticks.at(-1)?.at).toBeLessThanOrEqual(1);
});
