import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { insertPlanWorld, useStore } from '#tests';

const { store, sql } = await useStore();

async function claimedPlan() {
  const world = await insertPlanWorld(store.db, { plan: () => ({ state: 'PENDING' }) });
  const plan = await store.db.actionPlans.claim(world.plan.uuid, { instance: 'one', host: 'host', ttlMs: 600_000 });
  return { plan: world.plan, action: world.actions[0]?.id ?? 0, fence: plan?.fence ?? 0 };
}

test('a consumer processes a message once, also with concurrent deliveries', async () => {
  const id = randomUUID();
  const results = await Promise.all(Array.from({ length: 5 }, () => store.db.inbox.record('applier', id)));
  expect(results.filter(Boolean)).toHaveLength(1);
  expect(await store.db.inbox.record('engine', id)).toBe(true);
  await store
    .transaction(async (unit) => unit.inbox.record('undone', id).then(() => Promise.reject(new Error('no'))))
    .catch(() => {});
  expect(await store.db.inbox.record('undone', id)).toBe(true);
  expect(await store.db.inbox.prune(60)).toBe(0);
  await sql.query(`UPDATE inbox SET processed_at = now() - interval '61 seconds' WHERE consumer = 'applier'`);
  expect(await store.db.inbox.prune(60)).toBe(1);
  expect(await store.db.inbox.record('applier', id)).toBe(true);
});

test('a named lease has one holder, which can renew it, and another one after its expiry', async () => {
  const first = await store.db.leases.acquire('leader:engine', 'a', 600_000);
  expect(first?.fence).toBeTypeOf('number');
  expect(await store.db.leases.acquire('leader:engine', 'b', 600_000)).toBeNull();
  expect(await store.db.leases.acquire('leader:engine', 'a', 600_000)).toEqual(first);
  expect(await store.db.leases.renew('leader:engine', first?.fence ?? 0, 600_000)).toBe(true);

  await sql.query(`UPDATE leases SET expires_at = now() - interval '1 second'`);
  const results = await Promise.all(
    ['b', 'c', 'd'].map((holder) => store.db.leases.acquire('leader:engine', holder, 600_000)),
  );
  const [second] = results.filter((result) => result !== null);
  expect(results.filter((result) => result !== null)).toHaveLength(1);
  expect(second?.fence).toBeGreaterThan(first?.fence ?? Number.POSITIVE_INFINITY);
  expect(await store.db.leases.renew('leader:engine', first?.fence ?? 0, 600_000)).toBe(false);

  await store.db.leases.release('leader:engine', first?.fence ?? 0);
  expect(await store.db.leases.acquire('leader:engine', 'a', 600_000)).toBeNull();
  await store.db.leases.release('leader:engine', second?.fence ?? 0);
  const third = await store.db.leases.acquire('leader:engine', 'a', 600_000);
  expect(third?.fence).toBeGreaterThan(second?.fence ?? Number.POSITIVE_INFINITY);
});

test('an expired lease that its holder acquires again has a new fencing number', async () => {
  const first = await store.db.leases.acquire('leader:again', 'a', 600_000);
  await sql.query(`UPDATE leases SET expires_at = now() - interval '1 second' WHERE resource = 'leader:again'`);
  const second = await store.db.leases.acquire('leader:again', 'a', 600_000);
  expect(second?.fence).toBeGreaterThan(first?.fence ?? Number.POSITIVE_INFINITY);
});

test('a lease is confirmed for its fencing number until it expires', async () => {
  const held = await store.db.leases.acquire('leader:confirmed', 'a', 600_000);
  const fence = held?.fence ?? 0;
  expect(await store.db.leases.confirm('leader:confirmed', fence)).toBe(true);
  expect(await store.db.leases.confirm('leader:confirmed', fence - 1)).toBe(false);
  await sql.query(`UPDATE leases SET expires_at = now() - interval '1 second' WHERE resource = 'leader:confirmed'`);
  expect(await store.db.leases.confirm('leader:confirmed', fence)).toBe(false);
});

test('runs of a plan are numbered, counted and ended by fence', async () => {
  const { plan } = await claimedPlan();
  const start = (fence: number) => store.db.planRuns.start({ actionPlanId: plan.id, instance: 'one', fence });
  const runs = await Promise.all([start(11), start(12), start(13)]);
  expect(runs.map((run) => run.runNo).sort()).toEqual([1, 2, 3]);
  expect(await start(12)).toEqual(runs[1]);
  expect(await store.db.planRuns.count(plan.id)).toBe(3);
  await store.db.planRuns.end(plan.id, 12, 'lost');
  const { rows } = await sql.query(
    'SELECT fence, outcome, ended_at IS NOT NULL AS ended FROM plan_runs WHERE plan_id = $1 ORDER BY fence',
    [plan.id],
  );
  expect(rows).toEqual([
    { fence: '11', outcome: null, ended: false },
    { fence: '12', outcome: 'lost', ended: true },
    { fence: '13', outcome: null, ended: false },
  ]);
});

test('the journal of an action has the intent and the result', async () => {
  const { action, fence } = await claimedPlan();
  expect(await store.db.actionAttempts.latest(action)).toBeNull();
  const first = await store.db.actionAttempts.open(action, fence);
  expect(first).toMatchObject({ actionId: action, attemptNo: 1, fence, intent: {}, result: null, endedAt: null });
  expect(first.startedAt).toBeInstanceOf(Date);

  await store.db.actionAttempts.write(first.id, fence, { phase: 'migrate', intent: { host: 'a', from: { id: 1 } } });
  await store.db.actionAttempts.write(first.id, fence, { phase: 'wait', intent: { host: 'b' }, externalRef: 'm-1' });
  await store.db.actionAttempts.write(first.id, fence, { phase: 'done', result: { code: 202 }, ended: true });
  expect(await store.db.actionAttempts.latest(action)).toMatchObject({
    phase: 'done',
    intent: { host: 'b', from: { id: 1 } },
    result: { code: 202 },
    externalRef: 'm-1',
    endedAt: expect.any(Date),
  });
  expect(await store.db.actionAttempts.open(action, fence)).toMatchObject({ attemptNo: 2 });
  await expect(store.db.actionAttempts.write(999_999, fence, { phase: 'x' })).rejects.toMatchObject({
    code: 'not_found',
  });
});

test('concurrent attempts get different numbers', async () => {
  const { action, fence } = await claimedPlan();
  const attempts = await Promise.all(Array.from({ length: 4 }, () => store.db.actionAttempts.open(action, fence)));
  expect(attempts.map((attempt) => attempt.attemptNo).sort()).toEqual([1, 2, 3, 4]);
});

test('a service is ACTIVE with a heartbeat and FAILED after 90 seconds without one', async () => {
  await store.db.services.beat('watcher-applier', 'one');
  await store.db.services.beat('watcher-applier', 'one');
  await store.db.services.beat('watcher-applier', 'two');
  await store.db.services.beat('watcher-decision-engine', 'one');
  const [first, second] = await store.db.services.list();
  expect(await store.db.services.list()).toHaveLength(3);
  expect(first).toMatchObject({ name: 'watcher-applier', host: 'one', status: 'ACTIVE', lastSeenUp: expect.any(Date) });
  await sql.query(`UPDATE services SET last_seen_up = now() - interval '60 seconds' WHERE id = $1`, [first?.id]);
  expect((await store.db.services.get(String(first?.id))).status).toBe('ACTIVE');
  await sql.query(`UPDATE services SET last_seen_up = now() - interval '91 seconds' WHERE id = $1`, [first?.id]);
  expect((await store.db.services.get(String(first?.id))).status).toBe('FAILED');
  expect((await store.db.services.get('watcher-applier')).id).toBe(first?.id);
  // A heartbeat in the future, from a database whose clock was ahead.
  await sql.query(`UPDATE services SET last_seen_up = now() + interval '1 hour' WHERE id = $1`, [first?.id]);
  expect((await store.db.services.get(String(first?.id))).status).toBe('FAILED');

  const failed = await store.db.services.list({ filters: [{ field: 'status', value: 'FAILED' }] });
  expect(failed.map((service) => service.id)).toEqual([first?.id]);
  const page = await store.db.services.list({ sortKey: 'status', limit: 1, marker: String(second?.id) });
  expect(page).toMatchObject([{ name: 'watcher-decision-engine' }]);
  await expect(store.db.services.get('nobody')).rejects.toMatchObject({ code: 'not_found', entity: 'Service' });
  await expect(store.db.services.get('123456')).rejects.toMatchObject({ code: 'not_found' });

  await sql.query('UPDATE services SET deleted = id, deleted_at = now() WHERE id = $1', [first?.id]);
  expect((await store.db.services.get('watcher-applier')).id).toBe(second?.id);
  expect(await store.db.services.find(String(first?.id))).toBeNull();
  expect(await store.db.services.find(String(first?.id), { showDeleted: true })).toMatchObject({ host: 'one' });
});

test('a process replaces its report of broken plugins, but not those of others', async () => {
  const { pluginFaults } = store.db;
  await pluginFaults.report('watcher-decision-engine', 'a', [
    { plugin: 'one', reason: 'no export' },
    { plugin: 'two', reason: 'no such folder' },
  ]);
  await pluginFaults.report('watcher-decision-engine', 'b', [{ plugin: 'one', reason: 'no export' }]);
  await pluginFaults.report('watcher-decision-engine', 'a', [{ plugin: 'two', reason: 'still none' }]);

  expect(await pluginFaults.list()).toEqual([
    expect.objectContaining({ host: 'a', plugin: 'two', reason: 'still none' }),
    expect.objectContaining({ host: 'b', plugin: 'one', reason: 'no export', at: expect.any(Date) }),
  ]);
});

test('the database returns its time', async () => {
  expect(Math.abs((await store.db.now()).getTime() - Date.now())).toBeLessThan(60_000);
});
