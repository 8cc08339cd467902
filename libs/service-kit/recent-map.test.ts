import { expect, test } from 'vitest';
import { createRecentMap } from './recent-map.ts';

test('the entry that was used last stays', () => {
  const map = createRecentMap<string, number>(2);
  map.set('a', 1);
  map.set('b', 2);
  expect(map.get('a')).toBe(1);
  map.set('c', 3);
  expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([1, undefined, 3]);
  map.set('d', 4);
  expect(map.get('a')).toBeUndefined();
  map.delete('d');
  expect(map.get('d')).toBeUndefined();
});
