import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createRandom } from '#libs/service-kit';
import { createStore, type ServiceEvent, type ServiceInstance, type Store } from '#libs/store';
import { createTestDatabase, insertAction, insertPlanWorld, silentLogger, type TestDatabase } from '#libs/testing';
import { createSupervisor } from '../supervisor/observe.ts';
import { coordinatorLease, createRecoveryEngine, type RacePoint, type RecoveryEngine } from './recovery-engine.ts';
import { recoveryRules } from './rules.ts';

let database: TestDatabase;
let store: Store;
let sql: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  store = await createStore({ url: database.url, logger: silentLogger });
  sql = new pg.Client({ connectionString: database.url });
  await sql.connect();
});
afterAll(async () => {
  await sql.end();
  await store.close();
  await database.drop();
});

let host: string;
let fence: number;
beforeEach(async () => {
  host = `host-${randomUUID().slice(0, 8)}`;
  fence = await lead();
  // Nothing sends here: a message that waited would look like a bus that takes none.
  await sql.query(`UPDATE outbox SET published_at = now() - interval '1 hour' WHERE published_at IS NULL`);
});

/** A new leader: the lease of the former one is over. */
async function lead(): Promise<number> {
  await store.db.leases.release(coordinatorLease, fence ?? 0);
  const lease = await store.db.leases.acquire(coordinatorLease, randomUUID(), 60_000);
  return lease?.fence ?? 0;
}

const engineWith = (racePoint?: RacePoint) =>
  createRecoveryEngine({ store, rules: recoveryRules, newUuid: randomUUID, logger: silentLogger, racePoint });

function enlist(serviceType: string, options: Partial<ServiceInstance> & { ttlMs?: number } = {}) {
  return store.db.registry.enlist({
    instanceId: randomUUID(),
    serviceType,
    serviceName: options.serviceName ?? serviceType,
    host,
    pid: 1,
    version: options.version ?? '1.0.0',
    config: options.config ?? {},
    configHash: null,
    ttlMs: options.ttlMs ?? 60_000,
  });
}

async function start(serviceType: string, options?: Parameters<typeof enlist>[1]): Promise<ServiceInstance> {
  const { instanceId } = await enlist(serviceType, options);
  return store.db.registry.transition(instanceId, 'started');
}

/** A plan with one running action that `instance` holds; its lease is over unless told. */
async function heldPlan(instance: ServiceInstance, ttlMs = -1) {
  const { plan } = await insertPlanWorld(store.db, {
    actions: 2,
    plan: () => ({ state: 'PENDING', launchSeq: 1 }),
  });
  await store.db.actionPlans.claim(plan.uuid, { instance: instance.instanceId, host, ttlMs });
  await insertAction(store.db, plan, () => ({ state: 'ONGOING' }));
  return plan;
}

async function heldAudit(instance: ServiceInstance) {
  const { audit, strategy } = await insertPlanWorld(store.db);
  const pending = await store.db.audits.insert({
    uuid: randomUUID(),
    name: randomUUID(),
    auditType: 'ONESHOT',
    goalId: audit.goalId,
    strategyId: strategy.id,
  });
  await store.db.audits.claim(pending.uuid, { instance: instance.instanceId, host, ttlMs: -1 });
  return pending;
}

async function messagesFor(uuid: string): Promise<number> {
  const { rows } = await sql.query('SELECT count(*)::int AS count FROM outbox WHERE body::text LIKE $1', [`%${uuid}%`]);
  return rows[0].count;
}

async function eventsOfHost(): Promise<ServiceEvent[]> {
  return (await store.db.registry.listEvents({ limit: 500 })).filter((event) => event.host === host);
}

/** Seed with which leaders end all the time, this many before one comes through. */
const dying = 3;
const placeOfDeath = createRandom(dying);
const mostDeaths = 4;

/**
 * Delivers all events of the host twice, in an order of chance, and lets the jobs run in between; with the seed `dying`
 * once, but each step of that is begun by leaders that end at a place of chance, until one comes through.
 */
async function deliver(seed = 1, engine = engineWith()): Promise<void> {
  const random = createRandom(seed);
  const events = await eventsOfHost();
  const order = [...events, ...(seed === dying ? [] : events)]
    .map((event) => ({ event, at: random() }))
    .sort((a, b) => a.at - b.at);
  for (const { event } of order) {
    await act(seed, (leader) => leader.handle(event, fence), engine);
    if (random() < 0.3) await act(seed, (leader) => leader.run(fence), engine);
  }
  await act(seed, (leader) => leader.run(fence), engine);
}

async function act(seed: number, work: (leader: RecoveryEngine) => Promise<void>, engine = engineWith()) {
  await (seed === dying ? underDyingLeaders(work) : work(engine));
}

async function underDyingLeaders(work: (leader: RecoveryEngine) => Promise<void>): Promise<void> {
  for (let deaths = 0; ; deaths += 1) {
    let left = deaths === mostDeaths ? Number.POSITIVE_INFINITY : 1 + Math.floor(placeOfDeath() * 12);
    // Whoever is dead does nothing any more, whatever else the pass would do.
    const leader = engineWith(() => {
      left -= 1;
      if (left <= 0) throw new TypeError('killed');
    });
    await work(leader).catch(onlyKilled);
    if (left > 0) return;
    fence = await lead();
  }
}

function onlyKilled(error: unknown): void {
  if (!(error instanceof TypeError && error.message === 'killed')) throw error;
}

async function outcomes(rule: string): Promise<string[]> {
  const decisions = await store.db.recovery.decisions({ limit: 500, rule });
  return decisions.filter(({ inputs }) => inputs.host === host || rule === 'R5').map(({ outcome }) => outcome);
}

describe.each([
  ['delivered twice and in an order of chance', 1],
  ['delivered twice and in another order', 2],
  ['delivered to leaders that end at every place', dying],
])('%s', (_, seed) => {
  test('R1: the plans of a lost applier are launched again, once, when their leases have expired', async () => {
    const lost = await start('watcher-applier', { ttlMs: -1 });
    const free = await heldPlan(lost);
    const guarded = await heldPlan(lost, 60_000);
    await createSupervisor({ store, bus: noBus, instanceId: randomUUID(), logger: silentLogger }).findLost();
    expect(await messagesFor(free.uuid)).toBe(0);
    await deliver(seed);
    expect(await messagesFor(free.uuid)).toBe(1);
    expect(await messagesFor(guarded.uuid)).toBe(0);
    expect(await outcomes('R1')).toEqual([]);
    await store.db.actionPlans.renewLease(guarded.uuid, (await store.db.actionPlans.get(guarded.uuid)).fence ?? 0, -1);
    await deliver(seed);
    expect(await messagesFor(guarded.uuid)).toBe(1);
    expect(await outcomes('R1')).toEqual(['HANDED_OVER']);
    expect((await store.db.actionPlans.get(free.uuid)).state).toBe('ONGOING');
  });

  test('R2: the audits of a lost decision engine are triggered again', async () => {
    const lost = await start('watcher-decision-engine', { ttlMs: -1 });
    const audit = await heldAudit(lost);
    await store.db.registry.transition(lost.instanceId, 'lose');
    await deliver(seed);
    expect(await messagesFor(audit.uuid)).toBe(1);
    expect(await outcomes('R2')).toEqual(['HANDED_OVER']);
  });

  test('R3: more than five starts in ten minutes degrade a service until somebody asks for it', async () => {
    for (let count = 0; count < 5; count += 1) await start('scheduler');
    await deliver(seed);
    const degraded = async () => (await store.db.registry.matrix()).find((row) => row.host === host)?.degraded;
    expect(await degraded()).toBe(false);
    await start('scheduler');
    await deliver(seed);
    expect(await degraded()).toBe(true);
    expect((await eventsOfHost()).filter(({ type }) => type === 'service.degraded')).toHaveLength(1);
    await store.db.registry.request({
      id: randomUUID(),
      kind: 'restart',
      serviceName: 'scheduler',
      host,
      requestedBy: 'test',
      timeoutMs: 1000,
    });
    await deliver(seed);
    expect(await degraded()).toBe(false);
    expect(await outcomes('R3')).toContain('CLEARED');
  });

  test('R4: what a process leaves that was told to stop is handed over at once', async () => {
    const stopping = await start('watcher-applier');
    const plan = await heldPlan(stopping, 60_000);
    await store.db.registry.transition(stopping.instanceId, 'stop');
    await store.db.registry.transition(stopping.instanceId, 'stopped');
    await deliver(seed);
    expect(await messagesFor(plan.uuid)).toBe(1);
    expect(await outcomes('R4')).toEqual(['HANDED_OVER']);
  });

  test('R5: a new leader hands over what no event tells of', async () => {
    const gone = await start('watcher-applier');
    const plan = await heldPlan(gone);
    await store.db.registry.transition(gone.instanceId, 'lose');
    for (const { id } of await store.db.registry.pendingEvents(1000)) await store.db.registry.acknowledge(id);
    fence = await lead();
    for (const work of ['takeOffice', 'takeOffice', 'run'] as const) await act(seed, (leader) => leader[work](fence));
    expect(await messagesFor(plan.uuid)).toBe(1);
    expect((await outcomes('R5'))[0]).toBe('RECONCILED');
  });

  test('R6: a process two minor versions behind gets no work until the others are gone', async () => {
    const old = await start('watcher-applier', { version: '7.1.4' });
    const fitting = await start('scheduler', { version: '7.2.0' });
    const newest = await start('watcher-decision-engine', { version: '7.3.9' });
    const accepts = async () =>
      Promise.all(
        [old, fitting, newest].map(
          async ({ instanceId }) => (await store.db.registry.findInstance(instanceId))?.acceptsWork,
        ),
      );
    await deliver(seed);
    expect(await accepts()).toEqual([false, true, true]);
    await store.db.registry.transition(newest.instanceId, 'stop');
    await store.db.registry.transition(newest.instanceId, 'stopped');
    await deliver(seed);
    expect((await accepts()).slice(0, 2)).toEqual([true, true]);
    for (const { instanceId } of [old, fitting]) await store.db.registry.transition(instanceId, 'lose');
  });

  test('R7: a host is marked while nothing lives on it', async () => {
    const frozen = await start('watcher-applier', { ttlMs: -1 });
    await store.db.registry.transition(frozen.instanceId, 'lose');
    await deliver(seed);
    const marks = async () => (await store.db.registry.edges({ dstKind: 'Host', dstId: host }))[0]?.attributes;
    expect(await marks()).toEqual({ lost: true });
    await store.db.registry.transition(frozen.instanceId, 'return', { ttlMs: 60_000 });
    await deliver(seed);
    expect(await marks()).toEqual({});
  });

  test('R8: work without owner and message is sent again, when somebody is there, and not every moment', async () => {
    const { plan } = await insertPlanWorld(store.db, { plan: () => ({ state: 'PENDING', launchSeq: 1 }) });
    const dead = { instance: randomUUID(), host: 'nowhere', ttlMs: -1 };
    await store.db.actionPlans.claim(plan.uuid, dead);
    const applier = await start('watcher-applier');
    await deliver(seed);
    await deliver(seed);
    expect(await messagesFor(plan.uuid)).toBe(1);
    expect((await store.db.recovery.decisions({ limit: 100, rule: 'R8' })).map(({ outcome }) => outcome)).toContain(
      'REQUEUED',
    );
    await store.db.registry.transition(applier.instanceId, 'lose');
  });

  test('R9: a process that answers no Check is asked to start again', async () => {
    const hung = await start('scheduler');
    const supervisor = createSupervisor({ store, bus: noBus, instanceId: randomUUID(), logger: silentLogger });
    for (let count = 0; count < 4; count += 1) await supervisor.checkAll();
    expect((await eventsOfHost()).filter(({ type }) => type === 'service.failed')).toHaveLength(1);
    await deliver(seed);
    const beat = await store.db.registry.beat(hung.instanceId, 60_000);
    expect(beat?.request).toMatchObject({ kind: 'restart', requestedBy: 'recovery-coordinator' });
    await store.db.registry.transition(hung.instanceId, 'stop');
    await store.db.registry.transition(hung.instanceId, 'stopped');
    const next = await start('scheduler');
    await deliver(seed);
    expect(await outcomes('R9')).toEqual(['OK']);
    await store.db.registry.transition(next.instanceId, 'lose');
  });

  test('R10: work that was done at three uncaught exceptions is given up with the reason', async () => {
    const first = await start('watcher-applier');
    const plan = await heldPlan(first);
    await store.db.registry.transition(first.instanceId, 'crash', { reason: 'uncaught exception: boom 1' });
    for (const count of [2, 3]) {
      await deliver(seed);
      expect((await store.db.actionPlans.get(plan.uuid)).state).toBe('ONGOING');
      const next = await start('watcher-applier');
      await store.db.actionPlans.takeOver(plan.uuid, { instance: next.instanceId, host, ttlMs: -1 });
      await store.db.registry.transition(next.instanceId, 'crash', { reason: `uncaught exception: boom ${count}` });
    }
    await deliver(seed);
    const ended = await store.db.actionPlans.get(plan.uuid);
    expect(ended).toMatchObject({
      state: 'FAILED',
      statusMessage: expect.stringContaining('Quarantined: 3 processes'),
    });
    expect((await store.db.actions.listByPlan(plan.uuid)).map(({ state }) => state).sort()).toEqual([
      'CANCELLED',
      'CANCELLED',
      'FAILED',
    ]);
    expect((await outcomes('R10')).filter((outcome) => outcome === 'QUARANTINED')).toHaveLength(1);
  });

  test('R10: work that only ran beside the guilty one goes on when that is given up', async () => {
    const first = await start('watcher-applier');
    const [guilty, innocent] = [await heldPlan(first), await heldPlan(first)];
    await store.db.registry.transition(first.instanceId, 'crash', { reason: 'uncaught exception: boom' });
    for (const plans of [[guilty, innocent], [guilty]]) {
      const next = await start('watcher-applier');
      for (const { uuid } of plans)
        await store.db.actionPlans.takeOver(uuid, { instance: next.instanceId, host, ttlMs: -1 });
      await store.db.registry.transition(next.instanceId, 'crash', { reason: 'uncaught exception: boom' });
    }
    await deliver(seed);
    expect((await store.db.actionPlans.get(guilty.uuid)).state).toBe('FAILED');
    expect((await store.db.actionPlans.get(innocent.uuid)).state).toBe('ONGOING');
  });

  test('R10: processes that end without a word count up to the limit that they hold themselves to', async () => {
    const limited = { config: { VIGIL_APPLIER_MAX_TAKEOVERS: 1 } };
    const first = await start('watcher-applier', limited);
    const plan = await heldPlan(first);
    await store.db.registry.transition(first.instanceId, 'lose');
    await deliver(seed);
    expect((await store.db.actionPlans.get(plan.uuid)).state).toBe('ONGOING');
    const frozen = await start('watcher-applier', limited);
    await store.db.actionPlans.takeOver(plan.uuid, { instance: frozen.instanceId, host, ttlMs: -1 });
    await store.db.registry.transition(frozen.instanceId, 'lose');
    await store.db.registry.transition(frozen.instanceId, 'return', { ttlMs: 60_000 });
    await deliver(seed);
    expect((await store.db.actionPlans.get(plan.uuid)).state).toBe('ONGOING');
    await store.db.registry.transition(frozen.instanceId, 'lose');
    await deliver(seed);
    expect((await store.db.actionPlans.get(plan.uuid)).statusMessage).toContain('Quarantined: ');
  });
});

/** Nobody ever answers. */
const noBus = { request: () => Promise.reject(new Error('no answer')) };

const steps = ['before-event', 'in-event', 'after-event', 'before-step', 'mid-step', 'in-step', 'after-step'];
test.each(steps.flatMap((name) => [1, 2, 3].map((visit) => [name, visit] as const)))(
  'a leader that ends at %s (visit %i) leaves nothing undone and nothing done twice',
  async (name, visit) => {
    const lost = await start('watcher-applier', { ttlMs: -1 });
    const plan = await heldPlan(lost);
    await store.db.registry.transition(lost.instanceId, 'lose');
    let left = visit;
    const dying = engineWith((place) => {
      if (place !== name) return;
      left -= 1;
      if (left === 0) throw new TypeError('killed');
    });
    const order = await eventsOfHost();
    await (async () => {
      for (const event of order) await dying.handle(event, fence);
      await dying.run(fence);
    })().catch(() => undefined);
    const formerFence = fence;
    fence = await lead();
    await expect(dying.handle(order[0]!, formerFence)).rejects.toThrow();
    const successor = engineWith();
    await successor.takeOffice(fence);
    await successor.run(fence);
    expect(await messagesFor(plan.uuid)).toBe(1);
    const decided = await outcomes('R1');
    expect(decided).toHaveLength(1);
    expect((await store.db.recovery.openJobs()).filter((key) => key.startsWith('R1:'))).toEqual([]);
  },
);

test('a step and its phase are one: a leader that ends between them leaves neither', async () => {
  for (let count = 0; count < 6; count += 1) await start('scheduler');
  const degraded = async () => (await store.db.registry.matrix()).find((row) => row.host === host)?.degraded;
  const ending = engineWith((place) => {
    if (place === 'mid-step') throw new TypeError('killed');
  });
  await deliver(1, ending);
  expect(await degraded()).toBe(false);
  await engineWith().run(fence);
  expect(await degraded()).toBe(true);
});

test('the supervisor finds what is lost and changes nothing else while there is no coordinator', async () => {
  const lost = await start('watcher-applier', { ttlMs: -1 });
  const plan = await heldPlan(lost);
  const before = await store.db.actionPlans.get(plan.uuid);
  const supervisor = createSupervisor({ store, bus: noBus, instanceId: randomUUID(), logger: silentLogger });
  await supervisor.findLost();
  await supervisor.findLost();
  expect((await eventsOfHost()).map(({ type }) => type)).toEqual([
    'service.lost',
    'service.started',
    'service.starting',
  ]);
  expect(await store.db.actionPlans.get(plan.uuid)).toEqual(before);
  expect(await messagesFor(plan.uuid)).toBe(0);
});

test('a job that never comes to an end is ended by its time limit', async () => {
  const lost = await start('watcher-applier', { ttlMs: -1 });
  await heldPlan(lost, 60_000);
  await store.db.registry.transition(lost.instanceId, 'lose');
  const hasty = createRecoveryEngine({
    store,
    rules: recoveryRules.map((rule) => ({ ...rule, timeLimitMs: rule.name === 'R1' ? -1 : rule.timeLimitMs })),
    newUuid: randomUUID,
    logger: silentLogger,
  });
  await deliver(1, hasty);
  expect(await outcomes('R1')).toEqual(['TIMED_OUT']);
});
