import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { silentLogger } from '#libs/domain';
import { newSigningSecret } from '#libs/notification-targets';
import { insertActionPlan, insertPlanWorld, untilLockWait, useStore } from '#tests';
import { insertTarget } from '../testing/delivery-scene.ts';
import { collectEvents } from './collect-events.ts';
import { callableTargets, syncTargets } from './sync-targets.ts';

const { store, sql } = await useStore();
const { audit, strategy } = await insertPlanWorld(store.db);
beforeEach(async () => {
  await sql.query('DELETE FROM notification_targets');
  await sql.query('DELETE FROM notification_events');
  await sql.query(`DELETE FROM service_events`);
});

const collect = () => collectEvents({ store, logger: silentLogger }, AbortSignal.timeout(60_000));
const newPlan = () => insertActionPlan(store.db, audit, strategy);
const eventsOf = async (uuid: string) =>
  (await store.db.notificationDeliveries.list({ limit: 100 }))
    .filter(({ subject }) => subject === uuid)
    .map(({ kind, data }) => [kind, (data.plan as { state: string }).state])
    .reverse();

it('the moves of a plan are events, in their order and with the state of that time', async () => {
  await collect();
  await insertTarget(store, 'https://receiver.example/');
  const done = await newPlan();
  await store.db.actionPlans.transition(done.uuid, 'start');
  const claimed = await store.db.actionPlans.claim(done.uuid, { instance: randomUUID(), host: 'host', ttlMs: 60_000 });
  await store.db.actionPlans.transition(done.uuid, 'succeed', { fence: Number(claimed?.fence) });
  const failed = await newPlan();
  await store.db.actionPlans.transition(failed.uuid, 'start');
  await sql.query(`UPDATE action_plans SET state = 'FAILED', status_message = 'no host' WHERE uuid = $1`, [
    failed.uuid,
  ]);
  const refused = await newPlan();
  await store.db.actionPlans.transition(refused.uuid, 'cancelBeforeStart');
  await collect();
  await collect();
  expect(await eventsOf(done.uuid)).toEqual([
    ['plan.recommended', 'RECOMMENDED'],
    ['plan.started', 'ONGOING'],
    ['plan.ended', 'SUCCEEDED'],
  ]);
  expect(await eventsOf(failed.uuid)).toEqual([
    ['plan.recommended', 'RECOMMENDED'],
    ['plan.failed', 'FAILED'],
  ]);
  expect(await eventsOf(refused.uuid)).toEqual([['plan.recommended', 'RECOMMENDED']]);
});

it('a measured promise outside of its range is one event', async () => {
  await collect();
  await insertTarget(store, 'https://receiver.example/', { kinds: ['plan.promise_not_kept'] });
  const plan = await newPlan();
  const promise = { quantity: 'duration', low: 10, high: 20, achieved: 45, verdict: 'ABOVE', reason: null };
  const kept = { ...promise, quantity: 'memory_highest', verdict: 'WITHIN' };
  await store.db.planMeasurements.note(plan.uuid, { promises: [promise, kept] as never });
  await collect();
  await store.db.planMeasurements.note(plan.uuid, { after: {} });
  await collect();
  const found = await store.db.notificationDeliveries.list({ limit: 100 });
  expect(found.map(({ kind, data }) => [kind, data.promises])).toEqual([['plan.promise_not_kept', [promise]]]);
});

it('the report of a slow machine is one event', async () => {
  await collect();
  await insertTarget(store, 'https://receiver.example/');
  await store.db.registry.report({
    type: 'host.slow',
    serviceType: 'recovery-coordinator',
    serviceName: 'recovery-coordinator',
    host: 'controller-1',
    instanceId: randomUUID(),
    doc: { reason: 'late together', late: { coordinator: 'its loop was 40 s late' } },
  });
  await collect();
  await collect();
  const found = await store.db.notificationDeliveries.list({ limit: 100 });
  expect(found.map(({ kind, subject }) => [kind, subject])).toEqual([['machine.slow', 'controller-1']]);
});

it('a target gets only its kinds, nothing while it is disabled, and nothing from before it was created', async () => {
  await newPlan();
  await collect();
  const all = await insertTarget(store, 'https://receiver.example/');
  await insertTarget(store, 'https://receiver.example/', { kinds: ['machine.slow'] });
  await insertTarget(store, 'https://receiver.example/', { enabled: false });
  await newPlan();
  await collect();
  const found = await store.db.notificationDeliveries.list({ limit: 100 });
  expect(found.map(({ targetId }) => targetId)).toEqual([all.id]);
});

it('an event of another transaction is stored with it or not at all', async () => {
  await insertTarget(store, 'https://receiver.example/');
  const plan = await newPlan();
  const event = { kind: 'plan.approval_wanted', planUuid: plan.uuid, data: { reason: 'above 10 migrations' } } as const;
  const rolledBack = store.transaction(async (unit) => {
    expect(await unit.notificationEvents.announcePlan(event)).toBe(1);
    throw new Error('on purpose');
  });
  await expect(rolledBack).rejects.toThrow('on purpose');
  expect(await store.db.notificationDeliveries.list({ limit: 1 })).toEqual([]);
  expect(await store.db.notificationEvents.announcePlan(event)).toBe(1);
  expect(await store.db.notificationEvents.announcePlan(event)).toBe(0);
  expect(await store.db.notificationEvents.announcePlan({ ...event, planUuid: randomUUID() })).toBe(0);
});

it('targets of the configuration follow it, and their secrets are not stored', async () => {
  const deps = { store, logger: silentLogger, newUuid: randomUUID };
  const secret = newSigningSecret();
  const one = {
    name: 'chat',
    url: 'https://chat.example/hook?key=1',
    shownUrl: 'https://chat.example/hook?…',
    format: 'slack' as const,
    kinds: null,
    secret,
    bearerToken: null,
  };
  await insertTarget(store, 'https://receiver.example/', { name: 'taken' });
  await syncTargets(deps, [one, { ...one, name: 'taken' }]);
  await syncTargets(deps, [{ ...one, kinds: ['plan.failed'] }]);
  const targets = await store.db.notificationTargets.list();
  expect(targets.map(({ name, source, kinds }) => [name, source, kinds])).toEqual([
    ['chat', 'configuration', ['plan.failed']],
    ['taken', 'api', null],
  ]);
  expect((await sql.query('SELECT * FROM notification_secrets')).rows).toHaveLength(1);
  const callable = await callableTargets(store, [one]);
  expect(callable.get(targets[0]?.id ?? 0)).toMatchObject({ url: one.url, secret, format: 'slack' });
  await syncTargets(deps, []);
  expect((await store.db.notificationTargets.list()).map(({ name }) => name)).toEqual(['taken']);
});

it('deliveries are kept for their time and up to their number, and events as long as they count', async () => {
  await collect();
  await insertTarget(store, 'https://receiver.example/');
  for (let count = 0; count < 5; count += 1) await newPlan();
  await collect();
  const { notificationDeliveries } = store.db;
  expect(await notificationDeliveries.prune(3600, 3)).toBe(2);
  await sql.query(`UPDATE notification_deliveries SET created_at = now() - interval '2 hours'
    WHERE id = (SELECT min(id) FROM notification_deliveries)`);
  expect(await notificationDeliveries.prune(3600, 1000)).toBe(1);
  expect((await sql.query('SELECT id FROM notification_events')).rows).toHaveLength(5);
  await sql.query(`UPDATE notification_events SET at = now() - interval '2 days'`);
  await notificationDeliveries.prune(3600, 1000);
  expect((await sql.query('SELECT id FROM notification_events')).rows).toHaveLength(2);
});

it('an event skips a target that another transaction deletes concurrently', async () => {
  await insertTarget(store, 'https://receiver.example/');
  await sql.query('BEGIN');
  await sql.query('DELETE FROM notification_targets');
  const event = { kind: 'plan.failed', subject: 'plan', key: randomUUID(), data: {} } as const;
  const announced = store.db.notificationEvents.announce(event);
  // The last expectation handles a failure. Until then it is not unhandled.
  announced.catch(() => undefined);
  await untilLockWait(sql);
  await sql.query('COMMIT');
  expect(await announced).toBe(0);
});

it('an event for a target that does not exist has no delivery', async () => {
  const event = { kind: 'target.test', subject: 'gone', key: randomUUID(), data: {} } as const;
  expect(await store.db.notificationEvents.announceTo(0, event)).toBeNull();
});
