import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { silentLogger } from '#libs/domain';
import type { Envelope } from '#libs/messaging';
import { StoreUnavailableError } from '#libs/store';
import { createFakeCloud } from '#tests';
import { startRecoveryPoller } from '../recovery/recovery-poller.ts';
import { moveSpec, serverId, useApplierBench } from '../testing/applier-bench.ts';
import { createPlanLaunchHandler } from './plan-launch.ts';

const bench = await useApplierBench();

function message(planUuid: string, launchSeq = 1): Envelope {
  const body = { schema: 'plan.launch/1', plan_uuid: planUuid, launch_seq: launchSeq, requested_by: null };
  return { messageId: randomUUID(), type: 'plan.launch', body, attempt: 0, timestamp: '2026-01-01T00:00:00Z' };
}

function setUp() {
  const cloud = createFakeCloud({ hosts: [{ name: 'a' }, { name: 'b' }], servers: [{ uuid: serverId(1), host: 'a' }] });
  const runner = bench.runner({ cloud });
  return { cloud, runner, handle: createPlanLaunchHandler({ store: bench.store, runner, logger: silentLogger }) };
}

/** One worker, as by default. */
function busyRunner() {
  const cloud = createFakeCloud({ hosts: [{ name: 'a' }, { name: 'b' }], servers: [{ uuid: serverId(1), host: 'a' }] });
  return { cloud, runner: bench.runner({ cloud, options: { workers: 1 } }) };
}

it('runs a plan once however often its message comes', async () => {
  const { cloud, runner, handle } = setUp();
  const plan = await bench.plan([moveSpec(1, 'a', 'b')]);
  const first = message(plan.uuid);
  for (const envelope of [first, first, message(plan.uuid)]) expect(await handle(envelope)).toEqual({ kind: 'ack' });
  await runner.idle();
  expect((await bench.outcome(plan)).state).toBe('SUCCEEDED');
  expect(cloud.mutations).toHaveLength(1);
  expect(await bench.store.db.planRuns.list(plan.id)).toHaveLength(1);
});

it('drops a message of an older launch', async () => {
  const { runner, handle } = setUp();
  const plan = await bench.plan([{}]);
  expect(await handle(message(plan.uuid, 7))).toEqual({ kind: 'ack' });
  await runner.idle();
  expect((await bench.outcome(plan)).state).toBe('PENDING');
});

it('dead-letters a message of an unknown plan', async () => {
  expect(await setUp().handle(message(randomUUID()))).toMatchObject({ kind: 'dead' });
});

it('leaves a message to others while the process stops', async () => {
  const { runner, handle } = setUp();
  const plan = await bench.plan([{}]);
  await runner.drain();
  expect(await handle(message(plan.uuid))).toMatchObject({ kind: 'retry' });
});

it('lets the bus deliver again when the database is unavailable', async () => {
  const { runner } = setUp();
  const plan = await bench.plan([{}]);
  const away: typeof bench.store = {
    ...bench.store,
    transaction: () => Promise.reject(new StoreUnavailableError('x')),
  };
  const handle = createPlanLaunchHandler({
    store: away,
    runner: bench.runner({ cloud: createFakeCloud({ hosts: [] }), store: away }),
    logger: silentLogger,
  });
  await expect(handle(message(plan.uuid))).rejects.toThrow(StoreUnavailableError);
  expect(runner.isFreeFor('claimed')).toBe(true);
  expect((await bench.outcome(plan)).state).toBe('PENDING');
});

it('one of two appliers gets a plan that both want', async () => {
  const { cloud } = setUp();
  const plan = await bench.plan([moveSpec(1, 'a', 'b')]);
  const runners = [bench.runner({ cloud }), bench.runner({ cloud })];
  const results = await Promise.all(runners.map((one) => one.tryStart({ planUuid: plan.uuid, kind: 'claimed' }, 1000)));
  expect(results.sort()).toEqual(['not_available', 'started']);
  await Promise.all(runners.map((one) => one.idle()));
  expect(cloud.mutations).toHaveLength(1);
});

it('the poller takes a plan whose applier died', async () => {
  const { runner, cloud } = setUp();
  const plan = await bench.plan([moveSpec(1, 'a', 'b')]);
  await bench.store.db.actionPlans.claim(plan.uuid, { instance: randomUUID(), host: 'gone', ttlMs: 1 });
  const poller = startRecoveryPoller({ store: bench.store, runner, everyMs: () => 100, logger: silentLogger });
  await expect.poll(async () => (await bench.outcome(plan)).state).toBe('SUCCEEDED');
  await poller.stop();
  expect(cloud.mutations).toHaveLength(1);
});

it('the poller takes a plan as soon as its lease is over, without waiting for its next poll', async () => {
  const { runner } = setUp();
  const plan = await bench.plan([{}]);
  const poller = startRecoveryPoller({ store: bench.store, runner, everyMs: () => 600_000, logger: silentLogger });
  // The first poll may come before or after the claim. A hint wakes the poller, as the opening of a gate does.
  await bench.store.db.actionPlans.claim(plan.uuid, { instance: randomUUID(), host: 'gone', ttlMs: 1500 });
  poller.wake();
  await expect.poll(async () => (await bench.outcome(plan)).state).toBe('SUCCEEDED');
  await poller.stop();
});

it('plans of a dead applier are taken over although all workers are busy, and before plans that have not started', async () => {
  const { runner, cloud } = busyRunner();
  cloud.hold(serverId(1));
  const [long, waiting] = [await bench.plan([moveSpec(1, 'a', 'b')]), await bench.plan([{}])];
  const left = await Promise.all(Array.from({ length: 3 }, () => bench.plan([{}])));
  for (const { uuid } of left) {
    await bench.store.db.actionPlans.claim(uuid, { instance: randomUUID(), host: 'gone', ttlMs: 1 });
  }
  expect(await runner.tryStart({ planUuid: long.uuid, kind: 'claimed' }, 1000)).toBe('started');
  const poller = startRecoveryPoller({
    store: bench.store,
    runner,
    everyMs: () => 50,
    graceMs: 0,
    logger: silentLogger,
  });
  const states = () => Promise.all(left.map(async (plan) => (await bench.outcome(plan)).state));
  await expect.poll(states).toEqual(['SUCCEEDED', 'SUCCEEDED', 'SUCCEEDED']);
  expect((await bench.outcome(waiting)).state).toBe('PENDING');
  cloud.release(serverId(1));
  await expect.poll(async () => (await bench.outcome(waiting)).state).toBe('SUCCEEDED');
  await poller.stop();
  await runner.idle();
});
