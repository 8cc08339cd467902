// @needs build
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseApprovalRules, silentLogger } from '#libs/domain';
import type { Periodic } from '#libs/service-kit';
import type { ActionPlanView, AuditView } from '#libs/store';
import { insertActionPlan } from '#tests';
import { type EngineOptions, useTestEngines } from '../testing/test-engines.ts';
import { startAuditPoller } from './audit-poller.ts';
import { createAuditTriggerHandler } from './audit-trigger-handler.ts';

let pollers: Periodic[] = [];

const engines = await useTestEngines();
const store = engines.store;
beforeEach(() => engines.reset());
afterEach(async () => {
  await stopPollers();
  await engines.stopRunners();
  // Work that a test leaves waiting must not run in the next one.
  for (const audit of await store.db.audits.list({
    filters: [{ field: 'state', op: 'in', value: ['PENDING', 'ONGOING'] }],
  }))
    await store.db.audits.transition(audit.uuid, 'cancel');
});

async function stopPollers(): Promise<void> {
  await Promise.all(pollers.map((poller) => poller.stop()));
  pollers = [];
}

function startEngine(options: EngineOptions = {}) {
  const { runner, lease } = engines.start(options);
  const poller = startAuditPoller({ store, runner, lease, everyMs: 50, newUuid: randomUUID, logger: silentLogger });
  pollers.push(poller);
  return { runner, lease, poller };
}

const continuous = (change: Partial<AuditView> = {}, strategy = 'dummy') =>
  engines.newAudit(strategy, { auditType: 'CONTINUOUS', interval: '1', ...change });

const plansOf = (audit: AuditView): Promise<ActionPlanView[]> =>
  store.db.actionPlans.list({ filters: [{ field: 'auditId', value: audit.id }] });

/** Waits at most a minute. */
async function untilTrue(condition: () => Promise<boolean>): Promise<void> {
  for (const giveUp = Date.now() + 60_000; Date.now() < giveUp; ) {
    if (await condition()) return;
    await pause(25);
  }
  throw new Error('it did not happen within 60 s');
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const untilPlans = (audit: AuditView, count: number) =>
  untilTrue(async () => (await plansOf(audit)).length >= count).then(() => plansOf(audit));
/** Waits until another audit, which is due at once, has run `runs` times: an audit that is due has run by then too. */
async function untilOthersRan(runs = 2): Promise<void> {
  const other = await continuous();
  await untilPlans(other, runs);
  await store.db.audits.transition(other.uuid, 'cancel');
}
const message = (plan: ActionPlanView | undefined) =>
  store.db.actions
    .listByPlan(plan?.uuid ?? '')
    .then((actions) => actions.map((action) => action.inputParameters.message));

test('an audit runs at every point of its grid, and only its newest plan is recommended', async () => {
  const audit = await continuous();
  startEngine();

  await untilPlans(audit, 3);
  await stopPollers();
  await engines.stopRunners();

  const plans = await plansOf(audit);
  expect(plans.slice(0, -1).map(({ state, statusMessage }) => `${state} ${statusMessage}`)).toEqual(
    plans.slice(0, -1).map(() => 'CANCELLED The audit has been run again.'),
  );
  expect(plans.at(-1)).toMatchObject({ state: 'RECOMMENDED' });
  const now = await store.db.audits.get(audit.uuid);
  expect(now).toMatchObject({ state: 'ONGOING', attempts: 0, failedRuns: 0, statusMessage: null, runInstance: null });
  expect(now.hostname).toBe('host-of-engine-1');
  // A late run is followed by the next one at its own time. That one is not run before it.
  const [first, last] = [plans[0]?.createdAt.getTime() ?? 0, plans.at(-1)?.createdAt.getTime() ?? 0];
  expect(last - first).toBeGreaterThan((plans.length - 2) * 900);
});

test('a newer plan replaces the plan of its audit that waits for approval', async () => {
  const audit = await continuous({ autoTrigger: true });
  startEngine({ approvalRules: parseApprovalRules('[{"name": "all"}]') });

  await untilPlans(audit, 2);
  await stopPollers();
  await engines.stopRunners();

  const plans = await plansOf(audit);
  const waiting = plans.filter(({ state, approval }) => state === 'RECOMMENDED' && approval === 'wanted');
  expect(waiting).toHaveLength(1);
  expect(plans[0]).toMatchObject({ state: 'CANCELLED', statusMessage: 'The audit has been run again.' });
});

test('cron expression: the audit keeps PENDING until its first time, in UTC', async () => {
  const audit = await continuous({ interval: '0 0 1 1 * 30' });
  const isNewYear = (at: Date | null | undefined) => at?.toJSON().endsWith('-01-01T00:00:30.000Z');
  startEngine();

  const scheduled = await engines.until(audit.uuid, ({ nextRunTime }) => nextRunTime !== null);
  expect(scheduled).toMatchObject({ state: 'PENDING', attempts: 0 });
  expect(isNewYear(scheduled.nextRunTime)).toBe(true);
  await untilOthersRan(1);
  expect(await plansOf(audit)).toEqual([]);
  // The time has come.
  await store.db.audits.update(audit.uuid, { nextRunTime: new Date(0) });
  await untilPlans(audit, 1);
  const waiting = await engines.until(audit.uuid, ({ runInstance }) => runInstance === null);
  expect(isNewYear(waiting.nextRunTime)).toBe(true);
  expect(scheduled.lastRunAt).toBeNull();
  expect(waiting.lastRunAt).toEqual(expect.any(Date));
});

test('a failing run stores its reason, waits longer each time, and the audit continues when the cause has ended', async () => {
  const { loads } = engines.world;
  engines.world.loads = new Map();
  const audit = await continuous({}, 'workload_stabilization');
  startEngine();

  const first = await engines.until(audit.uuid, ({ failedRuns }) => failedRuns === 1);
  expect(first).toMatchObject({
    state: 'ONGOING',
    attempts: 0,
    statusMessage: expect.stringMatching(/host_cpu_usage/),
  });
  const second = await engines.until(audit.uuid, ({ failedRuns }) => failedRuns === 2);
  expect(second.lastRunAt?.getTime()).toBeGreaterThan(first.lastRunAt?.getTime() ?? Number.POSITIVE_INFINITY);
  expect((second.nextRunTime?.getTime() ?? 0) - (first.nextRunTime?.getTime() ?? 0)).toBeGreaterThanOrEqual(2000);
  expect(await plansOf(audit)).toEqual([]);
  engines.world.loads = loads;
  const healed = await engines.until(audit.uuid, ({ failedRuns, runInstance }) => failedRuns === 0 && !runInstance);
  expect(healed).toMatchObject({ state: 'ONGOING', statusMessage: null });
  expect((await plansOf(audit)).length).toBeGreaterThan(0);
});

test('an audit at which engines die again and again pauses once, and is given up the second time', async () => {
  const audit = await continuous({ interval: '3600', attempts: 3 });
  const { runner, lease } = engines.start();
  const runNow = async (take: 'claim' | 'takeOver') => {
    await runner.submit(() => store.db.audits[take](audit.uuid, lease));
    return engines.until(audit.uuid, ({ runInstance }) => runInstance === null);
  };

  const paused = await runNow('claim');
  expect(paused).toMatchObject({ state: 'ONGOING', failedRuns: 1, attempts: 0 });
  expect(paused.statusMessage).toMatch(/started 3 times and never ended/);

  await store.db.audits.update(audit.uuid, { attempts: 3, nextRunTime: new Date(0) });
  const givenUp = await runNow('takeOver');
  expect(givenUp).toMatchObject({ state: 'FAILED', nextRunTime: null });
  expect(givenUp.statusMessage).toMatch(/started 3 times and never ended/);
});

test('a run that fails before its strategy does not show the place of the failure before', async () => {
  const counts = { considered: 1, eligible: 1 };
  const earlier = { strategy: 'dummy', hosts: counts, instances: counts, blocked: [], metrics: [], notes: [] };
  const audit = await continuous({
    report: {
      ...earlier,
      modelAgeSeconds: 1,
      modelComplete: true,
      emptyBecause: null,
      failedIn: 'planner',
      timingsMs: {},
    },
  });
  startEngine({ collect: () => Promise.reject(new Error('no picture')) });

  const { report } = await engines.until(audit.uuid, ({ failedRuns }) => failedRuns === 1);
  expect(report).toMatchObject({ strategy: 'dummy', modelAgeSeconds: 1 });
  expect(report).not.toHaveProperty('failedIn');
});

test('an audit does not run outside its window, and has succeeded at its end', async () => {
  const future = new Date(Date.now() + 3_600_000);
  const early = await continuous({ startTime: future });
  const late = await continuous({ startTime: new Date('2000-01-01'), endTime: new Date('2000-01-02') });
  const ending = await continuous({ endTime: future, interval: '3600' });
  startEngine();

  expect(await engines.ended(late.uuid)).toMatchObject({ state: 'SUCCEEDED', nextRunTime: null });
  await untilPlans(ending, 1);
  await store.db.audits.update(ending.uuid, { endTime: new Date(Date.now() - 1000) });
  expect(await engines.ended(ending.uuid)).toMatchObject({ state: 'SUCCEEDED', statusMessage: null });
  expect(await plansOf(late)).toHaveLength(0);
  expect(await plansOf(ending)).toHaveLength(1);
  expect(await store.db.audits.get(early.uuid)).toMatchObject({ state: 'PENDING', attempts: 0 });
});

test('a change counts from the next run on', async () => {
  const audit = await continuous({ parameters: { para2: 'before' } });
  startEngine();
  const [first] = await untilPlans(audit, 1);
  // No engine has started the next run at the time of the change.
  await stopPollers();
  await engines.stopRunners();
  const before = (await plansOf(audit)).length;
  await store.db.audits.update(audit.uuid, { parameters: { para2: 'after' }, interval: '3600' });
  startEngine();
  const last = (await untilPlans(audit, before + 1)).at(-1);

  expect(await message(first)).toContain('before');
  expect(await message(last)).toContain('after');
  const { lastRunAt, nextRunTime } = await engines.until(audit.uuid, ({ runInstance }) => runInstance === null);
  expect((nextRunTime?.getTime() ?? 0) - (lastRunAt?.getTime() ?? 0)).toBeGreaterThan(600_000);
});

test('an interval that is none ends the audit with the reason', async () => {
  const audit = await continuous({ interval: 'now and then' });
  startEngine();

  expect(await engines.ended(audit.uuid)).toMatchObject({
    state: 'FAILED',
    statusMessage: expect.stringMatching(/interval.*now and then/),
  });
});

test('a suspended audit does not run until it is resumed; a cancelled one is over', async () => {
  const audit = await continuous();
  startEngine();
  await untilPlans(audit, 1);
  await store.db.audits.transition(audit.uuid, 'suspend');
  // A run that has started may come to its end.
  await untilTrue(async () => (await store.db.audits.get(audit.uuid)).runInstance === null);
  const before = (await plansOf(audit)).length;
  await untilOthersRan();
  expect((await plansOf(audit)).length).toBe(before);
  await store.db.audits.transition(audit.uuid, 'resume');
  await untilPlans(audit, before + 1);
  await store.db.audits.transition(audit.uuid, 'cancel');
  await untilTrue(async () => (await store.db.audits.get(audit.uuid)).runInstance === null);
  const after = (await plansOf(audit)).length;
  await untilOthersRan();
  expect((await plansOf(audit)).length).toBe(after);
  expect((await store.db.audits.get(audit.uuid)).state).toBe('CANCELLED');
});

test('while a plan is ongoing, turns are skipped and the recommended plan stays', async () => {
  const audit = await continuous();
  startEngine();
  await untilPlans(audit, 1);
  const strategy = await store.db.strategies.get('dummy');
  const busy = await insertActionPlan(store.db, audit, strategy, () => ({ state: 'ONGOING' }));
  const skipped = await engines.until(audit.uuid, ({ statusMessage }) => statusMessage?.includes(busy.uuid) ?? false);
  expect(skipped).toMatchObject({ state: 'ONGOING', failedRuns: 0 });
  const before = (await plansOf(audit)).length;
  // The next turn is skipped as well.
  await engines.until(audit.uuid, ({ nextRunTime }) => (nextRunTime ?? 0) > (skipped.nextRunTime ?? 0));
  expect((await plansOf(audit)).length).toBe(before);
  expect((await store.db.audits.get(audit.uuid)).lastRunAt).toEqual(skipped.lastRunAt);
  await store.db.actionPlans.transition(busy.uuid, 'succeed');
  await untilPlans(audit, before + 1);
});

test('of two engines only one runs the audit at a time, and the audits of a dead one continue with the other', async () => {
  let running = 0;
  let most = 0;
  const collect = async () => {
    running += 1;
    most = Math.max(most, running);
    await pause(200);
    running -= 1;
    return engines.world.snapshot;
  };
  const audit = await continuous();
  startEngine({ instance: 'a', collect });
  startEngine({ instance: 'b', collect });
  await untilPlans(audit, 3);
  expect(most).toBe(1);

  // An engine takes the next turn and dies with it.
  await untilTrue(async () => {
    await store.db.audits.update(audit.uuid, { nextRunTime: new Date(0) });
    return (await store.db.audits.takeOver(audit.uuid, { instance: 'dead', host: 'dead', ttlMs: 700 })) !== null;
  });
  const before = (await plansOf(audit)).length;
  await untilPlans(audit, before + 1);
  const now = await engines.until(audit.uuid, ({ hostname }) => hostname !== 'dead');
  expect(['host-of-a', 'host-of-b']).toContain(now.hostname);
  expect(most).toBe(1);
});

test('an engine that stops in the middle of a run leaves it to another one', async () => {
  let fail: ((error: Error) => void) | null = null;
  const audit = await continuous({ interval: '3600' });
  const { runner, poller } = startEngine({
    instance: 'stopping',
    collect: () => {
      return new Promise((_, reject) => {
        fail = reject;
      });
    },
  });
  await expect.poll(() => fail).not.toBeNull();
  const stopping = Promise.all([poller.stop(), runner.stop()]);
  (fail as unknown as (error: Error) => void)(new Error('stopped'));
  await stopping;
  expect(await store.db.audits.get(audit.uuid)).toMatchObject({ state: 'ONGOING', runInstance: null, attempts: 0 });

  startEngine({ instance: 'next' });
  await untilPlans(audit, 1);
});

test('EVENT audits run when their webhook is called, also after they failed, and at no other time', async () => {
  const { runner, lease } = startEngine();
  const handle = createAuditTriggerHandler({ store, runner, lease, logger: silentLogger });
  const webhook = (audit: AuditView) =>
    handle({
      messageId: randomUUID(),
      type: 'audit.trigger',
      body: { schema: 'audit.trigger/1', audit_uuid: audit.uuid, reason: 'webhook' },
      attempt: 0,
      timestamp: new Date().toISOString(),
    });
  const audit = await engines.newAudit('dummy', { auditType: 'EVENT' });
  const failing = await engines.newAudit('dummy', { auditType: 'EVENT', state: 'FAILED' });
  await untilOthersRan(1);
  expect((await store.db.audits.get(audit.uuid)).attempts).toBe(0);

  for (const count of [1, 2, 3, 4, 5]) {
    await webhook(audit);
    expect(await engines.ended(audit.uuid)).toMatchObject({ state: 'SUCCEEDED', attempts: 1 });
    expect(await plansOf(audit)).toHaveLength(count);
  }
  await webhook(failing);
  expect((await engines.ended(failing.uuid)).state).toBe('SUCCEEDED');
  await store.db.audits.transition(failing.uuid, 'delete');
  expect(await webhook(failing)).toEqual({ kind: 'ack' });

  const busy = await insertActionPlan(store.db, audit, await store.db.strategies.get('dummy'), () => ({
    state: 'ONGOING',
  }));
  await webhook(audit);
  const skipped = await engines.until(audit.uuid, ({ statusMessage }) => statusMessage?.includes(busy.uuid) ?? false);
  expect(skipped.state).toBe('PENDING');
  await store.db.actionPlans.transition(busy.uuid, 'succeed');
});
