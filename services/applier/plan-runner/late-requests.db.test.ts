import { describe, expect, it, test } from 'vitest';
import type { ActionPlanView } from '#libs/store';
import { createFakeCloud, type FakeCloud, type LateRequest } from '#tests';
import { type ActionSpec, type ApplierBench, moveSpec, serverId, useApplierBench } from '../testing/applier-bench.ts';
import { createKillable } from '../testing/killable.ts';
import type { RunnerOptions } from './runner-options.ts';

const bench = await useApplierBench();

const volume = '33333333-2222-4333-8444-000000000001';
const node = '44444444-2222-4333-8444-000000000001';
const makeCloud = (): FakeCloud =>
  createFakeCloud({
    hosts: ['a', 'b', 'c'].map((name) => ({ name })),
    servers: [1, 2].map((number) => ({ uuid: serverId(number), host: 'a' })),
    volumes: [{ uuid: volume }],
    nodes: [{ uuid: node, powerState: 'power off' }],
  });

/** Runs the plan until `late` was sent, does `before`, and kills the run there. Its lease is over. */
async function killWhenSent(
  cloud: FakeCloud,
  plan: ActionPlanView,
  late: LateRequest,
  before: (runner: ReturnType<ApplierBench['runner']>) => Promise<void> = async () => undefined,
): Promise<void> {
  const process = createKillable(bench.store, cloud);
  const runner = bench.runner({ cloud: process.cloud, store: process.store });
  await bench.start(runner, plan);
  await late.sent;
  await before(runner);
  process.kill();
  await bench.expireLease(plan);
}

/** Takes the plan over. After `reads` checks of the cloud by the successor, `late` lands. */
async function resumeAndLand(
  cloud: FakeCloud,
  plan: ActionPlanView,
  late: LateRequest,
  lateEffectMs = 60_000,
  more: Partial<RunnerOptions> = {},
) {
  const action = { pollIntervalMs: 500, migrationTimeoutMs: 900_000, lateEffectMs };
  const runner = bench.runner({ cloud, options: { action, ...more } });
  let reads = 0;
  cloud.onCall((call) => {
    if (!call.startsWith('get') && !call.startsWith('list')) return;
    reads += 1;
    if (reads === 8) expect(late.land()).toBeNull();
  });
  return bench.run(runner, plan, 'taken_over');
}

const kinds: [string, FakeCloud['mutations'][number]['call'], ActionSpec][] = [
  ['live migration', 'liveMigrate', moveSpec(1, 'a', 'b')],
  ['cold migration', 'coldMigrate', moveSpec(1, 'a', 'b', { cold: true })],
  ['resize', 'resizeServer', { type: 'resize', input: { resource_id: serverId(1), flavor: 'large' } }],
  ['stop', 'stopServer', { type: 'stop', input: { resource_id: serverId(1) } }],
  [
    'change of a service',
    'setServiceStatus',
    {
      type: 'change_nova_service_state',
      input: { resource_id: 'c', resource_name: 'c', state: 'disabled', disabled_reason: 'watcher_disabled' },
    },
  ],
  [
    'migration of a volume',
    'migrateVolume',
    {
      type: 'volume_migrate',
      input: { migration_type: 'migrate', resource_id: volume, destination_node: 'a@lvm#two' },
    },
  ],
  ['change of power', 'setPowerState', { type: 'change_node_power_state', input: { resource_id: node, state: 'on' } }],
];

describe('a request that takes effect after its sender was killed', () => {
  it.each(kinds)('%s: is waited for, and requested once', async (_what, call, spec) => {
    const cloud = makeCloud();
    const late = cloud.delay(call);
    const plan = await bench.plan([spec]);
    await killWhenSent(cloud, plan, late);
    const end = await resumeAndLand(cloud, plan, late);
    expect(end).toMatchObject({ state: 'SUCCEEDED', actions: ['SUCCEEDED'] });
    expect(cloud.mutations.filter((one) => one.call === call)).toHaveLength(1);
  });

  it.each(kinds)('%s: repeats the request when it never takes effect', async (_what, call, spec) => {
    const cloud = makeCloud();
    const plan = await bench.plan([spec]);
    await killWhenSent(cloud, plan, cloud.delay(call));
    const end = await bench.run(bench.runner({ cloud }), plan, 'taken_over');
    expect(end).toMatchObject({ state: 'SUCCEEDED', actions: ['SUCCEEDED'] });
    expect(cloud.mutations.filter((one) => one.call === call)).toHaveLength(2);
  });

  it('lands in the instant of the second request, which is refused: the first one decides the outcome', async () => {
    const cloud = makeCloud();
    const late = cloud.delay('liveMigrate');
    const plan = await bench.plan([moveSpec(1, 'a', 'b')]);
    await killWhenSent(cloud, plan, late);
    let isLanded = false;
    cloud.onCall((call) => {
      if (call !== 'liveMigrate' || isLanded) return;
      isLanded = true;
      expect(late.land()).toBeNull();
    });
    const end = await bench.run(bench.runner({ cloud }), plan, 'taken_over');
    expect(isLanded).toBe(true);
    expect(end).toMatchObject({ state: 'SUCCEEDED', actions: ['SUCCEEDED'] });
    expect(cloud.servers.get(serverId(1))?.host).toBe('b');
    expect(cloud.peak()).toBe(1);
  });

  it('is known to the third run too', async () => {
    const cloud = makeCloud();
    const late = cloud.delay('liveMigrate');
    const plan = await bench.plan([moveSpec(1, 'a', 'b')]);
    await killWhenSent(cloud, plan, late);
    const second = createKillable(bench.store, cloud);
    let reads = 0;
    cloud.onCall(() => {
      reads += 1;
    });
    const action = { pollIntervalMs: 500, migrationTimeoutMs: 900_000, lateEffectMs: 60_000 };
    const runner = bench.runner({ cloud: second.cloud, store: second.store, options: { action } });
    await bench.start(runner, plan, 'taken_over');
    await expect.poll(() => reads).toBeGreaterThan(4);
    second.kill();
    await bench.expireLease(plan);
    expect(await resumeAndLand(cloud, plan, late)).toMatchObject({ state: 'SUCCEEDED' });
    expect(cloud.mutations).toHaveLength(1);
  });
});

test('successive killed runs share one wait for a request that never takes effect', async () => {
  const cloud = makeCloud();
  cloud.hold(serverId(1));
  const plan = await bench.plan([moveSpec(1, 'a', 'b')]);
  await killWhenSent(cloud, plan, cloud.delay('liveMigrate'));
  const action = { pollIntervalMs: 500, migrationTimeoutMs: 900_000, lateEffectMs: 1000 };
  const [lifeMs, mostRuns] = [250, 40];
  let runs = 0;
  while (cloud.mutations.length === 1 && runs < mostRuns) {
    runs += 1;
    const mortal = createKillable(bench.store, cloud);
    let death: NodeJS.Timeout | undefined;
    // Long enough for one check, and shorter than the wait.
    cloud.onCall(() => {
      death ??= setTimeout(() => mortal.kill(), lifeMs);
    });
    const runner = bench.runner({ cloud: mortal.cloud, store: mortal.store, options: { action, maxTakeovers: 100 } });
    await bench.start(runner, plan, 'taken_over');
    await expect.poll(() => mortal.isKilled || cloud.mutations.length === 2).toBe(true);
    clearTimeout(death);
    mortal.kill();
    await bench.expireLease(plan);
  }
  expect(runs).toBeLessThan(mostRuns);
  expect(cloud.mutations).toHaveLength(2);
  cloud.release(serverId(1));
  const last = bench.runner({ cloud, options: { maxTakeovers: 100 } });
  expect(await bench.run(last, plan, 'taken_over')).toMatchObject({ state: 'SUCCEEDED' });
});

describe('an abort while a request has no response', () => {
  const abort = async (plan: ActionPlanView) => {
    await bench.store.db.actionPlans.transition(plan.uuid, 'requestCancel', { set: { abortRunning: true } });
  };
  const cancelling = async (plan: ActionPlanView, runner: ReturnType<ApplierBench['runner']>) => {
    await abort(plan);
    runner.hint(plan.uuid);
    await expect.poll(async () => (await bench.outcome(plan)).actions).toEqual(['CANCELLING']);
  };

  it('and a crash: a request that lands late is aborted, and only then the action is CANCELLED', async () => {
    const cloud = makeCloud();
    cloud.hold(serverId(1));
    const late = cloud.delay('liveMigrate');
    const plan = await bench.plan([moveSpec(1, 'a', 'b')]);
    await killWhenSent(cloud, plan, late, (runner) => cancelling(plan, runner));
    const end = await resumeAndLand(cloud, plan, late);
    expect(end).toMatchObject({ state: 'CANCELLED', actions: ['CANCELLED'] });
    expect(cloud.mutations.map(({ call }) => call)).toEqual(['liveMigrate', 'abortLiveMigration']);
    expect(cloud.servers.get(serverId(1))).toMatchObject({ host: 'a', status: 'ACTIVE' });
  });

  it('and a crash: a request that never lands is CANCELLED, once it can no longer land', async () => {
    const cloud = makeCloud();
    const late = cloud.delay('liveMigrate');
    const plan = await bench.plan([moveSpec(1, 'a', 'b')]);
    await killWhenSent(cloud, plan, late, (runner) => cancelling(plan, runner));
    const end = await bench.run(bench.runner({ cloud }), plan, 'taken_over');
    expect(end).toMatchObject({ state: 'CANCELLED', actions: ['CANCELLED'] });
    expect(cloud.mutations.map(({ call }) => call)).toEqual(['liveMigrate']);
  });

  it('and a broken connection: a request that lands is aborted', async () => {
    const cloud = makeCloud();
    cloud.hold(serverId(1));
    const late = cloud.delay('liveMigrate');
    const plan = await bench.plan([moveSpec(1, 'a', 'b')]);
    const action = { pollIntervalMs: 500, migrationTimeoutMs: 900_000, lateEffectMs: 60_000 };
    const runner = bench.runner({ cloud, options: { action } });
    await bench.start(runner, plan);
    await late.sent;
    await cancelling(plan, runner);
    let reads = 0;
    cloud.onCall(() => {
      reads += 1;
      if (reads === 8) late.land();
    });
    late.loseResponse();
    await runner.idle();
    expect(await bench.outcome(plan)).toMatchObject({ state: 'CANCELLED', actions: ['CANCELLED'] });
    expect(cloud.servers.get(serverId(1))).toMatchObject({ host: 'a', status: 'ACTIVE' });
    expect(cloud.mutations.map(({ call }) => call)).toEqual(['liveMigrate', 'abortLiveMigration']);
  });

  it.each([
    ['to the host that our request named', 'b', 'SUCCEEDED'],
    ['to another host', 'c', 'FAILED'],
  ])('keeps a migration that another user started %s', async (_where, host, state) => {
    const cloud = makeCloud();
    const plan = await bench.plan([moveSpec(1, 'a', 'b')]);
    const late = cloud.delay('liveMigrate');
    await killWhenSent(cloud, plan, late, (runner) => cancelling(plan, runner));
    cloud.hold(serverId(1));
    expect(cloud.migrateAsAnotherUser(serverId(1), host)).toBeNull();
    const run = bench.run(bench.runner({ cloud }), plan, 'taken_over');
    let reads = 0;
    cloud.onCall(() => {
      reads += 1;
      if (reads === 30) cloud.release(serverId(1));
    });
    expect(await run).toMatchObject({ actions: [state] });
    expect(cloud.mutations.map(({ call, argument }) => `${call} ${argument}`)).toEqual(['liveMigrate b']);
    expect(cloud.servers.get(serverId(1))?.host).toBe(host);
  });
});

it("Watcher's way with the plan of a dead applier waits for an unanswered request as well", async () => {
  const cloud = makeCloud();
  const late = cloud.delay('liveMigrate');
  const plan = await bench.plan([moveSpec(1, 'a', 'b'), { after: [0] }]);
  await killWhenSent(cloud, plan, late);
  const end = await resumeAndLand(cloud, plan, late, 60_000, { onCrash: 'cancel' });
  expect(end).toMatchObject({ state: 'CANCELLED', actions: ['SUCCEEDED', 'CANCELLED'] });
  expect(cloud.servers.get(serverId(1))?.host).toBe('b');
});

it('a time-out waits for the outcome of a request without a response: no end is stored before', async () => {
  const cloud = makeCloud();
  const late = cloud.delay('liveMigrate');
  const plan = await bench.plan([moveSpec(1, 'a', 'b')]);
  const action = { pollIntervalMs: 500, migrationTimeoutMs: 100, lateEffectMs: 60_000 };
  const runner = bench.runner({ cloud, options: { action, settleMs: 50 } });
  await bench.start(runner, plan);
  await late.sent;
  let reads = 0;
  cloud.onCall(() => {
    reads += 1;
    if (reads === 8) late.land();
  });
  await runner.idle();
  const end = await bench.outcome(plan);
  if (reads < 8) late.land();
  for (let read = 0; read < 3; read += 1) await cloud.compute.getServer(serverId(1));
  const { host } = cloud.servers.get(serverId(1)) ?? {};
  expect([end.actions[0], host]).toEqual(host === 'b' ? ['SUCCEEDED', 'b'] : ['FAILED', 'a']);
});

it('a request of a rollback that takes effect after its sender was killed is waited for too', async () => {
  const cloud = makeCloud();
  const failing = { input: { message: 'm', fail_execute: true }, after: [0] };
  const plan = await bench.plan([moveSpec(1, 'a', 'b'), failing], { onFailure: 'rollback' });
  let late: LateRequest | undefined;
  cloud.onCall((call) => {
    if (call === 'liveMigrate' && cloud.mutations.length === 1) late = cloud.delay('liveMigrate');
  });
  const process = createKillable(bench.store, cloud);
  const victim = bench.runner({ cloud: process.cloud, store: process.store });
  await bench.start(victim, plan);
  await expect.poll(() => cloud.mutations.length).toBe(2);
  process.kill();
  await bench.expireLease(plan);
  if (!late) throw new Error('the way back was not asked for');
  const end = await resumeAndLand(cloud, plan, late);
  expect(end).toMatchObject({ state: 'FAILED', rollback: 'SUCCEEDED', rollbacks: ['SUCCEEDED', null] });
  expect(cloud.mutations.map(({ argument }) => argument)).toEqual(['b', 'a']);
  expect(cloud.servers.get(serverId(1))?.host).toBe('a');
});

it.each([
  ['lands: it is waited for', 60_000, 'SUCCEEDED'],
  ['never lands: it is not asked for again', 200, 'FAILED'],
])(
  'a plan that is abandoned ends when the outcome of its requests is known; one that %s',
  async (_what, lateEffectMs, state) => {
    const cloud = makeCloud();
    const late = cloud.delay('liveMigrate');
    const plan = await bench.plan([moveSpec(1, 'a', 'b'), { after: [0] }]);
    await killWhenSent(cloud, plan, late);
    const action = { pollIntervalMs: 500, migrationTimeoutMs: 900_000, lateEffectMs };
    let reads = 0;
    cloud.onCall(() => {
      reads += 1;
      if (reads === 8 && state === 'SUCCEEDED') late.land();
    });
    const end = await bench.run(bench.runner({ cloud, options: { action, maxTakeovers: 0 } }), plan, 'taken_over');
    expect(end).toMatchObject({ state: 'FAILED', actions: [state, 'CANCELLED'] });
    expect(end.message).toContain('abandoned after 1 takeovers');
    expect(cloud.mutations).toHaveLength(1);
  },
);
