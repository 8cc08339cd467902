import { describe, expect, it } from 'vitest';
import { createFakeCloud } from '#tests';
import { type ApplierBench, moveSpec, serverId, useApplierBench } from '../testing/applier-bench.ts';
import type { RacePoint } from './runner-deps.ts';

const bench = await useApplierBench();

type Plan = Awaited<ReturnType<ApplierBench['plan']>>;

function makeCloud() {
  return createFakeCloud({
    hosts: ['a', 'b', 'c'].map((name) => ({ name })),
    servers: [1, 2, 3, 4].map((number) => ({ uuid: serverId(number), host: 'a' })),
  });
}

const claimable = async () =>
  (await bench.store.db.actionPlans.findClaimable({ pendingMs: 0, limit: 100 })).map(({ uuid }) => uuid);
const rowOf = (plan: Plan) => bench.store.db.actionPlans.get(plan.uuid);

/** Does something the first time a run comes to `point`. */
function once(point: RacePoint, act: () => Promise<unknown>) {
  let isDone = false;
  return async (reached: RacePoint) => {
    if (reached !== point || isDone) return;
    isDone = true;
    await act();
  };
}

describe('a pause', () => {
  it('lets running actions end, starts no other, and frees the plan for any applier to resume', async () => {
    const cloud = makeCloud();
    const plan = await bench.plan([moveSpec(1, 'a', 'b'), { after: [0] }]);
    const pause = () => bench.store.db.actionPlans.update(plan.uuid, { paused: true });
    const paused = await bench.run(bench.runner({ cloud, racePoint: once('after-send', pause) }), plan);
    expect(paused).toMatchObject({
      state: 'ONGOING',
      message: 'Action plan is paused.',
      actions: ['SUCCEEDED', 'PENDING'],
    });
    expect((await rowOf(plan)).runInstance).toBeNull();
    expect(await claimable()).not.toContain(plan.uuid);
    const other = bench.runner({ cloud, options: { host: 'applier-2' } });
    expect(await other.tryStart({ planUuid: plan.uuid, kind: 'taken_over' }, 100)).toBe('not_available');

    await bench.store.db.actionPlans.update(plan.uuid, { paused: false });
    expect(await claimable()).toContain(plan.uuid);
    const end = await bench.run(other, plan, 'taken_over');
    expect(end).toMatchObject({ state: 'SUCCEEDED', message: null, actions: ['SUCCEEDED', 'SUCCEEDED'] });
    expect(await bench.store.db.planRuns.count(plan.id, { except: ['RELEASED'] })).toBe(1);
  });

  it('holds back a plan that is PENDING', async () => {
    const plan = await bench.plan([{}], { row: { paused: true } });
    expect(await claimable()).not.toContain(plan.uuid);
    const runner = bench.runner({ cloud: makeCloud() });
    expect(await runner.tryStart({ planUuid: plan.uuid, kind: 'claimed' }, 100)).toBe('not_available');
  });

  it('does not keep a plan from being cancelled', async () => {
    const plan = await bench.plan([{}, { after: [0] }]);
    const pause = () => bench.store.db.actionPlans.update(plan.uuid, { paused: true });
    const runner = bench.runner({ cloud: makeCloud(), racePoint: once('before-succeeded', pause) });
    expect((await bench.run(runner, plan)).state).toBe('ONGOING');
    await bench.store.db.actionPlans.transition(plan.uuid, 'requestCancel');
    expect(await claimable()).toContain(plan.uuid);
    expect(await bench.run(runner, plan, 'taken_over')).toMatchObject({
      state: 'CANCELLED',
      actions: ['SUCCEEDED', 'CANCELLED'],
    });
  });

  it('does not hide actions that a killed applier left running', async () => {
    const plan = await bench.plan([{ state: 'ONGOING' }, { after: [0] }], { row: { state: 'ONGOING', paused: true } });
    expect(await claimable()).toContain(plan.uuid);
    const end = await bench.run(bench.runner({ cloud: makeCloud() }), plan, 'taken_over');
    expect(end).toMatchObject({ state: 'ONGOING', actions: ['SUCCEEDED', 'PENDING'] });
  });
});

describe('a maintenance window', () => {
  const hour = 3_600_000;
  const inMs = (ms: number) => new Date(Date.now() + ms);

  it('that has not opened yet keeps the plan PENDING, with this reason', async () => {
    const windowStart = inMs(hour);
    const plan = await bench.plan([{}], { row: { windowStart } });
    const runner = bench.runner({ cloud: makeCloud() });
    expect(await runner.tryStart({ planUuid: plan.uuid, kind: 'claimed' }, 100)).toBe('not_available');
    expect(await rowOf(plan)).toMatchObject({
      state: 'PENDING',
      holdUntil: windowStart,
      statusMessage: `Waiting for the maintenance window, which opens at ${windowStart.toISOString()}`,
    });
    expect(await claimable()).not.toContain(plan.uuid);

    await bench.store.db.actionPlans.update(plan.uuid, { windowStart: inMs(-hour), holdUntil: inMs(-1000) });
    expect(await claimable()).toContain(plan.uuid);
    expect(await bench.run(runner, plan)).toMatchObject({ state: 'SUCCEEDED', message: null });
  });

  it('that closes in mid plan holds the rest until the next one', async () => {
    const plan = await bench.plan([{}, { after: [0] }]);
    const windowStart = inMs(hour);
    const { actionPlans } = bench.store.db;
    let seen: Date | null = null;
    const find: typeof actionPlans.find = async (ident) => {
      const row = await actionPlans.find(ident);
      seen = row?.windowStart ?? null;
      return row;
    };
    const store = { ...bench.store, db: { ...bench.store.db, actionPlans: { ...actionPlans, find } } };
    const runner = bench.runner({
      cloud: makeCloud(),
      store,
      racePoint: once('before-succeeded', async () => {
        await actionPlans.update(plan.uuid, { windowStart });
        runner.hint(plan.uuid);
        await expect.poll(() => seen).toEqual(windowStart);
      }),
    });
    expect(await bench.run(runner, plan)).toMatchObject({ state: 'ONGOING', actions: ['SUCCEEDED', 'PENDING'] });
    expect(await rowOf(plan)).toMatchObject({ holdUntil: windowStart, runInstance: null });
  });

  it('that is over ends the plan', async () => {
    const plan = await bench.plan([{}], { row: { windowStart: inMs(-2 * hour), windowEnd: inMs(-hour) } });
    const runner = bench.runner({ cloud: makeCloud() });
    expect(await runner.tryStart({ planUuid: plan.uuid, kind: 'claimed' }, 100)).toBe('not_available');
    const message = 'Action plan was stopped: its maintenance window is over';
    expect(await bench.outcome(plan)).toMatchObject({
      state: 'FAILED',
      message,
      actions: ['CANCELLED'],
      messages: [message],
    });
  });
});

it('a plan stops when too many of its actions fail', async () => {
  const failing = { input: { message: 'm', fail_execute: true } };
  const plan = await bench.plan([{}, failing, failing, {}, {}]);
  const options = { failureShare: 0.5, failureMinimum: 3, maxActionsPerPlan: 1 };
  const end = await bench.run(bench.runner({ cloud: makeCloud(), options }), plan);
  expect(end).toMatchObject({
    state: 'FAILED',
    message: expect.stringMatching(
      /^Action plan was stopped: 2 of 3 actions failed\. 1 of 5 actions succeeded, 2 failed, 2 cancelled\. First failure: nop /,
    ),
    actions: ['SUCCEEDED', 'FAILED', 'FAILED', 'CANCELLED', 'CANCELLED'],
  });
  expect(end.messages[4]).toBe('Not executed because 2 of 3 actions failed.');
});

describe('the limits of a plan', () => {
  it('max_workers', async () => {
    const cloud = makeCloud();
    const moves = [1, 2, 3, 4].map((number) => moveSpec(number, 'a', number % 2 ? 'b' : 'c'));
    const plan = await bench.plan(moves, { row: { maxWorkers: 1 } });
    expect((await bench.run(bench.runner({ cloud }), plan)).state).toBe('SUCCEEDED');
    expect(cloud.peak()).toBe(1);
  });

  it('max_migrations: further migrations are skipped, and reported', async () => {
    const cloud = makeCloud();
    const plan = await bench.plan([moveSpec(1, 'a', 'b'), moveSpec(2, 'a', 'b'), {}], { row: { maxMigrations: 1 } });
    const end = await bench.run(bench.runner({ cloud }), plan);
    expect(end.actions.toSorted()).toEqual(['SKIPPED', 'SUCCEEDED', 'SUCCEEDED']);
    expect(cloud.mutations).toHaveLength(1);
    const skipped = (await bench.store.db.actions.listByPlan(plan.uuid)).find(({ state }) => state === 'SKIPPED');
    expect(skipped).toMatchObject({
      endReason: 'budget',
      statusMessage:
        'Action was skipped automatically: the action plan may start 1 migrations at most, and its step does not fit',
    });
  });

  it.each(['continue', 'rollback'] as const)(
    'max_migrations disables no host that it does not empty (%s)',
    async (onFailure) => {
      const cloud = makeCloud();
      const disable = (host: string) => ({
        type: 'change_nova_service_state',
        input: { resource_id: host, resource_name: host, state: 'disabled', disabled_reason: 'watcher_disabled' },
      });
      const plan = await bench.plan(
        [disable('b'), disable('a'), ...[1, 2, 3].map((number) => moveSpec(number, 'a', 'c', { after: [1] }))],
        { onFailure, row: { maxMigrations: 1 } },
      );
      const end = await bench.run(bench.runner({ cloud }), plan);
      expect(end).toMatchObject({
        state: 'SUCCEEDED',
        actions: ['SUCCEEDED', 'SKIPPED', 'SKIPPED', 'SKIPPED', 'SKIPPED'],
        message: 'One or more actions were skipped. Done in part: max_migrations 1 left out 4 of 5 actions',
      });
      expect(cloud.mutations.map(({ target }) => target)).toEqual(['service-b']);
      expect(cloud.hosts.get('a')?.status).toBe('enabled');
    },
  );
});

describe('limits across processes', () => {
  it.each([
    ['of all', { all: 1 }, []],
    [
      'per network',
      { network: 1 },
      [
        { name: 'rack', pattern: '?' },
        { name: 'row', pattern: '*' },
      ],
    ],
    ['per aggregate', { aggregate: 1 }, []],
  ])('%s', async (_name, limits, networks) => {
    const cloud = createFakeCloud({
      hosts: ['a', 'b', 'c', 'd'].map((name) => ({ name })),
      servers: [1, 2, 3, 4].map((number) => ({ uuid: serverId(number), host: number < 3 ? 'a' : 'd' })),
      aggregates: [{ name: 'fast', hosts: ['b', 'c'] }],
      pollsPerMigration: 10,
    });
    const plans = [
      await bench.plan([moveSpec(1, 'a', 'b'), moveSpec(2, 'a', 'b')]),
      await bench.plan([moveSpec(3, 'd', 'c'), moveSpec(4, 'd', 'c')]),
    ];
    const options = { limits, networks };
    const ends = await Promise.all(plans.map((plan) => bench.run(bench.runner({ cloud, options }), plan)));
    expect(ends.map(({ state }) => state)).toEqual(['SUCCEEDED', 'SUCCEEDED']);
    expect(cloud.peak()).toBe(1);
  });
});

describe('an abort', () => {
  const abort = async (plan: Plan) => {
    await bench.store.db.actionPlans.transition(plan.uuid, 'requestCancel', { set: { abortRunning: true } });
  };

  it('interrupts a running live migration through Nova, and every action ends in its true state', async () => {
    const cloud = makeCloud();
    cloud.hold(serverId(1));
    const plan = await bench.plan([
      moveSpec(1, 'a', 'b'),
      { type: 'sleep', input: { duration: 100_000 } },
      { after: [0, 1] },
    ]);
    const runner = bench.runner({ cloud });
    await bench.start(runner, plan);
    await expect.poll(() => cloud.mutations.length).toBe(1);
    await expect.poll(async () => (await bench.outcome(plan)).actions[1]).toBe('ONGOING');
    await abort(plan);
    runner.hint(plan.uuid);
    await runner.idle();
    const end = await bench.outcome(plan);
    expect(end).toMatchObject({ state: 'CANCELLED', actions: ['CANCELLED', 'CANCELLED', 'CANCELLED'] });
    expect(end.messages[0]).toBe('Action was aborted because the action plan was cancelled.');
    expect(cloud.mutations.map(({ call }) => call)).toEqual(['liveMigrate', 'abortLiveMigration']);
    expect(cloud.servers.get(serverId(1))).toMatchObject({ host: 'a', status: 'ACTIVE' });
  });

  it('waits for a cold migration, which cannot be aborted', async () => {
    const cloud = makeCloud();
    const plan = await bench.plan([moveSpec(1, 'a', 'b', { cold: true }), { after: [0] }]);
    const runner = bench.runner({
      cloud,
      racePoint: once('mid-poll', async () => {
        await abort(plan);
        runner.hint(plan.uuid);
        await expect.poll(async () => (await bench.outcome(plan)).actions[0]).toBe('CANCELLING');
      }),
    });
    expect(await bench.run(runner, plan)).toMatchObject({ state: 'CANCELLED', actions: ['SUCCEEDED', 'CANCELLED'] });
    expect(cloud.servers.get(serverId(1))).toMatchObject({ host: 'b', status: 'ACTIVE' });
    expect(cloud.mutations.map(({ call }) => call)).toEqual(['coldMigrate', 'confirmResize']);
  });

  it('is finished by a successor', async () => {
    const cloud = makeCloud();
    cloud.hold(serverId(1));
    const plan = await bench.plan([moveSpec(1, 'a', 'b'), { after: [0] }]);
    const runner = bench.runner({
      cloud,
      options: { drainMs: 0 },
      racePoint: once('before-abort', async () => {
        void runner.drain();
        await new Promise((resolve) => setTimeout(resolve, 50));
      }),
    });
    await bench.start(runner, plan);
    await expect.poll(() => cloud.mutations.length).toBe(1);
    await abort(plan);
    await runner.idle();
    expect(await bench.outcome(plan)).toMatchObject({ state: 'CANCELLING', actions: ['CANCELLING', 'PENDING'] });
    expect(await bench.run(bench.runner({ cloud }), plan, 'taken_over')).toMatchObject({
      state: 'CANCELLED',
      actions: ['CANCELLED', 'CANCELLED'],
    });
    expect(cloud.mutations.map(({ call }) => call)).toEqual(['liveMigrate', 'abortLiveMigration']);
  });
});

it('reports why an action was not done: the cloud is not as the plan assumed', async () => {
  const plan = await bench.plan([moveSpec(1, 'b', 'c'), moveSpec(2, 'a', 'nowhere'), { type: 'teleport' }]);
  await bench.run(bench.runner({ cloud: makeCloud() }), plan);
  const actions = await bench.store.db.actions.listByPlan(plan.uuid);
  expect(actions.map(({ state, endReason }) => `${state} ${endReason}`)).toEqual([
    'SKIPPED stale',
    'FAILED stale',
    'FAILED invalid',
  ]);
});
