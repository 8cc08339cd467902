import { afterEach, describe, expect, it, vi } from 'vitest';
import { type ActionPlanView, StoreUnavailableError } from '#libs/store';
import { createFakeCloud, type FakeCloud, refusal } from '#tests';
import { moveSpec, serverId, useApplierBench } from '../testing/applier-bench.ts';
import { killRunAt } from '../testing/kill-run-at.ts';
import { createKillable } from '../testing/killable.ts';
import type { RacePoint } from './runner-deps.ts';
import { runnerDefaults } from './runner-options.ts';

const bench = await useApplierBench();
afterEach(() => vi.useRealTimers());

function makeCloud(): FakeCloud {
  return createFakeCloud({
    hosts: ['a', 'b', 'c'].map((name) => ({ name })),
    servers: [1, 2, 3, 4, 5].map((number) => ({ uuid: serverId(number), host: 'a' })),
  });
}

const disable = {
  type: 'change_nova_service_state',
  input: { resource_id: 'c', resource_name: 'c', state: 'disabled', disabled_reason: 'watcher_disabled' },
};
const actionsOf = () => [
  disable,
  moveSpec(1, 'a', 'b', { after: [0] }),
  moveSpec(2, 'a', 'b', { after: [1], cold: true }),
  { after: [2] },
];
/**
 * Ends with the rollback of the move, then of the service's state. The requests of its actions come first, then the
 * move back.
 */
const undone = [
  disable,
  moveSpec(1, 'a', 'b', { after: [0] }),
  { input: { message: 'm', fail_execute: true }, after: [1] },
];
const mutationsOnce = ['setServiceStatus disabled', 'liveMigrate b', 'coldMigrate b', 'confirmResize null'];

const killAt = (cloud: FakeCloud, plan: ActionPlanView, point: RacePoint, nth = 1) =>
  killRunAt(bench, { cloud, plan, point, nth });

describe('a successor finishes the work of a killed applier, each change made once', () => {
  const points: [RacePoint, number][] = [
    ['after-claim', 1],
    ['after-intent', 1],
    ['after-intent', 2],
    ['after-intent', 3],
    ['after-intent', 4],
    ['after-send', 1],
    ['after-send', 2],
    ['after-send', 4],
    ['mid-poll', 1],
    ['mid-poll', 3],
    ['before-succeeded', 1],
    ['before-succeeded', 2],
    ['before-succeeded', 4],
    ['before-finish', 1],
  ];

  it.each(points)('killed at %s, time %d', async (point, nth) => {
    const cloud = makeCloud();
    const plan = await bench.plan(actionsOf());
    await killAt(cloud, plan, point, nth);
    const end = await bench.run(bench.runner({ cloud }), plan, 'taken_over');
    expect(end).toMatchObject({ state: 'SUCCEEDED', actions: ['SUCCEEDED', 'SUCCEEDED', 'SUCCEEDED', 'SUCCEEDED'] });
    expect(cloud.mutations.map((one) => `${one.call} ${one.argument}`)).toEqual(mutationsOnce);
    expect(await bench.store.db.planRuns.count(plan.id)).toBe(2);
  });

  it('killed before its claim is committed: the plan is still PENDING', async () => {
    const cloud = makeCloud();
    const plan = await bench.plan(actionsOf());
    await killAt(cloud, plan, 'before-claim-commit');
    const end = await bench.run(bench.runner({ cloud }), plan, 'claimed');
    expect(end.state).toBe('SUCCEEDED');
    expect(await bench.store.db.planRuns.count(plan.id)).toBe(1);
  });

  it('killed twice, in the same migration', async () => {
    const cloud = makeCloud();
    const plan = await bench.plan([moveSpec(1, 'a', 'b')]);
    cloud.hold(serverId(1));
    await killAt(cloud, plan, 'after-send');
    const process = createKillable(bench.store, cloud);
    const second = bench.runner({ cloud: process.cloud, store: process.store });
    let reads = 0;
    cloud.onCall(() => {
      reads += 1;
    });
    await bench.start(second, plan, 'taken_over');
    await expect.poll(() => reads).toBeGreaterThan(3);
    process.kill();
    await bench.expireLease(plan);
    cloud.release(serverId(1));
    expect((await bench.run(bench.runner({ cloud }), plan, 'taken_over')).state).toBe('SUCCEEDED');
    expect(cloud.mutations).toHaveLength(1);
  });

  it('killed in the middle of a rollback', async () => {
    const cloud = makeCloud();
    const plan = await bench.plan(undone, { onFailure: 'rollback' });
    await killAt(cloud, plan, 'mid-rollback', 2);
    const end = await bench.run(bench.runner({ cloud }), plan, 'taken_over');
    expect(end).toMatchObject({ state: 'FAILED', rollback: 'SUCCEEDED', rollbacks: ['SUCCEEDED', 'SUCCEEDED', null] });
    expect(cloud.mutations.map((one) => `${one.call} ${one.argument}`)).toEqual([
      'setServiceStatus disabled',
      'liveMigrate b',
      'liveMigrate a',
      'setServiceStatus enabled',
    ]);
  });

  it('killed in the middle of the rollback of a plan that is then cancelled: sent requests complete', async () => {
    const cloud = makeCloud();
    const plan = await bench.plan(undone, { onFailure: 'rollback' });
    await killAt(cloud, plan, 'after-send', 4);
    await bench.store.db.actionPlans.transition(plan.uuid, 'requestCancel');
    const end = await bench.run(bench.runner({ cloud }), plan, 'taken_over');
    expect(end).toMatchObject({ state: 'CANCELLED', rollback: 'FAILED', rollbacks: [null, 'SUCCEEDED', null] });
    expect(cloud.servers.get(serverId(1))?.host).toBe('a');
  });

  it('killed while its plan was being cancelled', async () => {
    const cloud = makeCloud();
    const plan = await bench.plan([moveSpec(1, 'a', 'b'), { after: [0] }]);
    await killAt(cloud, plan, 'after-send');
    await bench.store.db.actionPlans.transition(plan.uuid, 'requestCancel');
    const end = await bench.run(bench.runner({ cloud }), plan, 'taken_over');
    expect(end).toMatchObject({ state: 'CANCELLED', actions: ['SUCCEEDED', 'CANCELLED'] });
    expect(cloud.mutations).toHaveLength(1);
  });
});

describe('a run whose lease another one took', () => {
  it('writes nothing and changes nothing more', async () => {
    const cloud = makeCloud();
    const plan = await bench.plan([moveSpec(1, 'a', 'b'), moveSpec(2, 'a', 'b', { after: [0] })]);
    let thaw: () => void = () => undefined;
    const frozen = new Promise<void>((resolve) => {
      thaw = resolve;
    });
    let froze: () => void = () => undefined;
    const isFrozen = new Promise<void>((resolve) => {
      froze = resolve;
    });
    const racePoint = async (point: RacePoint) => {
      if (point !== 'before-succeeded') return;
      froze();
      await frozen;
    };
    const zombie = bench.runner({ cloud, racePoint, options: { host: 'zombie' } });
    await bench.start(zombie, plan);
    await isFrozen;
    await bench.expireLease(plan);
    const end = await bench.run(bench.runner({ cloud, options: { host: 'heir' } }), plan, 'taken_over');
    expect(end.state).toBe('SUCCEEDED');
    const before = await bench.store.db.actions.listByPlan(plan.uuid);
    thaw();
    await zombie.idle();
    expect(zombie.ended).toEqual(['LEASE_LOST']);
    expect(await bench.store.db.actions.listByPlan(plan.uuid)).toEqual(before);
    expect((await bench.store.db.actionPlans.get(plan.uuid)).hostname).toBe('heir');
    expect(cloud.mutations.map((one) => one.call)).toEqual(['liveMigrate', 'liveMigrate']);
  });

  it('does not request the change it was about to make', async () => {
    const cloud = makeCloud();
    const plan = await bench.plan([moveSpec(5, 'a', 'b')]);
    // The lease keeper measures by it alone. Nothing waits for it.
    vi.useFakeTimers({ toFake: ['performance'] });
    const racePoint = async (point: RacePoint) => {
      if (point !== 'after-intent') return;
      await bench.expireLease(plan);
      // The remaining lease, as this process knows it, is too short to act without renewing it.
      vi.advanceTimersByTime(runnerDefaults.leaseTtlMs - runnerDefaults.guardMarginMs);
    };
    const slow = bench.runner({ cloud, racePoint });
    const end = await bench.run(slow, plan);
    expect(end).toMatchObject({ state: 'ONGOING', actions: ['ONGOING'] });
    expect(cloud.mutations).toEqual([]);
    // An open plan holds its hosts, and the plans of other tests need them.
    vi.useRealTimers();
    expect(await bench.run(bench.runner({ cloud }), plan, 'taken_over')).toMatchObject({ state: 'SUCCEEDED' });
  });
});

it('abandons a plan that was taken over too often', async () => {
  const cloud = makeCloud();
  const plan = await bench.plan([moveSpec(3, 'a', 'b'), { after: [0] }]);
  await killAt(cloud, plan, 'after-intent');
  const end = await bench.run(bench.runner({ cloud, options: { maxTakeovers: 0 } }), plan, 'taken_over');
  const message = 'Action plan abandoned after 1 takeovers. 0 of 2 actions succeeded, 1 failed, 1 cancelled';
  expect(end).toMatchObject({ state: 'FAILED', message, actions: ['FAILED', 'CANCELLED'] });
});

it('leaves no rollback open when it abandons the plan', async () => {
  const cloud = makeCloud();
  const plan = await bench.plan(undone, { onFailure: 'rollback' });
  await killAt(cloud, plan, 'after-send', 4);
  const end = await bench.run(bench.runner({ cloud, options: { maxTakeovers: 0 } }), plan, 'taken_over');
  expect(end).toMatchObject({ state: 'FAILED', rollback: 'FAILED', rollbacks: [null, 'FAILED', null] });
  const [, move] = await bench.store.db.actions.listByPlan(plan.uuid);
  expect(move?.rollbackMessage).toBe('Action plan abandoned after 1 takeovers');
});

describe("cancels the plan of a dead applier when Watcher's way is wanted", () => {
  it.each([
    ['that asked for nothing', 'after-intent', ['CANCELLED', 'CANCELLED']],
    ['whose request the cloud has taken', 'after-send', ['SUCCEEDED', 'CANCELLED']],
  ] as const)('with an action %s: no state that the cloud contradicts', async (_what, at, states) => {
    const cloud = makeCloud();
    const plan = await bench.plan([moveSpec(4, 'a', 'b'), { after: [0] }]);
    await killAt(cloud, plan, at);
    const end = await bench.run(bench.runner({ cloud, options: { onCrash: 'cancel' } }), plan, 'taken_over');
    expect(end).toMatchObject({ state: 'CANCELLED', message: expect.stringContaining('victim') });
    expect(end.actions).toEqual(states);
    expect(cloud.servers.get(serverId(4))?.host).toBe(states[0] === 'SUCCEEDED' ? 'b' : 'a');
  });

  it('in the middle of its rollback: sent requests complete', async () => {
    const cloud = makeCloud();
    const plan = await bench.plan(undone, { onFailure: 'rollback' });
    await killAt(cloud, plan, 'after-send', 4);
    const end = await bench.run(bench.runner({ cloud, options: { onCrash: 'cancel' } }), plan, 'taken_over');
    expect(end).toMatchObject({ state: 'CANCELLED', rollback: 'FAILED', rollbacks: [null, 'SUCCEEDED', null] });
    expect(cloud.servers.get(serverId(1))?.host).toBe('a');
  });
});

it('hands its plan over when the process stops', async () => {
  const cloud = makeCloud();
  cloud.hold(serverId(1));
  const plan = await bench.plan([moveSpec(1, 'a', 'b'), { after: [0] }]);
  const stopping = bench.runner({ cloud, options: { drainMs: 100 } });
  await bench.start(stopping, plan);
  await expect.poll(() => cloud.mutations.length).toBe(1);
  await stopping.drain();
  expect(await bench.outcome(plan)).toMatchObject({ state: 'ONGOING', actions: ['ONGOING', 'PENDING'] });
  expect(stopping.isFreeFor('claimed')).toBe(false);
  expect(await bench.store.db.planRuns.count(plan.id)).toBe(1);
  expect(await bench.store.db.planRuns.count(plan.id, { except: ['RELEASED'] })).toBe(0);
  cloud.release(serverId(1));
  const found = await bench.store.db.actionPlans.findClaimable({ pendingMs: 10_000, limit: 100 });
  expect(found).toContainEqual({ uuid: plan.uuid, expired: true });
  expect((await bench.run(bench.runner({ cloud }), plan, 'taken_over')).state).toBe('SUCCEEDED');
  expect(cloud.mutations).toHaveLength(1);
});

describe('outages', () => {
  it('of the database are waited out', async () => {
    const cloud = makeCloud();
    const plan = await bench.plan([moveSpec(1, 'a', 'b'), { after: [0] }]);
    let failures = 0;
    const store: typeof bench.store = {
      ...bench.store,
      async transaction(work) {
        failures += 1;
        if (failures % 3 === 2) throw new StoreUnavailableError('connection refused');
        const response = await bench.store.transaction(work);
        // Sometimes the commit is done but its response does not arrive.
        if (failures % 3 === 0) throw new StoreUnavailableError('connection lost');
        return response;
      },
    };
    const batches = store.db.actionBatches;
    let requested = 0;
    /**
     * The first try of each batch does not arrive. The second one commits, but its response is lost. The third one
     * finds it done.
     */
    async function flaky<Result>(work: () => Promise<Result>): Promise<Result> {
      requested += 1;
      if (requested % 3 === 1) throw new StoreUnavailableError('connection refused');
      const response = await work();
      if (requested % 3 === 2) throw new StoreUnavailableError('connection lost');
      return response;
    }
    store.db = {
      ...store.db,
      actionBatches: {
        start: (...given) => flaky(() => batches.start(...given)),
        end: (...given) => flaky(() => batches.end(...given)),
      },
    };
    const end = await bench.run(bench.runner({ cloud, store }), plan);
    expect(end).toMatchObject({ state: 'SUCCEEDED', actions: ['SUCCEEDED', 'SUCCEEDED'] });
    expect(cloud.mutations).toHaveLength(1);
    expect(failures).toBeGreaterThan(6);
    expect(requested).toBe(12);
  });

  it('of Nova are waited out', async () => {
    const cloud = makeCloud();
    cloud.fail({ call: 'getServer', when: 'before', error: refusal(503, 'overloaded'), times: 3 });
    cloud.fail({ call: 'listMigrations', when: 'before', error: refusal(0, 'no answer'), times: 2 });
    const plan = await bench.plan([moveSpec(1, 'a', 'b')]);
    expect((await bench.run(bench.runner({ cloud }), plan)).state).toBe('SUCCEEDED');
  });
});
