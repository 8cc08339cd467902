import { expect, test } from 'vitest';
import { indexAfter } from './use-chart-cursor.ts';

test('arrow keys go over the values of a chart and stay within it, from the last one', () => {
  const way = (...keys: string[]) => {
    let index: number | null = null;
    return keys.map((key) => {
      index = indexAfter(key, index, 12) ?? index;
      return index;
    });
  };
  expect(way('ArrowLeft', 'ArrowLeft', 'ArrowRight', 'ArrowRight')).toEqual([11, 10, 11, 11]);
  expect(way('Home', 'ArrowLeft', 'PageDown', 'PageDown', 'PageUp', 'End')).toEqual([0, 0, 10, 11, 1, 11]);
  expect(indexAfter('Tab', 3, 12)).toBeNull();
  expect(indexAfter('End', null, 0)).toBeNull();
});
