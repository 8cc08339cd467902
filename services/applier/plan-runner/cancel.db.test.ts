import { describe, expect, it } from 'vitest';
import { createFakeCloud } from '#tests';
import { moveSpec, serverId, useApplierBench } from '../testing/applier-bench.ts';
import type { RacePoint } from './runner-deps.ts';

const bench = await useApplierBench();

function makeCloud() {
  return createFakeCloud({
    hosts: [{ name: 'a' }, { name: 'b' }],
    servers: [1, 2].map((number) => ({ uuid: serverId(number), host: 'a' })),
  });
}

describe('a cancel request', () => {
  it.each<[RacePoint, string[]]>([
    ['after-claim', ['CANCELLED', 'CANCELLED']],
    ['after-intent', ['SUCCEEDED', 'CANCELLED']],
    ['after-send', ['SUCCEEDED', 'CANCELLED']],
    ['before-succeeded', ['SUCCEEDED', 'CANCELLED']],
    ['before-finish', ['SUCCEEDED', 'SUCCEEDED']],
  ])('at %s ends in CANCELLED; actions that ran keep their result', async (point, actions) => {
    const cloud = makeCloud();
    const plan = await bench.plan([moveSpec(1, 'a', 'b'), { after: [0] }]);
    let isAsked = false;
    const racePoint = async (reached: RacePoint) => {
      if (reached !== point || isAsked) return;
      isAsked = true;
      await bench.store.db.actionPlans.transition(plan.uuid, 'requestCancel');
    };
    const runner = bench.runner({ cloud, racePoint });
    const done = actions.filter((state) => state === 'SUCCEEDED').length;
    const message = expect.stringMatching(`^Cancelled on request. ${done} of 2 actions succeeded`);
    expect(await bench.run(runner, plan)).toMatchObject({ state: 'CANCELLED', message, actions });
    expect(runner.ended).toEqual(['CANCELLED']);
  });

  it('is noticed during an action without a waiting caller, by a hint or by polling', async () => {
    const cloud = makeCloud();
    for (const number of [1, 2]) cloud.hold(serverId(number));
    const plan = await bench.plan([moveSpec(1, 'a', 'b'), moveSpec(2, 'a', 'b'), { after: [1] }]);
    const runner = bench.runner({ cloud, options: { watchIntervalMs: 600_000 } });
    await bench.start(runner, plan);
    await expect.poll(() => cloud.mutations.length).toBe(2);
    await bench.store.db.actionPlans.transition(plan.uuid, 'requestCancel');
    runner.hint(plan.uuid);
    for (const number of [1, 2]) cloud.release(serverId(number));
    await runner.idle();
    const end = await bench.outcome(plan);
    expect(end).toMatchObject({ state: 'CANCELLED', actions: ['SUCCEEDED', 'SUCCEEDED', 'CANCELLED'] });
  });

  it('stops a rollback, and reports it', async () => {
    const cloud = makeCloud();
    const failing = { input: { message: 'm', fail_execute: true }, after: [1] };
    const plan = await bench.plan([moveSpec(1, 'a', 'b'), moveSpec(2, 'a', 'b', { after: [0] }), failing], {
      onFailure: 'rollback',
    });
    const racePoint = async (reached: RacePoint) => {
      if (reached !== 'mid-rollback') return;
      const { state } = await bench.store.db.actionPlans.get(plan.uuid);
      if (state === 'ONGOING') await bench.store.db.actionPlans.transition(plan.uuid, 'requestCancel');
    };
    const end = await bench.run(bench.runner({ cloud, racePoint }), plan);
    expect(end).toMatchObject({ state: 'CANCELLED', rollback: 'FAILED', rollbacks: [null, 'SUCCEEDED', null] });
    const row = await bench.store.db.actionPlans.get(plan.uuid);
    expect(row.rollbackMessage).toBe('Rollback was stopped because the action plan was cancelled.');
  });
});

it('honours a skip that arrives while the plan runs', async () => {
  const plan = await bench.plan([{}, { after: [0] }]);
  const racePoint = async (reached: RacePoint) => {
    if (reached !== 'before-succeeded') return;
    const [, second] = await bench.store.db.actions.listByPlan(plan.uuid);
    if (second?.state !== 'PENDING') return;
    const set = { statusMessage: 'Action skipped by user.' };
    await bench.store.db.actions.transition(second.uuid, 'skip', { set });
  };
  const end = await bench.run(bench.runner({ cloud: makeCloud(), racePoint }), plan);
  expect(end).toMatchObject({
    state: 'SUCCEEDED',
    message: 'One or more actions were skipped.',
    actions: ['SUCCEEDED', 'SKIPPED'],
    messages: [null, 'Action skipped by user.'],
  });
});

it('starts a cancelled plan never', async () => {
  const plan = await bench.plan([{}]);
  await bench.store.db.actionPlans.transition(plan.uuid, 'cancelBeforeStart');
  const runner = bench.runner({ cloud: makeCloud() });
  expect(await runner.tryStart({ planUuid: plan.uuid, kind: 'claimed' }, 100)).toBe('not_available');
  expect(runner.isFreeFor('claimed')).toBe(true);
});

it('starts nothing when the plan is late', async () => {
  const plan = await bench.plan([{}]);
  const end = await bench.run(bench.runner({ cloud: makeCloud(), options: { planTimeoutMs: 0 } }), plan);
  expect(end).toMatchObject({
    state: 'FAILED',
    message: 'Action plan was stopped: timeout after 0s',
    actions: ['CANCELLED'],
  });
});
