import { expect, it } from 'vitest';
import { createOrderedHosts } from './ordered-hosts.ts';

it('keeps hosts by key and row, also those that come later', () => {
  const hosts = createOrderedHosts([3, 1], (host) => host * 10);
  for (const host of [7, 5, 6]) hosts.add(host, 20);
  hosts.update(3, 20);
  hosts.remove(6);
  expect(Array.from({ length: hosts.size }, (_, place) => hosts.at(place))).toEqual([1, 3, 5, 7]);
  expect([hosts.firstAtLeast(11), hosts.firstAtLeast(21)]).toEqual([1, 4]);
});
