import { expect, it } from 'vitest';
import { insertPlanWorld, runSql, useStore } from '#tests';

const { store, url } = await useStore();
const { hostVersions, planHolds } = store.db;
let hosts = 0;

/** A separate host for each test. */
function sighting(fingerprint: string) {
  hosts += 1;
  const hostname = `host-${hosts}`;
  return { hostname, see: (seen = fingerprint, ageMs = 0) => versionOf(hostname, seen, ageMs) };
}

async function versionOf(hostname: string, fingerprint: string, ageMs: number) {
  return (await hostVersions.observe([{ hostname, fingerprint }], ageMs)).get(hostname);
}

it('equal models of a host keep its version, also from two decision engines', async () => {
  const { see } = sighting('one');
  expect(await see()).toBe(1);
  expect(await see()).toBe(1);
  expect(await see('other')).toBe(2);
  expect(await see('other')).toBe(2);
});

it('an older model does not increase the version, and has an earlier version', async () => {
  const { hostname, see } = sighting('old');
  await see('old', 60_000);
  await see('new');
  expect(await see('old', 30_000)).toBe(1);
  expect((await hostVersions.current([hostname])).get(hostname)).toBe(2);
});

it('a change by a plan is counted once, although the next model also has it', async () => {
  const { hostname, see } = sighting('before');
  await see();
  await hostVersions.raise([hostname]);
  expect(await see('before', 60_000)).toBe(1);
  expect(await see('after')).toBe(2);
  expect(await see('foreign change')).toBe(3);
});

it('a plan depends only on the versions of its hosts', async () => {
  const { plan } = await insertPlanWorld(store.db);
  const [own, foreign] = [sighting('own'), sighting('foreign')];
  await planHolds.record(plan.id, [{ hostname: own.hostname, version: (await own.see()) ?? null }]);
  await foreign.see();
  await hostVersions.raise([foreign.hostname]);
  expect(await planHolds.changed(plan.id)).toEqual([]);

  await hostVersions.raise([own.hostname]);
  expect(await planHolds.changed(plan.id)).toMatchObject([{ hostname: own.hostname, planned: 1, current: 2 }]);
  await planHolds.accept(plan.id);
  expect(await planHolds.changed(plan.id)).toEqual([]);
});

it('only a host that left the cloud long ago and that no plan depends on loses its version', async () => {
  const { plan } = await insertPlanWorld(store.db);
  const [present, left, planned] = [sighting('here'), sighting('left'), sighting('planned')];
  for (const { see } of [present, left, planned]) await see();
  await planHolds.record(plan.id, [{ hostname: planned.hostname, version: 1 }]);
  for (const { see } of [left, planned]) await see('');
  expect(await hostVersions.prune(3600)).toBe(0);
  await runSql(url, "UPDATE host_versions SET changed_at = now() - interval '2 hours'");
  expect(await hostVersions.prune(3600)).toBe(1);
  const names = [present, left, planned].map(({ hostname }) => hostname);
  expect([...(await hostVersions.current(names)).keys()].sort()).toEqual([planned.hostname, present.hostname].sort());
});
