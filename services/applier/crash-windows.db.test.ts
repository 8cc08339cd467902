import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { StateConflictError, silentLogger } from '#libs/domain';
import { createFakeCloud } from '#tests';
import { startRecoveryPoller } from './recovery/recovery-poller.ts';
import { moveSpec, serverId, useApplierBench } from './testing/applier-bench.ts';

const bench = await useApplierBench();
afterEach(() => vi.useRealTimers());

const rounds = 15;
const makeCloud = () =>
  createFakeCloud({ hosts: [{ name: 'a' }, { name: 'b' }], servers: [{ uuid: serverId(1), host: 'a' }] });
const conflict = (error: unknown) => {
  if (error instanceof StateConflictError) return null;
  throw error;
};

it('CW-1: a plan whose launch message was lost is found', async () => {
  const plan = await bench.plan([{}]);
  const runner = bench.runner({ cloud: makeCloud() });
  const poller = startRecoveryPoller({
    store: bench.store,
    runner,
    everyMs: () => 50,
    graceMs: 0,
    logger: silentLogger,
  });
  await expect.poll(async () => (await bench.outcome(plan)).state).toBe('SUCCEEDED');
  await poller.stop();
});

it('CW-5: no plan is taken for which there is no free worker', async () => {
  const cloud = makeCloud();
  cloud.hold(serverId(1));
  const [first, second] = [await bench.plan([moveSpec(1, 'a', 'b')]), await bench.plan([{}])];
  const runner = bench.runner({ cloud, options: { workers: 1 } });
  await bench.start(runner, first);
  expect(await runner.tryStart({ planUuid: second.uuid, kind: 'claimed' }, 50)).toBe('busy');
  expect(await bench.store.db.actionPlans.get(second.uuid)).toMatchObject({ state: 'PENDING', hostname: null });
  cloud.release(serverId(1));
  await runner.idle();
});

it('CW-11: of a cancellation and a claim at the same instant exactly one wins', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const plan = await bench.plan([{}]);
    const lease = { instance: randomUUID(), host: 'applier-1', ttlMs: 30_000 };
    const [cancelled, claimed] = await Promise.all([
      bench.store.db.actionPlans.transition(plan.uuid, 'cancelBeforeStart').catch(conflict),
      bench.store.db.actionPlans.claim(plan.uuid, lease),
    ]);
    expect([cancelled, claimed].filter((one) => one !== null)).toHaveLength(1);
    const { state } = await bench.store.db.actionPlans.get(plan.uuid);
    expect(state).toBe(cancelled ? 'CANCELLED' : 'ONGOING');
  }
});

it('CW-12: of a skip and the start of an action at the same instant exactly one wins', async () => {
  const plan = await bench.plan(Array.from({ length: rounds }, () => ({})));
  const lease = { instance: randomUUID(), host: 'applier-1', ttlMs: 30_000 };
  const { fence } = (await bench.store.db.actionPlans.claim(plan.uuid, lease)) ?? {};
  for (const { uuid } of await bench.store.db.actions.listByPlan(plan.uuid)) {
    const entry = { uuid, startedAt: new Date(), intent: {} };
    const [skipped, started] = await Promise.all([
      bench.store.db.actions.transition(uuid, 'skip').catch(conflict),
      bench.store.db.actionBatches.start(plan.uuid, fence ?? 0, [entry]),
    ]);
    expect(started.has(uuid)).toBe(skipped === null);
    expect((await bench.store.db.actions.get(uuid)).state).toBe(skipped ? 'SKIPPED' : 'ONGOING');
  }
});

it('CW-12: nothing starts in a plan that was cancelled or paused an instant before', async () => {
  for (const change of ['cancel', 'pause']) {
    const plan = await bench.plan([{}]);
    const lease = { instance: randomUUID(), host: 'applier-1', ttlMs: 30_000 };
    const { fence } = (await bench.store.db.actionPlans.claim(plan.uuid, lease)) ?? {};
    if (change === 'cancel') await bench.store.db.actionPlans.transition(plan.uuid, 'requestCancel');
    else await bench.store.db.actionPlans.update(plan.uuid, { paused: true });
    const [action] = await bench.store.db.actions.listByPlan(plan.uuid);
    const entry = { uuid: action?.uuid ?? '', startedAt: new Date(), intent: {} };
    expect((await bench.store.db.actionBatches.start(plan.uuid, fence ?? 0, [entry])).size).toBe(0);
    expect((await bench.outcome(plan)).actions).toEqual(['PENDING']);
  }
});

it.each([-3_600_000, 3_600_000])(
  'CW-28: a clock that is wrong by %d ms neither loses nor gains a plan',
  async (wrongBy) => {
    const cloud = makeCloud();
    cloud.hold(serverId(1));
    const plan = await bench.plan([moveSpec(1, 'a', 'b')]);
    const [wrong, right] = [bench.runner({ cloud }), bench.runner({ cloud })];
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + wrongBy });
    await bench.start(wrong, plan);
    await expect.poll(() => cloud.mutations.length).toBe(1);
    vi.useRealTimers();
    expect(await right.tryStart({ planUuid: plan.uuid, kind: 'taken_over' }, 100)).toBe('not_available');
    const open = await bench.store.db.actionPlans.findClaimable({ pendingMs: 0, limit: 100 });
    expect(open.map(({ uuid }) => uuid)).not.toContain(plan.uuid);
    cloud.release(serverId(1));
    await wrong.idle();
    expect((await bench.outcome(plan)).state).toBe('SUCCEEDED');
  },
);

async function softDeleteServices(): Promise<void> {
  const client = new pg.Client({ connectionString: bench.databaseUrl });
  await client.connect();
  await client.query('UPDATE services SET deleted = id, deleted_at = now()');
  await client.end();
}

it('CW-30: leases belong to processes, not to rows of services that an operator may delete', async () => {
  const cloud = makeCloud();
  cloud.hold(serverId(1));
  const [held, waiting] = [await bench.plan([moveSpec(1, 'a', 'b')]), await bench.plan([{}])];
  const [owner, peer] = [bench.runner({ cloud }), bench.runner({ cloud })];
  const { services } = bench.store.db;

  await bench.start(owner, held);
  await expect.poll(() => cloud.mutations.length).toBe(1);
  const { hostname } = await bench.store.db.actionPlans.get(held.uuid);
  await services.beat('watcher-applier', String(hostname));
  const [before] = await services.list();
  await softDeleteServices();

  // Without its row the owner keeps its plan, its peer cannot take it, and new plans run.
  expect(await peer.tryStart({ planUuid: held.uuid, kind: 'taken_over' }, 100)).toBe('not_available');
  const open = await bench.store.db.actionPlans.findClaimable({ pendingMs: 0, limit: 100 });
  expect(open.map(({ uuid }) => uuid)).not.toContain(held.uuid);
  expect((await bench.run(peer, waiting)).state).toBe('SUCCEEDED');
  cloud.release(serverId(1));
  await owner.idle();
  expect((await bench.outcome(held)).state).toBe('SUCCEEDED');
  expect(cloud.mutations).toHaveLength(1);

  // Its next heartbeat restores its row without a duplicate.
  await services.beat('watcher-applier', String(hostname));
  await services.beat('watcher-applier', String(hostname));
  const after = await services.list();
  expect(after).toHaveLength(1);
  expect(after[0]?.id).toBe(before?.id);
});

describe('the table of crash windows in the README', () => {
  const text = readFileSync(new URL('README.md', import.meta.url), 'utf8');
  const rows = [...text.matchAll(/^\| (CW-\d+) \|[^|]+\|[^|]+\| `([^`]+)` \| (.+) \|$/gm)];

  it('has every window', () => {
    const windows = new Set(rows.map(([, window]) => window));
    expect([...windows]).toEqual(Array.from({ length: 30 }, (_, place) => `CW-${place + 1}`));
  });

  it.each(rows.map(([, window, file, title]) => [window, file, title]))('%s: %s has "%s"', (_window, file, title) => {
    const root = new URL('../../', import.meta.url);
    const path = String(file);
    const name = path.split('/').at(-1) ?? '';
    expect(readdirSync(new URL(path.slice(0, -name.length), root))).toContain(name);
    const source = readFileSync(new URL(path, root), 'utf8');
    expect(source).toContain(String(title));
  });
});
