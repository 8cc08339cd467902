import { expect, it } from 'vitest';
import { limitArgument, pageArguments } from './query-arguments.ts';

it.each([
  [undefined, 20],
  ['1', 1],
  ['100', 100],
  ['101', 100],
  ['9999999999', 100],
])('limit %s of a list with at most 100 rows is %s', (limit, rows) => {
  expect(limitArgument(limit === undefined ? {} : { limit }, 20, 100)).toBe(rows);
});

it.each(['0', '-1', 'x', '1.5'])('refuses limit %s', (limit) => {
  expect(() => limitArgument({ limit }, 20, 100)).toThrow();
});

it('refuses more rows of a page than its most', () => {
  const limits = { byDefault: 20, most: 50 };
  expect(pageArguments({ limit: '50', page: '2' }, limits)).toMatchObject({ limit: 50 });
  expect(() => pageArguments({ limit: '51' }, limits)).toThrow();
});
