import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ComputeSnapshot } from '#libs/cluster-model';
import { goalCatalogue } from '#libs/goals';
import type { HistoryReader } from '#libs/history';
import { plannerCatalogue } from '#libs/planners';
import { createPluginRegistry, type PluginRegistry } from '#libs/plugin-kit';
import { createTestWorld } from '#libs/plugin-kit/testing';
import { createMetrics, systemClock } from '#libs/service-kit';
import { type AuditView, createStore, type Store } from '#libs/store';
import { strategyCatalogue } from '#libs/strategies';
import { createTestDatabase, insertActionPlan, insertAudit, silentLogger, type TestDatabase } from '#libs/testing';
import { syncCatalogue } from '../catalogue-sync/sync-catalogue.ts';
import { createModelKeeper } from '../model/model-keeper.ts';
import { createStrategyRunner, type StrategyRunner } from '../strategy-runner/strategy-runner.ts';
import { startAuditPoller } from './audit-poller.ts';
import { type AuditRunner, createAuditRunner } from './audit-runner.ts';
import { createAuditTriggerHandler } from './audit-trigger-handler.ts';

let database: TestDatabase;
let store: Store;
let registry: PluginRegistry;
let threads: StrategyRunner;
let runners: AuditRunner[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  store = await createStore({ url: database.url, logger: silentLogger });
  registry = createPluginRegistry();
  registry.add(goalCatalogue, { label: 'vigil', moduleUrl: '#libs/goals', exportName: 'goalCatalogue' });
  registry.add(plannerCatalogue, { label: 'vigil', moduleUrl: '#libs/planners', exportName: 'plannerCatalogue' });
  registry.add(strategyCatalogue, { label: 'vigil', moduleUrl: '#libs/strategies', exportName: 'strategyCatalogue' });
  await syncCatalogue(
    store,
    { goals: registry.goals(), strategies: registry.strategies() },
    { newUuid: randomUUID, logger: silentLogger },
  );
  threads = createStrategyRunner({ threads: 2, logger: silentLogger });
});
afterAll(async () => {
  await threads.close();
  await store.close();
  await database.drop();
});

let snapshot: ComputeSnapshot;
let loads: Map<string, number>;
beforeEach(() => {
  const hosts = ['busy', 'idle'].map((hostname) => ({ hostname, vcpus: 16, memory: 65_536, disk: 1000 }));
  const instances = [0, 1, 2, 3].map((index) => ({
    name: `vm-${index}`,
    host: 'busy',
    vcpus: 4,
    memory: 4096,
    disk: 10,
  }));
  snapshot = createTestWorld({ hosts, instances, takenAtMs: Date.now() });
  loads = new Map([['busy', 80], ['idle', 2], ...snapshot.instanceInfo.map(({ uuid }) => [uuid, 80] as const)]);
});
afterEach(async () => {
  await Promise.all(runners.map((runner) => runner.stop()));
  runners = [];
});

/** History in which every metric has the value of `loads`. */
const history: HistoryReader = {
  name: 'test',
  aggregate: async () => loads,
  series: async () => [],
  listMetrics: async () => [],
  probe: async () => undefined,
  close: async () => undefined,
};

function start(
  options: { instance?: string; collect?: () => Promise<ComputeSnapshot>; workers?: number; maxAttempts?: number } = {},
) {
  const lease = {
    instance: options.instance ?? 'engine-1',
    host: `host-of-${options.instance ?? 'engine-1'}`,
    ttlMs: 3000,
  };
  const metrics = createMetrics('test');
  const runner = createAuditRunner({
    store,
    registry,
    model: createModelKeeper({
      collect: options.collect ?? (async () => snapshot),
      clock: systemClock,
      logger: silentLogger,
      metrics,
    }),
    history,
    runner: threads,
    clock: systemClock,
    newUuid: randomUUID,
    logger: silentLogger,
    metrics,
    lease,
    workers: options.workers ?? 2,
    maxAttempts: options.maxAttempts ?? 3,
    options: {
      modelMaxAgeMs: 0,
      strategyTimeLimitMs: 20_000,
      limits: { parallelMigrations: 4, parallelPerSourceHost: 2, parallelPerDestinationHost: 2 },
    },
  });
  runners.push(runner);
  return { runner, lease };
}

async function newAudit(strategyName: string, change: Partial<AuditView> = {}): Promise<AuditView> {
  const strategy = await store.db.strategies.get(strategyName);
  return insertAudit(store.db, strategy, () => change);
}

async function ended(uuid: string): Promise<AuditView> {
  const until = Date.now() + 20_000;
  for (;;) {
    const audit = await store.db.audits.get(uuid);
    if (!['PENDING', 'ONGOING'].includes(audit.state) || Date.now() > until) return audit;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function run(audit: AuditView): Promise<AuditView> {
  const { runner, lease } = start();
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
});

test('a balanced cluster yields an empty plan that is done and says why', async () => {
  loads = new Map([...loads.keys()].map((name) => [name, 30]));
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
  loads = new Map();
  const audit = await run(await newAudit('workload_stabilization'));

  expect(audit).toMatchObject({ state: 'FAILED' });
  expect(audit.statusMessage).toMatch(/host_cpu_usage/);
});

test('consolidation on a model with gaps is refused, with the gap named', async () => {
  snapshot = { ...snapshot, complete: false, gaps: ['inventories of host busy'] };
  const audit = await run(await newAudit('vm_workload_consolidation'));

  expect(audit).toMatchObject({ state: 'FAILED' });
  expect(audit.statusMessage).toContain('inventories of host busy');
});

test('an ongoing plan cancels an audit that does not force, and does not stop one that does', async () => {
  const other = await newAudit('dummy', { state: 'SUCCEEDED' });
  const plan = await insertActionPlan(store.db, other, await store.db.strategies.get('dummy'), () => ({
    state: 'ONGOING',
  }));

  const patient = await run(await newAudit('dummy'));
  const forced = await run(await newAudit('dummy', { force: true }));

  expect(patient).toMatchObject({ state: 'CANCELLED', statusMessage: expect.stringContaining(plan.uuid) });
  expect(forced.state).toBe('SUCCEEDED');
  await store.db.actionPlans.transition(plan.uuid, 'succeed');
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
        letGo = () => resolve(snapshot);
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

test('an engine that stops gives its audit back, and another one completes it', async () => {
  const { runner, lease } = start({
    collect: () => new Promise((_, reject) => setTimeout(() => reject(new Error('stopped')), 300)),
  });
  const audit = await newAudit('dummy');
  await runner.submit(() => store.db.audits.claim(audit.uuid, lease));
  await runner.stop();
  expect(await store.db.audits.get(audit.uuid)).toMatchObject({ state: 'PENDING', hostname: null });

  const done = await run(audit);

  expect(done).toMatchObject({ state: 'SUCCEEDED', attempts: 2 });
});

test('the poller takes over an audit whose engine died, once its lease is over', async () => {
  const audit = await newAudit('dummy');
  await store.db.audits.claim(audit.uuid, { instance: 'dead', host: 'dead', ttlMs: 300 });
  const { runner, lease } = start({ instance: 'engine-2' });
  const poller = startAuditPoller({ store, runner, lease, everyMs: 100, logger: silentLogger });

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
    statusMessage: expect.stringMatching(/begun 3 times/),
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
