import { createElement } from 'react';
import { expect, test } from 'vitest';
import { areNumbers } from './number-cells.ts';

test.each([
  [[3, 12, null]],
  [['1,234', '–', '7']],
  [['26\u00a0%', '−3.5\u00a0%']],
  [['45\u00a0s', '1\u00a0min 5\u00a0s', '12.000 MiB']],
  [['≤ 31', '4']],
  [['12 / 64', '3 / 8 GiB']],
  [['2,345 → 12']],
])('%j is a column of numbers', (cells) => {
  expect(areNumbers(cells)).toBe(true);
});

test.each([
  [[null, '–', '']],
  [['compute-1', 'compute-2']],
  [['3', 'three']],
  [['00000000-0000-4000-8000-000000000001']],
  [['8 of 8 hosts covered']],
  [['0 3 * * *']],
  [[createElement('span', null, '3')]],
])('%j is none', (cells) => {
  expect(areNumbers(cells)).toBe(false);
});
