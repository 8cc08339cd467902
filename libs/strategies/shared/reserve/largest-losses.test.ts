import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createLargestLosses } from './largest-losses.ts';

/** All losses of a size, sorted. */
function searchedIn(losses: readonly number[], returned: number, without: number): number[] {
  const sorted = losses.filter((_, at) => at !== without).sort((a, b) => b - a);
  return Array.from({ length: returned }, (_, rank) => sorted[rank] ?? 0);
}

const sizes = 3;

/** A cloud of few or many different losses, half of them 0 as on hosts out of use, and changes of hosts. */
const world = fc.integer({ min: 1, max: 40 }).chain((hosts) =>
  fc.constantFrom(3, 1000).chain((most) => {
    const loss = fc.integer({ min: -most, max: most }).map((value) => Math.max(0, value));
    const lossesOfHost = fc.array(loss, { minLength: sizes, maxLength: sizes });
    const change = fc.record({ at: fc.nat(hosts - 1), losses: lossesOfHost, without: fc.nat(hosts - 1) });
    return fc.record({
      first: fc.array(lossesOfHost, { minLength: hosts, maxLength: hosts }),
      returned: fc.integer({ min: 1, max: 4 }),
      changes: fc.array(change, { minLength: 50, maxLength: 200, size: 'max' }),
    });
  }),
);

it('equals a search of all hosts after each of many changes', () => {
  const equalsSearch = fc.property(world, ({ first, returned, changes }) => {
    const table = [...first];
    const dimensions = { sizes, hosts: table.length, returned };
    const losses = createLargestLosses(dimensions, (size, at) => table[at]?.[size] as number);
    for (const { at, losses: changed, without } of changes) {
      table[at] = changed;
      losses.update(at);
      for (let size = 0; size < sizes; size++) {
        const places = table.map((ofHost) => ofHost[size] as number);
        expect(losses.of(size, without)).toEqual(searchedIn(places, returned, without));
        expect(losses.of(size)).toEqual(searchedIn(places, returned, -1));
      }
    }
  });
  fc.assert(equalsSearch, { numRuns: 40, seed: 7, endOnFailure: true });
});

it('searches all hosts only after many of the largest losses became smaller', () => {
  const places = Array.from({ length: 1000 }, (_, at) => 1000 - at);
  let reads = 0;
  const losses = createLargestLosses({ sizes: 1, hosts: 1000, returned: 1 }, (_, at) => {
    reads++;
    return places[at] as number;
  });
  reads = 0;
  for (let at = 0; at < 8; at++) {
    places[at] = 0;
    losses.update(at);
    expect(losses.of(0, at + 1)).toEqual([1000 - at - 2]);
  }
  expect(reads).toBe(8);
});
