import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import type { ActionPlanView } from '#libs/store';
import { createFakeCloud, runSql } from '#tests';
import { useApplierBench } from '../../testing/applier-bench.ts';

const bench = await useApplierBench();

beforeEach(() => bench.store.db.services.beat('watcher-decision-engine', 'engine-1'));

const window = { start: new Date(0), end: new Date(0) };

async function until(fits: () => Promise<boolean>): Promise<void> {
  while (!(await fits())) await sleep(20);
}

const measurementOf = (plan: ActionPlanView) => bench.store.db.planMeasurements.find(plan.id, 'before');
const isDue = (plan: ActionPlanView) => async () => (await measurementOf(plan))?.state === 'DUE';

async function verdictOf(plan: ActionPlanView) {
  const { outcome } = await bench.store.db.actionPlans.get(plan.uuid);
  return outcome?.measurement;
}

/** Runs the plan while `meanwhile` plays the other processes. */
async function runWhile(plan: ActionPlanView, beforeLimitMs: number, meanwhile: () => Promise<void>) {
  const runner = bench.runner({ cloud: createFakeCloud({ hosts: [{ name: 'a' }] }), options: { beforeLimitMs } });
  const running = bench.run(runner, plan);
  await until(isDue(plan));
  await meanwhile();
  return running;
}

test('the first action starts after the measurement before it is stored', async () => {
  const plan = await bench.plan([{}, {}]);
  const outcome = await runWhile(plan, 600_000, async () => {
    expect(await verdictOf(plan)).toMatchObject({ state: 'MEASURING' });
    expect((await bench.outcome(plan)).actions).toEqual(['PENDING', 'PENDING']);
    expect(await bench.store.db.planMeasurements.complete(plan.id, 'before', window)).toBe(true);
  });
  expect(outcome).toMatchObject({ state: 'SUCCEEDED', actions: ['SUCCEEDED', 'SUCCEEDED'] });
  const { endedAt } = (await measurementOf(plan))!;
  for (const { startedAt } of await bench.store.db.actions.listByPlan(plan.uuid))
    expect(startedAt!.getTime()).toBeGreaterThanOrEqual(endedAt!.getTime());
  expect(await bench.store.db.planMeasurements.find(plan.id, 'after')).toMatchObject({ state: 'DUE' });
});

test('a plan that no decision engine measures in time runs, and a later result is refused', async () => {
  const plan = await bench.plan([{}]);
  const outcome = await runWhile(plan, 1000, async () => undefined);
  expect(outcome.state).toBe('SUCCEEDED');
  expect(await verdictOf(plan)).toMatchObject({
    state: 'NOT_MEASURED',
    reason: 'before: no decision engine measured the cloud within 1 s before the first action',
  });
  expect(await bench.store.db.planMeasurements.complete(plan.id, 'before', window)).toBe(false);
});

test('a plan does not wait when the last heartbeat of every decision engine is too old', async () => {
  await runSql(bench.databaseUrl, "UPDATE services SET last_seen_up = now() - interval '91 seconds'");
  const plan = await bench.plan([{}]);
  const runner = bench.runner({
    cloud: createFakeCloud({ hosts: [{ name: 'a' }] }),
    options: { beforeLimitMs: 600_000 },
  });
  expect(await bench.run(runner, plan)).toMatchObject({ state: 'SUCCEEDED' });
  expect(await verdictOf(plan)).toMatchObject({
    state: 'NOT_MEASURED',
    reason: 'before: no decision engine was running before the first action',
  });
});

test('a plan that is cancelled while it waits starts nothing', async () => {
  const plan = await bench.plan([{}]);
  const outcome = await runWhile(plan, 600_000, async () => {
    await bench.store.db.actionPlans.transition(plan.uuid, 'requestCancel');
  });
  expect(outcome).toMatchObject({ state: 'CANCELLED', actions: ['CANCELLED'] });
  expect(await verdictOf(plan)).toMatchObject({ reason: 'before: the plan was cancelled before its first action' });
});

test('an applier that takes the plan over waits for the same measurement', async () => {
  const plan = await bench.plan([{}]);
  const first = bench.runner({
    cloud: createFakeCloud({ hosts: [{ name: 'a' }] }),
    options: { beforeLimitMs: 600_000, drainMs: 0 },
  });
  await bench.start(first, plan);
  await until(isDue(plan));
  const { deadline } = (await measurementOf(plan))!;
  await first.drain();
  expect((await bench.outcome(plan)).actions).toEqual(['PENDING']);

  const second = bench.runner({
    cloud: createFakeCloud({ hosts: [{ name: 'a' }] }),
    options: { beforeLimitMs: 600_000 },
  });
  const running = bench.run(second, plan, 'taken_over');
  expect((await measurementOf(plan))!.deadline).toEqual(deadline);
  await bench.store.db.planMeasurements.complete(plan.id, 'before', window);
  expect(await running).toMatchObject({ state: 'SUCCEEDED' });
});

test('a plan whose first action has started is no longer measured', async () => {
  const plan = await bench.plan([{}, {}]);
  await bench.store.db.planMeasurements.request(plan.id, 'before', { limitMs: 600_000 });
  await runSql(
    bench.databaseUrl,
    `UPDATE actions SET state = 'SUCCEEDED', started_at = now(), ended_at = now()
     WHERE id = (SELECT min(id) FROM actions WHERE action_plan_id = $1)`,
    [plan.id],
  );
  const runner = bench.runner({
    cloud: createFakeCloud({ hosts: [{ name: 'a' }] }),
    options: { beforeLimitMs: 600_000 },
  });
  expect(await bench.run(runner, plan)).toMatchObject({ state: 'SUCCEEDED' });
  expect(await verdictOf(plan)).toMatchObject({ reason: 'before: the first action had already started' });
});
