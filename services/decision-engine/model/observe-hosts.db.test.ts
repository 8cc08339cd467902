import { expect, it } from 'vitest';
import { createTestWorld } from '#libs/plugin-kit/testing';
import { useStore } from '#tests';
import { createHostObserver } from './observe-hosts.ts';

const { store } = await useStore();

it('the observer raises the versions of the hosts of a migration, and those of no others', async () => {
  const names = ['a', 'b', 'c'];
  const worldOf = (host: string, takenAtMs: number) =>
    createTestWorld({ hosts: names.map((hostname) => ({ hostname })), instances: [{ name: 'vm', host }], takenAtMs });
  const nowMs = Date.now();
  let picture = worldOf('a', nowMs - 1000);
  const observe = createHostObserver({ store, model: { latest: () => picture }, clock: { now: () => nowMs } });
  const versions = async () => {
    const known = await store.db.hostVersions.current(names);
    return names.map((name) => known.get(name));
  };
  await observe();
  expect(await versions()).toEqual([1, 1, 1]);
  picture = worldOf('a', nowMs - 500);
  await observe();
  expect(await versions()).toEqual([1, 1, 1]);
  picture = worldOf('b', nowMs);
  await observe();
  expect(await versions()).toEqual([2, 2, 1]);
  picture = { ...worldOf('c', nowMs), complete: false };
  await observe();
  expect(await versions()).toEqual([2, 2, 1]);
});
