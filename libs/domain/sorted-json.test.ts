import { expect, it } from 'vitest';
import { sortedJson } from './sorted-json.ts';

it('gives equal values equal texts, regardless of the order of their keys, and keeps the order of lists', () => {
  const one = { b: [{ d: 1, c: null }, 'x'], a: true };
  const other = { a: true, b: [{ c: null, d: 1 }, 'x'] };
  expect(JSON.stringify(sortedJson(one))).toBe(JSON.stringify(sortedJson(other)));
  expect(sortedJson(one)).toEqual(one);
  expect(JSON.stringify(sortedJson([2, 1]))).toBe('[2,1]');
});
