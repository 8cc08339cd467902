// @needs postgres
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Store, UnitOfWork } from '#libs/store';
import { checkHistory } from './check-history.ts';
import { recordConcurrentStarts } from './testing/record-concurrent-starts.ts';

/** A seed takes 20 s on two free cores, and ten times as long when others use them. */
const timeoutMs = 600_000;

it.each([1, 2, 3, 4, 5])(
  'no two plans hold one host, with 8 starters and 3 mortal appliers, seed %d',
  async (seed) => {
    const { history, figures, ends, refusals, mutations } = await recordConcurrentStarts({ seed, plans: 60 });
    expect(checkHistory(history), JSON.stringify(figures)).toEqual([]);

    // Plans met, and appliers died.
    expect(figures.kills).toBeGreaterThan(0);
    expect(figures.requests).toBe(mutations);
    expect(figures.claims).toBeGreaterThan(figures.kills);
    expect(ends.SUCCEEDED).toBeGreaterThan(10);
    expect(refusals.filter((text) => text.includes('holds host')).length).toBeGreaterThan(20);
    expect(refusals.filter((text) => text.includes('is stale')).length).toBeGreaterThan(0);
  },
  timeoutMs,
);

/** A store whose transactions differ in one part. */
function changed(store: Store, part: (unit: UnitOfWork) => Partial<UnitOfWork>): Store {
  return { ...store, transaction: (work) => store.transaction((unit) => work({ ...unit, ...part(unit) })) };
}

type Part = (unit: UnitOfWork) => Partial<UnitOfWork>;

/** An admission that takes long after its search. Without the lock, others pass it. */
const slow: Part = ({ planHolds }) => ({
  planHolds: {
    ...planHolds,
    async holders(...given) {
      const found = await planHolds.holders(...given);
      await pause(20);
      return found;
    },
  },
});
const record = (part: Part) => recordConcurrentStarts({ seed: 1, plans: 30, change: (store) => changed(store, part) });

it.each<[string, Part]>([
  ['search for the holder', ({ planHolds }) => ({ planHolds: { ...planHolds, holders: async () => [] } })],
  ['lock of the admission', (unit) => ({ ...slow(unit), lock: async () => undefined })],
])('the checker reports overlaps without the %s', async (_, part) => {
  const { history } = await record(part);
  expect(checkHistory(history).map(({ kind }) => kind)).toContain('overlap');
});

it('the checker reports nothing when admissions are slow and locked', async () => {
  const { history } = await record(slow);
  expect(checkHistory(history)).toEqual([]);
});
