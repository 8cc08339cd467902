// @needs build
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type AuditReport, type Logger, silentLogger } from '#libs/domain';
import type { AuditView } from '#libs/store';
import { type EngineOptions, type TestEngines, useTestEngines } from '../testing/test-engines.ts';
import { startAuditPoller } from './audit-poller.ts';
import { createAuditTriggerHandler } from './audit-trigger-handler.ts';

const engines = await useTestEngines();
const store = engines.store;
beforeEach(() => engines.reset());
afterEach(() => engines.stopRunners());

const { start, newAudit, ended }: Pick<TestEngines, 'start' | 'newAudit' | 'ended'> = {
  start: (options) => engines.start(options),
  newAudit: (strategy, change) => engines.newAudit(strategy, change),
  ended: (uuid) => engines.ended(uuid),
};

const earlierReport: AuditReport = {
  strategy: 'workload_stabilization',
  hosts: { considered: 2, eligible: 2 },
  instances: { considered: 4, eligible: 4 },
  blocked: [],
  metrics: [],
  modelAgeSeconds: 1,
  modelComplete: true,
  emptyBecause: null,
  notes: [],
  failedIn: 'planner',
  timingsMs: {},
};

async function run(audit: AuditView, options?: EngineOptions): Promise<AuditView> {
  const { runner, lease } = start(options);
  await runner.submit(() => store.db.audits.claim(audit.uuid, lease));
  return ended(audit.uuid);
}

test('an audit yields a plan with reasons, indicators and report, in one transaction', async () => {
  const audit = await run(await newAudit('workload_stabilization'));

  expect(audit).toMatchObject({ state: 'SUCCEEDED', statusMessage: null, hostname: 'host-of-engine-1', attempts: 1 });
  expect(audit.report).toMatchObject({ strategy: 'workload_stabilization', modelComplete: true, emptyBecause: null });
  expect(audit.report?.metrics.map(({ metric, missing }) => [metric, missing])).toContainEqual(['host_cpu_usage', 0]);
  const [plan] = await store.db.actionPlans.list({ filters: [{ field: 'auditId', value: audit.id }] });
  expect(plan).toMatchObject({ state: 'RECOMMENDED', strategyName: 'workload_stabilization' });
  const actions = await store.db.actions.listByPlan(plan!.uuid);
  expect(actions.length).toBeGreaterThan(0);
  expect(actions[0]).toMatchObject({
    actionType: 'migrate',
    state: 'PENDING',
    inputParameters: { source_node: 'busy', destination_node: 'idle' },
  });
  expect(actions[0]!.reason?.summary).toBeTruthy();
  const indicators = await store.db.efficacyIndicators.list({ filters: [{ field: 'actionPlanId', value: plan!.id }] });
  expect(indicators.find(({ name }) => name === 'instance_migrations_count')?.value).toBe(actions.length);
  expect(plan!.globalEfficacy).toMatchObject([{ name: 'live_migrations_count', value: (actions.length / 4) * 100 }]);
  const stored = await store.db.planHosts.find(plan!.id);
  const load = stored?.quantities?.find(({ quantity }) => quantity === 'cpu_load');
  expect(load?.highestBefore).toBeCloseTo(engines.world.loads.get('busy') ?? Number.NaN);
  expect(load?.fullest.after).toBeLessThan(load?.highestBefore ?? 0);
  expect(stored?.hosts.find(({ hostname }) => hostname === 'busy')?.before.cpuLoad).toBe(load?.highestBefore);
  expect(stored?.reserve).toEqual([]);
  expect(stored?.duration?.high).toBeGreaterThan(0);
});

test('a balanced cluster yields an empty plan that is done and says why', async () => {
  engines.world.loads = new Map([...engines.world.loads.keys()].map((name) => [name, 30]));
  const audit = await run(await newAudit('workload_stabilization'));

  const [plan] = await store.db.actionPlans.list({ filters: [{ field: 'auditId', value: audit.id }] });
  expect(plan).toMatchObject({ state: 'SUCCEEDED', statusMessage: audit.report!.emptyBecause });
  expect(audit.report!.emptyBecause).toBeTruthy();
});

test('auto_trigger starts the plan and leaves its launch message in the outbox', async () => {
  const audit = await run(await newAudit('dummy', { autoTrigger: true }));

  const [plan] = await store.db.actionPlans.list({ filters: [{ field: 'auditId', value: audit.id }] });
  expect(plan).toMatchObject({ state: 'PENDING', launchSeq: 1 });
  const sent: string[] = [];
  await store.outboxQueue.drain(100, async (rows) => {
    sent.push(...rows.filter(({ type }) => type === 'plan.launch').map(({ body }) => String(body.plan_uuid)));
    return rows.map(() => true as const);
  });
  expect(sent).toContain(plan!.uuid);
  await store.db.actionPlans.transition(plan!.uuid, 'cancelBeforeStart');
});

test.each([
  ['a parameter of the wrong type', { parameters: { para1: 'much' } }, /para1/],
  ['an unknown parameter', { parameters: { nonsense: 1 } }, /nonsense/],
])('%s fails the audit with the reason', async (_what, change, reason) => {
  const audit = await run(await newAudit('dummy', change));

  expect(audit.state).toBe('FAILED');
  expect(audit.statusMessage).toMatch(reason);
});

test('a strategy that saw no metric fails with that reason', async () => {
  engines.world.loads = new Map();
  const audit = await run(await newAudit('workload_stabilization'));

  expect(audit).toMatchObject({ state: 'FAILED' });
  expect(audit.statusMessage).toMatch(/host_cpu_usage/);
  expect(audit.report).toMatchObject({
    strategy: 'workload_stabilization',
    hosts: { considered: 2, eligible: 0 },
    instances: { considered: 4, eligible: 0 },
    metrics: expect.arrayContaining([expect.objectContaining({ metric: 'host_cpu_usage', missing: 2 })]),
    modelComplete: true,
    notes: ['the run failed; the report contains the data known until then'],
    failedIn: 'strategy',
  });
});

test('an audit that exceeds its time limit fails with this reason and leaves no plan', async () => {
  const audit = await run(await newAudit('dummy'), {
    source: engines.withFixture('strategy', 'never_ends'),
    strategyTimeLimitMs: 300,
  });

  expect(audit).toMatchObject({
    state: 'FAILED',
    statusMessage: 'strategy never_ends was stopped: it ran longer than its time limit of 0.3 s',
    nextRunTime: null,
    report: { strategy: 'dummy', failedIn: 'strategy' },
  });
  expect(await store.db.actionPlans.list({ filters: [{ field: 'auditId', value: audit.id }] })).toEqual([]);
});

test.each([
  ['planner', 'throws', 'planner throws failed: no order is good enough'],
  ['planner', 'exits', expect.stringContaining('planner exits failed: its thread ended')],
  ['goal', 'throws', 'goal throws failed: divided by nothing'],
] as const)(
  'an audit whose %s %s fails has the reason, and its engine continues',
  async (kind, name, statusMessage) => {
    const audit = await run(await newAudit('dummy'), { source: engines.withFixture(kind, name) });

    expect(audit).toMatchObject({ state: 'FAILED', statusMessage, attempts: 1, report: { failedIn: 'planner' } });
    expect(await store.db.actionPlans.list({ filters: [{ field: 'auditId', value: audit.id }] })).toEqual([]);
    expect(await run(await newAudit('dummy'))).toMatchObject({ state: 'SUCCEEDED' });
  },
);

test('an audit whose planner never ends fails with that reason, and its engine continues', async () => {
  let limitMs = 200;
  // The strategy before it has the same limit, which a busy machine may need more of.
  async function failIt(): Promise<AuditView> {
    limitMs *= 3;
    const options = { source: engines.withFixture('planner', 'never_ends'), strategyTimeLimitMs: limitMs };
    return run(await newAudit('dummy'), options);
  }
  const reason = /^planner never_ends was stopped: it ran longer than its time limit/;

  await expect.poll(async () => (await failIt()).statusMessage).toMatch(reason);
  expect(await run(await newAudit('dummy'))).toMatchObject({ state: 'SUCCEEDED' });
});

test('a run that fails before its strategy does not show the place of an earlier failure', async () => {
  const failed = await run(await newAudit('workload_stabilization', { report: earlierReport }), {
    collect: () => Promise.reject(new Error('no picture')),
  });

  expect(failed).toMatchObject({ state: 'FAILED', report: { strategy: 'workload_stabilization' } });
  expect(failed.report).not.toHaveProperty('failedIn');
});

test('consolidation on a model with gaps is refused, with the gap named', async () => {
  const gaps = ['inventories of host busy'];
  engines.world.snapshot = { ...engines.world.snapshot, complete: false, gaps };
  const audit = await run(await newAudit('vm_workload_consolidation'));

  expect(audit).toMatchObject({ state: 'FAILED' });
  expect(audit.statusMessage).toContain('inventories of host busy');
});

test('an audit that is cancelled while it runs stays cancelled and leaves no plan', async () => {
  let reached: () => void = () => undefined;
  const collecting = new Promise<void>((resolve) => {
    reached = resolve;
  });
  let letGo: () => void = () => undefined;
  const { runner, lease } = start({
    collect: () => {
      reached();
      return new Promise((resolve) => {
        letGo = () => resolve(engines.world.snapshot);
      });
    },
  });
  const audit = await newAudit('dummy');
  await runner.submit(() => store.db.audits.claim(audit.uuid, lease));
  await collecting;

  await store.db.audits.transition(audit.uuid, 'cancel');
  letGo();
  await runner.stop();

  expect((await store.db.audits.get(audit.uuid)).state).toBe('CANCELLED');
  expect(await store.db.actionPlans.list({ filters: [{ field: 'auditId', value: audit.id }] })).toEqual([]);
});

test('an audit that is deleted right before its plan is stored is no fault of the engine', async () => {
  const [info, warn, error] = [vi.fn(), vi.fn(), vi.fn()];
  const logger: Logger = { ...silentLogger, info, warn, error, child: () => logger };
  const audit = await newAudit('dummy');
  const removing: typeof store = {
    ...store,
    async transaction(work) {
      await store.db.audits.softDelete(audit.uuid);
      return store.transaction(work);
    },
  };
  const { runner, lease } = start({ logger, store: removing });
  await runner.submit(() => store.db.audits.claim(audit.uuid, lease));

  await expect.poll(() => info.mock.calls).toContainEqual([{ outcome: 'cancelled' }, 'audit ended']);
  expect(warn).not.toHaveBeenCalled();
  expect(error).not.toHaveBeenCalled();
});

test('a cancelled audit is no lost lease', async () => {
  const warn = vi.fn();
  const logger: Logger = { ...silentLogger, warn, child: () => logger };
  let isCancelled = false;
  const watched = { ...store, db: { ...store.db, audits: { ...store.db.audits } } };
  const refused = new Promise<void>((resolve) => {
    watched.db.audits.renewLease = async (...args) => {
      const isHeld = await store.db.audits.renewLease(...args);
      if (isCancelled && !isHeld) resolve();
      return isHeld;
    };
  });
  const { runner, lease } = start({
    store: watched,
    leaseMs: 2000,
    source: engines.withFixture('strategy', 'never_ends'),
    logger,
  });
  const audit = await newAudit('dummy');
  await runner.submit(() => store.db.audits.claim(audit.uuid, lease));

  await store.db.audits.transition(audit.uuid, 'cancel');
  isCancelled = true;
  await refused;
  await runner.stop();

  expect((await store.db.audits.get(audit.uuid)).state).toBe('CANCELLED');
  expect(warn).not.toHaveBeenCalled();
});

test('an engine that stops gives its audit back, and another one completes it', async () => {
  let fail: ((error: Error) => void) | null = null;
  const { runner, lease } = start({
    collect: () =>
      new Promise((_, reject) => {
        fail = reject;
      }),
  });
  const audit = await newAudit('dummy');
  await runner.submit(() => store.db.audits.claim(audit.uuid, lease));
  await expect.poll(() => fail).not.toBeNull();
  const stopping = runner.stop();
  (fail as unknown as (error: Error) => void)(new Error('stopped'));
  await stopping;
  expect(await store.db.audits.get(audit.uuid)).toMatchObject({ state: 'PENDING', hostname: null });

  const done = await run(audit);

  // An orderly hand-over says nothing against the audit.
  expect(done).toMatchObject({ state: 'SUCCEEDED', attempts: 1 });
});

test('the poller takes over an audit whose engine died, once its lease is over', async () => {
  const audit = await newAudit('dummy');
  await store.db.audits.claim(audit.uuid, { instance: 'dead', host: 'dead', ttlMs: 300 });
  const { runner, lease } = start({ instance: 'engine-2' });
  const poller = startAuditPoller({ store, runner, lease, everyMs: 100, newUuid: randomUUID, logger: silentLogger });

  const done = await ended(audit.uuid);

  await poller.stop();
  expect(done).toMatchObject({ state: 'SUCCEEDED', hostname: 'host-of-engine-2', attempts: 2 });
});

test('an audit that kills its engines is given up with a reason', async () => {
  const audit = await newAudit('dummy', { attempts: 3 });
  const { runner, lease } = start();
  await runner.submit(() => store.db.audits.claim(audit.uuid, lease));

  expect(await ended(audit.uuid)).toMatchObject({
    state: 'FAILED',
    statusMessage: expect.stringMatching(/started 3 times/),
  });
});

test('a message that comes twice runs the audit once', async () => {
  const { runner, lease } = start();
  const handle = createAuditTriggerHandler({ store, runner, lease, logger: silentLogger });
  const audit = await newAudit('dummy');
  const body = { schema: 'audit.trigger/1', audit_uuid: audit.uuid, reason: 'created' };
  const envelope = {
    messageId: randomUUID(),
    type: 'audit.trigger',
    body,
    attempt: 0,
    timestamp: new Date().toISOString(),
  };

  const verdicts = await Promise.all([
    handle(envelope),
    handle(envelope),
    handle({ ...envelope, messageId: randomUUID() }),
  ]);

  expect(verdicts).toEqual([{ kind: 'ack' }, { kind: 'ack' }, { kind: 'ack' }]);
  expect(await ended(audit.uuid)).toMatchObject({ state: 'SUCCEEDED', attempts: 1 });
  expect(await store.db.actionPlans.list({ filters: [{ field: 'auditId', value: audit.id }] })).toHaveLength(1);
});

test('two engines share the audits, and none runs twice', async () => {
  const engines = [start({ instance: 'a' }), start({ instance: 'b' })];
  const audits = await Promise.all([1, 2, 3, 4, 5, 6].map(() => newAudit('dummy')));

  const claims = await Promise.all(
    engines.flatMap(({ runner, lease }) =>
      audits.map(({ uuid }) => runner.submit(() => store.db.audits.claim(uuid, lease))),
    ),
  );
  const done = await Promise.all(audits.map(({ uuid }) => ended(uuid)));

  expect(claims.filter(Boolean)).toHaveLength(6);
  expect(done.map(({ state, attempts }) => `${state} ${attempts}`)).toEqual(Array(6).fill('SUCCEEDED 1'));
});
