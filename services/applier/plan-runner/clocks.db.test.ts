import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ActionPlanView } from '#libs/store';
import { createFakeCloud, type FakeCloud, runSql } from '#tests';
import { moveSpec, serverId, useApplierBench } from '../testing/applier-bench.ts';
import { killRunAt } from '../testing/kill-run-at.ts';

const bench = await useApplierBench();
afterEach(() => vi.useRealTimers());

const hourMs = 3_600_000;
const makeCloud = (): FakeCloud =>
  createFakeCloud({ hosts: [{ name: 'a' }, { name: 'b' }], servers: [{ uuid: serverId(1), host: 'a' }] });
/** From now on the clock of the host is wrong, as seen by this process. */
const shiftClock = (byMs: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + byMs });
const options = { resumedBudgetMs: 300 };

/** A plan whose migration was requested by an applier with a wrong clock, which was killed while it waited. */
async function leftBehind(cloud: FakeCloud, wrongByMs: number): Promise<ActionPlanView> {
  cloud.hold(serverId(1));
  const plan = await bench.plan([moveSpec(1, 'a', 'b')]);
  shiftClock(wrongByMs);
  await killRunAt(bench, { cloud, plan, point: 'mid-poll', nth: 2 });
  vi.useRealTimers();
  return plan;
}

describe('the time budget of a wait that a successor continues', () => {
  it('is not shortened by the clock of the applier that died', async () => {
    const cloud = makeCloud();
    const plan = await leftBehind(cloud, -2 * hourMs);
    const heir = bench.runner({ cloud, options });
    await bench.start(heir, plan, 'taken_over');
    let reads = 0;
    cloud.onCall(() => {
      reads += 1;
    });
    // Longer than a budget that is over would have left it.
    await expect.poll(() => reads).toBeGreaterThan(400);
    expect((await bench.outcome(plan)).actions).toEqual(['ONGOING']);
    cloud.release(serverId(1));
    await heir.idle();
    expect(await bench.outcome(plan)).toMatchObject({ state: 'SUCCEEDED', actions: ['SUCCEEDED'] });
  });

  it.each([0, 2 * hourMs])(
    'ends although that applier died with a clock that was wrong by %d ms',
    async (wrongByMs) => {
      const cloud = makeCloud();
      const plan = await leftBehind(cloud, wrongByMs);
      await runSql(
        bench.databaseUrl,
        `UPDATE action_attempts SET started_at = started_at - interval '1 hour',
      intent = intent || jsonb_build_object('began_ms', (intent->>'began_ms')::double precision - ${hourMs})`,
      );
      const end = await bench.run(bench.runner({ cloud, options }), plan, 'taken_over');
      expect(end).toMatchObject({ state: 'FAILED', messages: ['Action failed in execute: timeout after 1080s'] });
      expect(cloud.mutations.map(({ call }) => call)).toEqual(['liveMigrate', 'abortLiveMigration']);
    },
  );
});

it('sleep continues for the rest by the time of the database', async () => {
  const cloud = makeCloud();
  const plan = await bench.plan([{ type: 'sleep', input: { duration: 3600 } }]);
  shiftClock(-2 * hourMs);
  await killRunAt(bench, { cloud, plan, point: 'mid-poll', nth: 2 });
  vi.useRealTimers();
  const heir = bench.runner({ cloud, options });
  await bench.start(heir, plan, 'taken_over');
  await bench.store.db.actionPlans.transition(plan.uuid, 'requestCancel', { set: { abortRunning: true } });
  heir.hint(plan.uuid);
  await heir.idle();
  expect(await bench.outcome(plan)).toMatchObject({ state: 'CANCELLED', actions: ['CANCELLED'] });
});

describe('a maintenance window', () => {
  it('opens by the time of the database', async () => {
    const windowStart = new Date(Date.now() + hourMs);
    const plan = await bench.plan([{}], { row: { windowStart } });
    shiftClock(2 * hourMs);
    const runner = bench.runner({ cloud: makeCloud() });
    expect(await runner.tryStart({ planUuid: plan.uuid, kind: 'claimed' }, 1000)).toBe('not_available');
    expect(await bench.outcome(plan)).toMatchObject({ state: 'PENDING', actions: ['PENDING'] });
    expect((await bench.store.db.actionPlans.get(plan.uuid)).holdUntil).toEqual(windowStart);
  });

  it('closes by it, between two actions too', async () => {
    const windowEnd = new Date(Date.now() + hourMs);
    const plan = await bench.plan([{}, { after: [0] }], { row: { windowEnd } });
    shiftClock(2 * hourMs);
    expect(await bench.run(bench.runner({ cloud: makeCloud() }), plan)).toMatchObject({ state: 'SUCCEEDED' });
  });
});
