// @needs build
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { type JsonObject, silentLogger } from '#libs/domain';
import { createPostgresHistory } from '#libs/history/postgres';
import { systemClock } from '#libs/service-kit';
import type { ActionPlanView } from '#libs/store';
import { atEnd } from '#tests';
import { useTestMeasurements } from '../testing/test-measurements.ts';
import { measureDue } from './measurement-worker.ts';
import { createOutcomeHandler } from './outcome-handler.ts';

const limitMs = 60_000;
const measurements = await useTestMeasurements({ limitMs });
const { engines, store, sql, newPlan, migrate, passed, measure, outcomeOf, evenOut, runPlan } = measurements;
const history = createPostgresHistory({ url: engines.databaseUrl, logger: silentLogger, clock: systemClock });
atEnd(() => history.close());

test('the effect of a plan is measured before its first action and over a window after its end', async () => {
  const plan = await newPlan();
  await runPlan(plan);
  evenOut();

  expect(await measure('after')).toBe(true);
  const waiting = await outcomeOf(plan);
  expect(waiting.after).toBeUndefined();
  expect(waiting.measurement).toMatchObject({ state: 'PENDING', dueAt: expect.any(String) });
  const row = await store.db.planMeasurements.find(plan.id, 'after');
  // The strategy averages instances over 720 s, a longer window than that of hosts.
  expect((row!.dueAt.getTime() - row!.notBefore.getTime()) / 1000).toBe(720);
  expect(await measure('after')).toBe(false);

  await passed(721);
  await measure('after');
  const after = await store.db.planMeasurements.find(plan.id, 'after');
  expect(after!.windowStart!.getTime()).toBeGreaterThanOrEqual(after!.requestedAt.getTime());
  const { measurement, ...outcome } = await outcomeOf(plan);
  expect(measurement).toEqual({ state: 'ACHIEVED', reason: null, overlaps: [], dueAt: null });
  expect(outcome).toMatchObject({
    before: { cluster: { hosts: 2, hostsEmpty: 1, instances: 4 }, windowEnd: expect.any(String) },
    after: { cluster: { hostsEmpty: 0, vcpuShareDeviation: 0 }, goal: { instance_migrations_count: 0 } },
  });
  expect(outcome.before!.goal.standard_deviation_before_audit).toBeGreaterThan(0.3);
  expect(outcome.after!.goal.standard_deviation_before_audit).toBe(0);
});

/** Stores the CPU load of the two hosts, in percent, as measured this number of seconds ago. */
async function sample(secondsAgo: number, loads: Record<'busy' | 'idle', number>): Promise<void> {
  const at = (await store.db.now()).getTime() - secondsAgo * 1000;
  const values = Object.entries(loads);
  await history.write([
    ...values.map(([resource, value]) => ({ metric: 'host_cpu_usage' as const, resource, value, at })),
    ...engines.world.snapshot.instanceInfo.map(({ uuid: resource }) => ({
      ...{ metric: 'instance_cpu_usage' as const, resource, value: 40, at },
    })),
  ]);
}

/** Measures before a new plan, from the stored samples. */
async function measuredBefore(): Promise<{ plan: ActionPlanView; before: JsonObject }> {
  const plan = await newPlan();
  await store.db.planMeasurements.request(plan.id, 'before', { limitMs });
  await measureDue({ ...engines.planDeps(), history, store, signal: new AbortController().signal }, 'before');
  const { outcome } = await store.db.actionPlans.get(plan.uuid);
  return { plan, before: outcome?.before as JsonObject };
}

test('the window before a plan starts after the last change by another plan in its scope', async () => {
  evenOut();
  await migrate(await newPlan(), 'busy', 60, 30);
  for (const secondsAgo of [100, 80, 60, 40]) await sample(secondsAgo, { busy: 80, idle: 0 });
  for (const secondsAgo of [20, 10]) await sample(secondsAgo, { busy: 41, idle: 39 });

  const { before } = await measuredBefore();

  expect(before.goal).toMatchObject({ standard_deviation_before_audit: expect.closeTo(0.01, 6) });
  const seconds = (Date.parse(String(before.windowEnd)) - Date.parse(String(before.windowStart))) / 1000;
  expect(seconds).toBeGreaterThan(20);
  const [{ ended }] = (await sql('SELECT max(ended_at)::text AS ended FROM actions')) as [{ ended: string }];
  expect(Date.parse(String(before.windowStart)) - Date.parse(ended)).toBeGreaterThanOrEqual(1000);
});

/** Shifts the ends of all actions, relative to now. */
const endActions = (secondsAgo: number) =>
  sql(`UPDATE actions SET ended_at = now() - $1 * interval '1 second'`, [secondsAgo]);

test('a measurement before a plan waits until the last change by another plan is past', async () => {
  evenOut();
  await migrate(await newPlan(), 'busy', 60, 30);
  await sample(0, { busy: 80, idle: 0 });
  await endActions(-3600);

  const { plan, before } = await measuredBefore();

  expect(before).toBeUndefined();
  expect((await outcomeOf(plan)).measurement).toMatchObject({ state: 'PENDING', dueAt: expect.any(String) });
  await endActions(30);
  await sample(10, { busy: 41, idle: 39 });
  await passed(0);
  await measure('before');
  expect((await outcomeOf(plan)).before!.goal).not.toBeNull();
});

test('a measurement before a plan does not wait forever for changes by another plan', async () => {
  evenOut();
  const other = await newPlan();
  await migrate(other, 'busy', 60, 30);
  await endActions(-3600);

  const { plan } = await measuredBefore();
  for (let attempt = 2; attempt <= 4; attempt += 1) {
    await passed(0);
    await measure('before');
  }
  await endActions(7200);

  const reason = expect.stringContaining(`plan ${other.uuid} has just changed hosts`);
  expect((await outcomeOf(plan)).measurement).toMatchObject({ state: 'NOT_MEASURED', reason });
});

test('the revert of an action of another plan is a change too', async () => {
  evenOut();
  await migrate(await newPlan(), 'busy', 600, 500);
  for (const secondsAgo of [100, 40]) await sample(secondsAgo, { busy: 80, idle: 0 });
  await sql(`UPDATE actions SET rollback_state = 'SUCCEEDED' WHERE ended_at > now() - interval '1 hour'`);

  const { plan } = await measuredBefore();

  expect((await outcomeOf(plan)).measurement).toMatchObject({ state: 'PENDING', dueAt: expect.any(String) });
});

test('changes by other plans outside the scope, or before the window, do not shorten it', async () => {
  evenOut();
  await migrate(await newPlan(), 'elsewhere', 60, 30);
  await migrate(await newPlan(), 'busy', 900, 800);
  for (const secondsAgo of [100, 20]) await sample(secondsAgo, { busy: 60, idle: 20 });

  const { before } = await measuredBefore();

  expect(before.goal).toMatchObject({ standard_deviation_before_audit: expect.closeTo(0.2, 6) });
  expect(Date.parse(String(before.windowEnd)) - Date.parse(String(before.windowStart))).toBe(720_000);
});

test('without a value of a host since the last change, the goal before a plan is not measured', async () => {
  evenOut();
  const other = await newPlan();
  await migrate(other, 'busy', 60, 30);
  await sample(40, { busy: 80, idle: 0 });

  const { plan, before } = await measuredBefore();

  const reason = expect.stringMatching(new RegExp(`^busy and 1 more hosts have no .* since plan ${other.uuid} `));
  expect(before).toMatchObject({ cluster: { hosts: 2 }, goal: null, reason });
  expect((await outcomeOf(plan)).measurement).toMatchObject({ state: 'NOT_MEASURED' });
});

test('a result that arrives after the first action has started is refused', async () => {
  const plan = await newPlan();
  await store.db.planMeasurements.request(plan.id, 'before', { limitMs });
  await migrate(plan, 'busy', 1);

  await measure('before');

  expect((await outcomeOf(plan))?.before).toBeUndefined();
  expect((await store.db.planMeasurements.find(plan.id, 'before'))!.state).toBe('DUE');
});

test('a result that arrives after the wait of the applier has ended is refused', async () => {
  const plan = await newPlan();
  await store.db.planMeasurements.request(plan.id, 'before', { limitMs });
  await sql('UPDATE plan_measurements SET deadline = now() WHERE plan_id = $1', [plan.id]);

  await measure('before');

  expect((await outcomeOf(plan))?.before).toBeUndefined();
});

test('a plan without a measurement before is reported as not measured, with the reason', async () => {
  const plan = await newPlan();
  await store.db.planMeasurements.request(plan.id, 'before', { limitMs });
  await store.db.planMeasurements.close(plan.id, 'before', 'no decision engine measured the cloud within 60 s');
  await migrate(plan, 'busy', 90, 30);
  await store.db.planMeasurements.request(plan.id, 'after', { limitMs: 86_400_000 });
  await passed(3600);

  await measure('after');

  expect((await outcomeOf(plan)).measurement).toEqual({
    state: 'NOT_MEASURED',
    reason: 'before: no decision engine measured the cloud within 60 s',
    overlaps: [],
    dueAt: null,
  });
});

test('a strategy without metrics leaves the numbers of the cloud, and the effect is not measured', async () => {
  const plan = await newPlan();
  await runPlan(plan);
  engines.world.loads = new Map();
  await passed(3600);

  await measure('after');

  const { after, measurement } = await outcomeOf(plan);
  expect(after).toMatchObject({ cluster: { hosts: 2 }, goal: null, reason: expect.stringMatching(/host_cpu_usage/) });
  expect(measurement).toMatchObject({
    state: 'NOT_MEASURED',
    reason: expect.stringMatching(/^after: .*host_cpu_usage/),
  });
});

test.each([
  ['ran between the two windows', 'busy', 80, 40],
  ['still runs in the window after it', 'idle', 10, undefined],
  ['ended in the window before it', 'busy', 3000, 800],
])('a plan whose hosts another plan changed is not attributable: the other one %s', async (_, host, from, to) => {
  const plan = await newPlan();
  const other = await newPlan();
  await runPlan(plan);
  await passed(721);
  await migrate(other, host, from + (to === undefined ? 0 : 721), to === undefined ? undefined : to + 721);

  await measure('after');

  expect((await outcomeOf(plan)).measurement).toEqual({
    state: 'NOT_ATTRIBUTABLE',
    reason: null,
    overlaps: [other.uuid],
    dueAt: null,
  });
});

test('a plan on other hosts, or of another time, leaves the effect attributable', async () => {
  const plan = await newPlan();
  await runPlan(plan);
  await passed(721);
  await migrate(await newPlan(), 'elsewhere', 60, 50);
  await migrate(await newPlan(), 'busy', 9000, 8000);

  await measure('after');

  expect((await outcomeOf(plan)).measurement).toMatchObject({ state: 'ACHIEVED', overlaps: [] });
});

test('another decision engine takes over unfinished measurements of the first one', async () => {
  const plan = await newPlan();
  await runPlan(plan);
  await passed(721);
  await store.db.planMeasurements.takeDue('after', 60_000);
  expect(await measure('after')).toBe(false);

  await sql('UPDATE plan_measurements SET due_at = now()');
  await measure('after');

  expect((await outcomeOf(plan)).measurement).toMatchObject({ state: 'ACHIEVED' });
});

test('a plan that started no action has no effect to measure', async () => {
  const plan = await newPlan();
  await store.db.planMeasurements.request(plan.id, 'after', { limitMs });
  await measure('after');
  const { measurement, after } = await outcomeOf(plan);
  expect(measurement).toMatchObject({ state: 'NOT_MEASURED', reason: 'the plan started no action' });
  expect(after).toBeUndefined();
});

test('a message of an applier of an earlier release makes the measurement after the plan due', async () => {
  const plan = await newPlan();
  const woken: string[] = [];
  const handle = createOutcomeHandler({ store, worker: { wake: (phase) => void woken.push(phase) } });
  const send = (planUuid: string, phase: string) => {
    const body = { schema: 'outcome.measure/1', plan_uuid: planUuid, phase };
    return handle({ messageId: randomUUID(), type: 'outcome.measure', body, attempt: 0, timestamp: '' });
  };

  expect(await send(plan.uuid, 'before')).toEqual({ kind: 'ack' });
  expect(await send(plan.uuid, 'after')).toEqual({ kind: 'ack' });
  expect(await send(randomUUID(), 'after')).toEqual({ kind: 'ack' });

  expect(woken).toEqual(['before', 'after', 'after']);
  expect(await store.db.planMeasurements.find(plan.id, 'before')).toBeNull();
  expect(await store.db.planMeasurements.find(plan.id, 'after')).toMatchObject({ state: 'DUE' });
});
