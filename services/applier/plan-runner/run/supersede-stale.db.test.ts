import { expect, it } from 'vitest';
import type { PlanGain } from '#libs/domain';
import { createFakeCloud } from '#tests';
import { moveSpec, serverId, useApplierBench } from '../../testing/applier-bench.ts';

const bench = await useApplierBench();
const { hostVersions, planHolds, actionPlans } = bench.store.db;

/** A plan that was started, and whose destination changed after that. */
async function changedPlan(forceStale = false) {
  const plan = await bench.plan([moveSpec(1, 'a', 'b')], { row: { forceStale } });
  const hosts = ['a', 'b'].map((hostname) => ({ hostname, fingerprint: 'seen' }));
  const versions = await hostVersions.observe(hosts, 0);
  await planHolds.record(
    plan.id,
    [...versions].map(([hostname, version]) => ({ hostname, version })),
  );
  await hostVersions.raise(['b']);
  return plan;
}

function runner(gain: PlanGain | null = null) {
  const cloud = createFakeCloud({
    hosts: ['a', 'b'].map((name) => ({ name })),
    servers: [{ uuid: serverId(1), host: 'a' }],
  });
  const gainUnknownBecause = gain === null ? 'no decision engine' : null;
  return {
    cloud,
    ...bench.runner({ cloud, deps: { requestGain: async () => ({ gain, gainUnknownBecause, repeated: null }) } }),
  };
}

const take = ({ tryStart }: ReturnType<typeof runner>, uuid: string) =>
  tryStart({ planUuid: uuid, kind: 'claimed' }, 1000);

it('a plan whose host changed after its start ends SUPERSEDED with numbers, before it changes anything', async () => {
  const plan = await changedPlan();
  const applier = runner({ left: 0.25, promised: 16, now: 4 });
  expect(await take(applier, plan.uuid)).toBe('not_available');
  expect(await bench.outcome(plan)).toMatchObject({
    state: 'SUPERSEDED',
    message: expect.stringContaining('changes on 1 of its 2 hosts: would now gain 4 points instead of 16 points'),
    actions: ['CANCELLED'],
  });
  expect(applier.cloud.mutations).toEqual([]);
});

it.each<[string, boolean, PlanGain | null]>([
  ['holds by its gain on the newest model', false, { left: 0.97, promised: 16, now: 15.5 }],
  ['was started with force_stale', true, null],
])('a plan that %s runs although its host changed', async (_, forceStale, gain) => {
  const plan = await changedPlan(forceStale);
  const applier = runner(gain);
  expect(await take(applier, plan.uuid)).toBe('started');
  await applier.idle();
  expect((await actionPlans.get(plan.uuid)).state).toBe('SUCCEEDED');
});

it('an action raises the versions of its hosts with its outcome', async () => {
  const before = await hostVersions.current(['a', 'b']);
  const plan = await bench.plan([moveSpec(1, 'a', 'b')]);
  const applier = runner();
  await take(applier, plan.uuid);
  await applier.idle();
  const after = await hostVersions.current(['a', 'b']);
  expect([...after.values()].map((version, place) => version - ([...before.values()][place] ?? 0))).toEqual([1, 1]);
});
