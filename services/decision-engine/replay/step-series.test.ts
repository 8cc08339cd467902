import { expect, it } from 'vitest';
import { bySteps, readStep, seriesOf } from './step-series.ts';

it('has the values of a step together, for sizes that are no multiple of a tile', () => {
  const [rows, steps] = [130, 67];
  const byRow = Float32Array.from({ length: rows * steps }, (_, at) => at);
  const { values } = bySteps(byRow, { rows, steps });
  for (const [row, step] of [
    [0, 0],
    [129, 66],
    [64, 63],
    [63, 64],
    [128, 1],
  ] as const)
    expect(values[step * rows + row]).toBe(row * steps + step);
});

it('reads a step of numbers, and of bytes in their unit, of which 255 is not known', () => {
  const target = new Float32Array(2);
  readStep(seriesOf([Float32Array.of(1, 2.5), Float32Array.of(3, Number.NaN)]), 1, target);
  expect([...target]).toEqual([2.5, Number.NaN]);
  readStep({ rows: 2, values: Uint8Array.of(1, 2, 255, 200), byteUnit: 0.5 }, 1, target);
  expect([...target]).toEqual([Number.NaN, 100]);
  expect(seriesOf([])).toEqual({ rows: 0, values: new Float32Array(0) });
});
