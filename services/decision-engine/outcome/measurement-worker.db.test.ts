// @needs build
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { type JsonObject, type JudgedPromise, silentLogger } from '#libs/domain';
import { createPostgresHistory } from '#libs/history/postgres';
import { createTestWorld } from '#libs/plugin-kit/testing';
import { systemClock } from '#libs/service-kit';
import type { ActionPlanView } from '#libs/store';
import { atEnd, insertAction, insertActionPlan, runSql } from '#tests';
import { useTestEngines } from '../testing/test-engines.ts';
import { measureDue } from './measurement-worker.ts';
import { createOutcomeHandler } from './outcome-handler.ts';

const engines = await useTestEngines();
const store = engines.store;
const history = createPostgresHistory({ url: engines.databaseUrl, logger: silentLogger, clock: systemClock });
atEnd(() => history.close());

beforeEach(async () => {
  engines.reset();
  await sql('UPDATE plan_measurements SET state = $1', ['NOT_MEASURED']);
  await sql('DELETE FROM history_blocks');
  await sql(`UPDATE actions SET started_at = now() - interval '1 year', ended_at = now() - interval '1 year'`);
});

const limitMs = 60_000;
const sql = (text: string, values: unknown[] = []) => runSql(engines.databaseUrl, text, values);

async function newPlan(strategy = 'workload_stabilization'): Promise<ActionPlanView> {
  const audit = await engines.newAudit(strategy, { state: 'SUCCEEDED' });
  return insertActionPlan(store.db, audit, await store.db.strategies.get(strategy), () => ({ state: 'ONGOING' }));
}

/** Migrates an instance, from a number of seconds ago to another; `to` is undefined while it runs. */
async function migrate(plan: ActionPlanView, host: string, from: number, to?: number): Promise<void> {
  const action = await insertAction(store.db, plan, () => ({
    actionType: 'migrate',
    state: to === undefined ? 'ONGOING' : 'SUCCEEDED',
    inputParameters: {
      resource_id: randomUUID(),
      migration_type: 'live',
      source_node: host,
      destination_node: `${host}-2`,
    },
  }));
  const ended = to === undefined ? null : to;
  await sql(
    `UPDATE actions SET started_at = now() - $2 * interval '1 second', ended_at = now() - $3 * interval '1 second'
     WHERE uuid = $1`,
    [action.uuid, from, ended],
  );
}

/** Pretends that the measurement was requested so many seconds earlier than it was. */
const passed = (seconds: number) =>
  sql(
    `UPDATE plan_measurements SET requested_at = requested_at - $1 * interval '1 second', due_at = now(),
       not_before = not_before - $1 * interval '1 second', window_start = window_start - $1 * interval '1 second',
       window_end = window_end - $1 * interval '1 second'`,
    [seconds],
  );

function measure(phase: 'before' | 'after'): Promise<boolean> {
  return measureDue({ ...engines.planDeps(), store, signal: new AbortController().signal }, phase);
}

async function outcomeOf(plan: ActionPlanView) {
  const { outcome } = await store.db.actionPlans.get(plan.uuid);
  return outcome as Record<string, { goal: Record<string, number>; cluster: Record<string, number> }> & {
    measurement?: { state: string; reason: string | null; overlaps: string[]; dueAt: string | null };
  };
}

/** The same cloud with two of the four instances on each host. */
function evenOut(): void {
  const hosts = ['busy', 'idle'].map((hostname) => ({ hostname, vcpus: 16, memory: 65_536, disk: 1000 }));
  const instances = [0, 1, 2, 3].map((index) => ({
    name: `vm-${index}`,
    host: index < 2 ? 'busy' : 'idle',
    vcpus: 4,
    memory: 4096,
    disk: 10,
  }));
  engines.world.snapshot = createTestWorld({ hosts, instances });
  const uuids = engines.world.snapshot.instanceInfo.map(({ uuid }) => uuid);
  engines.world.loads = new Map(['busy', 'idle', ...uuids].map((name) => [name, 40]));
}

/** Measures before the plan, migrates from `busy` for a minute, and requests the measurement after it. */
async function runPlan(plan: ActionPlanView): Promise<void> {
  await store.db.planMeasurements.request(plan.id, 'before', { limitMs });
  await measure('before');
  await passed(100);
  await migrate(plan, 'busy', 90, 30);
  await store.db.planMeasurements.request(plan.id, 'after', { limitMs: 86_400_000 });
}

test('the effect of a plan is measured before its first action and over a window behind its end', async () => {
  const plan = await newPlan();
  await runPlan(plan);
  evenOut();

  expect(await measure('after')).toBe(true);
  const waiting = await outcomeOf(plan);
  expect(waiting.after).toBeUndefined();
  expect(waiting.measurement).toMatchObject({ state: 'PENDING', dueAt: expect.any(String) });
  const row = await store.db.planMeasurements.find(plan.id, 'after');
  // The strategy averages instances over 720 s, which is longer than hosts.
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

/** Stores CPU of the two hosts, in percent, as measured so many seconds ago. */
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

test('the window before a plan starts behind the last change that another plan made in its scope', async () => {
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

/** Moves the ends of all actions, relative to now. */
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

test('a measurement before a plan does not wait for ever for changes by another plan', async () => {
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

test('changes by other plans outside the scope, or before the window, leave its length', async () => {
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

/** Stores promises with the plan: a CPU load of 60 %, memory as after `evenOut`, and one minute. */
async function promise(plan: ActionPlanView): Promise<void> {
  const change = (quantity: 'cpu_load' | 'memory', after: number) => ({
    quantity,
    deviation: { before: 20, after: 0 },
    highestBefore: 95,
    fullest: { hostname: 'busy', before: 95, after },
  });
  await store.db.planHosts.insert(plan.id, {
    modelTakenAt: '2026-11-22T00:00:00Z',
    hosts: [],
    moved: {},
    unplaced: { instances: 0, vcpus: 0, dedicatedCpus: 0, memory: 0, disk: 0 },
    quantities: [change('cpu_load', 60), change('memory', 12.5)],
    duration: { low: 50, high: 70 },
  });
}

async function promisesOf(plan: ActionPlanView) {
  const { outcome } = await store.db.actionPlans.get(plan.uuid);
  const promises = (outcome?.promises ?? []) as unknown as JudgedPromise[];
  return promises.map(({ quantity, verdict, achieved }) => [quantity, verdict, achieved]);
}

test('the promises of a plan are compared with the hosts and the time after it', async () => {
  const plan = await newPlan();
  await promise(plan);
  await runPlan(plan);
  evenOut();
  await passed(721);

  await measure('after');

  expect(await promisesOf(plan)).toEqual([
    // Two instances of 4 CPUs use 40 % of them, on a host of 16 CPUs.
    ['cpu_load_highest', 'BELOW', 20],
    ['cpu_load_deviation', 'WITHIN', 0],
    ['memory_highest', 'WITHIN', 12.5],
    ['memory_deviation', 'WITHIN', 0],
    ['duration', 'WITHIN', 60],
  ]);
});

test('promises of a plan beside another one are not attributable, its duration is known', async () => {
  const plan = await newPlan();
  await promise(plan);
  const other = await newPlan();
  await runPlan(plan);
  await passed(721);
  await migrate(other, 'busy', 801, 761);

  await measure('after');

  const verdicts = (await promisesOf(plan)).map(([, verdict]) => verdict);
  expect(verdicts).toEqual([...Array(4).fill('NOT_ATTRIBUTABLE'), 'WITHIN']);
});

test('a plan that started no action keeps no promise', async () => {
  const plan = await newPlan();
  await promise(plan);
  await insertAction(store.db, plan, () => ({ state: 'CANCELLED' }));
  await store.db.planMeasurements.request(plan.id, 'after', { limitMs });

  await measure('after');

  expect((await promisesOf(plan)).map(([, verdict]) => verdict)).toEqual(Array(5).fill('NOT_MEASURED'));
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
