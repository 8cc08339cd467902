import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { silentLogger } from '#libs/domain';
import { createStore, type Store, StoreUnavailableError } from '#libs/store';
import { createFakeCloud, type FakeCloud } from '#tests';
import { type ApplierBench, moveSpec, serverId, useApplierBench } from '../testing/applier-bench.ts';

const bench = await useApplierBench();
const admin = new pg.Client({ connectionString: bench.databaseUrl });
await admin.connect();
afterAll(async () => {
  await admin.end();
});

const makeCloud = (): FakeCloud =>
  createFakeCloud({
    hosts: ['a', 'b'].map((name) => ({ name })),
    servers: [1, 2].map((number) => ({ uuid: serverId(number), host: 'a' })),
  });

/** A disabled host, a live and a cold migration. With `fails`, an action after them that fails. */
const actionsOf = ({ fails = false } = {}) => [
  {
    type: 'change_nova_service_state',
    input: { resource_id: 'a', resource_name: 'a', state: 'disabled', disabled_reason: 'watcher_disabled' },
  },
  moveSpec(1, 'a', 'b', { after: [0] }),
  moveSpec(2, 'a', 'b', { after: [0], cold: true }),
  { input: { message: 'm', fail_execute: fails }, after: [1, 2] },
];

/** The store, whose transactions call `strike` between their statements and before their commit. */
function striking(store: Store, strike: () => Promise<void>): Store {
  let isFirst = true;
  const watched = <Part extends object>(part: Part): Part =>
    new Proxy(part, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value === 'object' && value !== null) return watched(value);
        if (typeof value !== 'function') return value;
        return async (...given: unknown[]) => {
          const response: unknown = await value.apply(target, given);
          await strike();
          return response;
        };
      },
    });
  return {
    ...store,
    transaction: (work) => {
      // The claim is not the run's yet.
      const isClaim = isFirst;
      isFirst = false;
      return store.transaction((unit) => work(isClaim ? unit : watched(unit)));
    },
  };
}

describe('sessions of the database that are terminated between statements', () => {
  const applicationName = `applier-${randomUUID()}`;
  let store: Store;
  beforeAll(async () => {
    store = await createStore({ url: bench.databaseUrl, logger: silentLogger, applicationName, poolSize: 20 });
  });
  afterAll(() => store.close());

  it.each([
    ['in a plan that succeeds', false],
    ['in a plan that is rolled back', true],
  ])('fail no action %s, and nothing is requested twice', async (_what, fails) => {
    let statements = 0;
    let terminated = 0;
    /** Seldom enough for each transaction to end at last. */
    const strike = async () => {
      statements += 1;
      if (statements % 7 !== 1) return;
      const { rowCount } = await admin.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1',
        [applicationName],
      );
      terminated += rowCount ?? 0;
    };
    const cloud = makeCloud();
    const plan = await bench.plan(actionsOf({ fails }), { onFailure: 'rollback' });
    const end = await bench.run(bench.runner({ cloud, store: striking(store, strike) }), plan);
    expect(terminated).toBeGreaterThan(2);
    const last = fails ? 'FAILED' : 'SUCCEEDED';
    expect(end).toMatchObject({ state: last, rollback: fails ? 'SUCCEEDED' : null });
    expect(end.actions).toEqual(['SUCCEEDED', 'SUCCEEDED', 'SUCCEEDED', last]);
    const there = ['setServiceStatus', 'liveMigrate', 'coldMigrate', 'confirmResize'];
    const requested = fails ? [...there, ...there] : there;
    expect(cloud.mutations.map(({ call }) => call).sort()).toEqual(requested.sort());
  });
});

describe('an unknown error of the store', () => {
  /** Runs the plan until after the `nth` statement of its transactions the store throws. */
  async function runAndFail(plan: Awaited<ReturnType<ApplierBench['plan']>>, cloud: FakeCloud, nth: number) {
    let strikes = 0;
    const strike = async () => {
      strikes += 1;
      if (strikes === nth) throw new TypeError('no way to tell');
    };
    const end = await bench.run(bench.runner({ cloud, store: striking(bench.store, strike) }), plan);
    return { end, hasStruck: strikes >= nth };
  }

  it('is never the outcome of an action: the run breaks, and a successor finishes the plan', async () => {
    let struck = 0;
    for (let nth = 1; ; nth += 2) {
      const cloud = makeCloud();
      const plan = await bench.plan(actionsOf(), { onFailure: 'rollback' });
      const { end, hasStruck } = await runAndFail(plan, cloud, nth);
      if (!hasStruck) break;
      struck += 1;
      expect(end).toMatchObject({ state: 'ONGOING', rollback: null });
      expect(end.actions).not.toContain('FAILED');
      await bench.expireLease(plan);
      const after = await bench.run(bench.runner({ cloud }), plan, 'taken_over');
      expect(after).toMatchObject({ state: 'SUCCEEDED', actions: Array(4).fill('SUCCEEDED') });
    }
    expect(struck).toBeGreaterThan(3);
  });
});

/** The store, which fails to renew leases of plans while `isAway` returns true, and counts these failures. */
function withoutRenewals(store: Store, isAway: () => boolean): { store: Store; failures: () => number } {
  const { actionPlans } = store.db;
  let failures = 0;
  const renewLease: typeof actionPlans.renewLease = (...given) => {
    if (!isAway()) return actionPlans.renewLease(...given);
    failures += 1;
    return Promise.reject(new StoreUnavailableError('cut off'));
  };
  return {
    store: { ...store, db: { ...store.db, actionPlans: { ...actionPlans, renewLease } } },
    failures: () => failures,
  };
}

it('leases lost in an outage of the database do not count against the plan', async () => {
  // Leases end when the test says so, however slow the machine is.
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const leaseTtlMs = 2_000;
  const cloud = makeCloud();
  cloud.hold(serverId(1));
  const plan = await bench.plan([moveSpec(1, 'a', 'b')]);
  let isAway = false;
  const { store, failures } = withoutRenewals(bench.store, () => isAway);
  const lossesNoted = async () => (await bench.store.db.planRuns.list(plan.id)).map(({ outcome }) => outcome);
  for (let loss = 1; loss <= 3; loss += 1) {
    const runner = bench.runner({
      cloud,
      store,
      options: { leaseTtlMs, guardMarginMs: leaseTtlMs / 3, maxTakeovers: 1 },
    });
    const before = failures();
    isAway = false;
    const running = bench.run(runner, plan, loss === 1 ? 'claimed' : 'taken_over');
    await expect.poll(async () => (await bench.outcome(plan)).actions).toEqual(['ONGOING']);
    isAway = true;
    const laterFailures = () => {
      vi.advanceTimersByTime(leaseTtlMs / 40);
      return failures();
    };
    await expect.poll(laterFailures).toBeGreaterThan(before);
    vi.advanceTimersByTime(leaseTtlMs);
    expect(await running).toMatchObject({ state: 'ONGOING', actions: ['ONGOING'] });
    await expect.poll(lossesNoted).toEqual(Array(loss).fill('LEASE_LOST'));
    await bench.expireLease(plan);
  }
  cloud.release(serverId(1));
  const last = bench.runner({ cloud, options: { maxTakeovers: 1 } });
  expect(await bench.run(last, plan, 'taken_over')).toMatchObject({ state: 'SUCCEEDED', actions: ['SUCCEEDED'] });
  expect(cloud.mutations).toHaveLength(1);
});

it('a reason that the database refuses to store loses its invalid part, not the outcome', async () => {
  const cloud = makeCloud();
  cloud.script(serverId(1), { status: 'error', fault: 'out of\0 memory' });
  const end = await bench.run(bench.runner({ cloud }), await bench.plan([moveSpec(1, 'a', 'b')]));
  expect(end).toMatchObject({ state: 'FAILED', actions: ['FAILED'] });
  expect(end.messages[0]).toContain('out of memory');
});
