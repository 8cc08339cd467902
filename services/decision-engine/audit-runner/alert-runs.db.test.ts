// @needs build
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type AlertScope, silentLogger } from '#libs/domain';
import { type AuditView, lockAlerts, startAlertRun } from '#libs/store';
import { useTestEngines } from '../testing/test-engines.ts';
import { startAuditPoller } from './audit-poller.ts';

const engines = await useTestEngines();
const { store } = engines;
beforeEach(() => engines.reset());
afterEach(() => engines.stopRunners());

const newAudit = (change: Partial<AuditView> = {}) =>
  engines.newAudit('workload_stabilization', { auditType: 'EVENT', ...change });

/** Requests a run as the API does. */
async function request(audit: AuditView, scope: AlertScope, place: 'started' | 'queued' = 'started'): Promise<string> {
  const uuid = randomUUID();
  await store.transaction(async (unit) => {
    await lockAlerts(unit, audit.uuid);
    await unit.alertRuns.insert({ uuid, auditId: audit.id, groupHash: uuid, scope }, place);
    if (place === 'started') await startAlertRun(unit, audit.uuid, { uuid, scope }, { newUuid: randomUUID });
  });
  return uuid;
}

async function run(audit: AuditView): Promise<AuditView> {
  const { runner, lease } = engines.start();
  await runner.submit(() => store.db.audits.claim(audit.uuid, lease));
  return engines.ended(audit.uuid);
}

async function planOf(audit: AuditView) {
  const plans = await store.db.actionPlans.list({ filters: [{ field: 'auditId', value: audit.id }] });
  const plan = plans.at(-1)!;
  const actions = await store.db.actions.listByPlan(plan.uuid);
  return { plan, moved: actions.map(({ inputParameters }) => inputParameters.resource_id).toSorted() };
}

const uuids = () => engines.world.snapshot.instanceInfo.map(({ uuid }) => uuid);

test.each<[string, () => AlertScope, (moved: unknown[]) => boolean]>([
  ['nothing', () => null, (moved) => moved.length > 0],
  ['the busy host', () => [{ host: 'busy' }], (moved) => moved.length > 0],
  ['the idle host', () => [{ host: 'idle' }], (moved) => moved.length === 0],
  ['one instance', () => [{ instance: uuids()[2]! }], (moved) => moved.length === 1 && moved[0] === uuids()[2]],
  ['an unknown host', () => [{ host: 'compute-99' }], (moved) => moved.length === 0],
])('a run that alerts limit to %s moves no other instance', async (_, scopeOf, fits) => {
  const scope = scopeOf();
  const audit = await newAudit();
  await request(audit, scope);
  const ended = await run(audit);
  expect(ended).toMatchObject({ state: 'SUCCEEDED', scope: [], alertRun: null });
  const { plan, moved } = await planOf(ended);
  expect(fits(moved), `moved ${moved.join(', ')}`).toBe(true);
  expect(plan.alertScope).toEqual(scope);
  const notes = ended.report?.notes.filter((note) => note.startsWith('alerts')) ?? [];
  expect(notes.length > 0).toBe(scope !== null);
});

test.each(['saving_energy', 'storage_capacity_balance'])(
  'a run of %s that alerts limit is refused, as it changes volumes or bare metal nodes too',
  async (strategy) => {
    const audit = await engines.newAudit(strategy, { auditType: 'EVENT' });
    await request(audit, [{ host: 'busy' }]);
    const ended = await run(audit);
    expect(ended).toMatchObject({ state: 'FAILED', alertRun: null });
    expect(ended.statusMessage).toMatch(
      new RegExp(`strategy ${strategy} reads the (baremetal|storage) model, which alerts cannot limit`),
    );
    expect(await store.db.actionPlans.list({ filters: [{ field: 'auditId', value: audit.id }] })).toEqual([]);
  },
);

test('the limit of a run survives the engine that claimed it', async () => {
  const audit = await newAudit();
  await request(audit, [{ host: 'idle' }]);
  await store.db.audits.claim(audit.uuid, { instance: 'dead', host: 'dead', ttlMs: 1 });
  const { runner, lease } = engines.start({ instance: 'engine-2' });
  const poller = startAuditPoller({ store, runner, lease, everyMs: 50, newUuid: randomUUID, logger: silentLogger });
  const ended = await engines.ended(audit.uuid);
  await poller.stop();
  expect(ended).toMatchObject({ state: 'SUCCEEDED', hostname: 'host-of-engine-2' });
  expect(await planOf(ended)).toMatchObject({ moved: [], plan: { alertScope: [{ host: 'idle' }] } });
});

test('the poller starts the queued run after the open one, and runs it without its message', async () => {
  const audit = await newAudit();
  await request(audit, [{ host: 'idle' }]);
  const queued = await request(audit, [{ host: 'busy' }], 'queued');
  expect((await store.db.alertRuns.listStartable(10)).map(({ uuid }) => uuid)).not.toContain(queued);
  await run(audit);
  const { runner, lease } = engines.start();
  const poller = startAuditPoller({ store, runner, lease, everyMs: 50, newUuid: randomUUID, logger: silentLogger });
  const started = await engines.until(audit.uuid, ({ alertRun }) => alertRun === queued);
  expect(started).toMatchObject({ state: 'PENDING', alertScope: [{ host: 'busy' }] });
  // As after the time that a message normally takes.
  await store.db.audits.findClaimable({ pendingMs: 0, limit: 10 }).then((found) => {
    expect(found.map(({ uuid }) => uuid)).toContain(audit.uuid);
  });
  await poller.stop();
  const ended = await run(audit);
  expect((await planOf(ended)).moved.length).toBeGreaterThan(0);
});

test('a queued run waits for the started plan of its audit', async () => {
  const audit = await newAudit({ state: 'SUCCEEDED' });
  const strategy = await store.db.strategies.get('workload_stabilization');
  const ids = { auditId: audit.id, strategyId: strategy.id };
  const plan = await store.db.actionPlans.insert({ uuid: randomUUID(), ...ids, state: 'PENDING' });
  const queued = await request(audit, null, 'queued');
  const startable = async () => (await store.db.alertRuns.listStartable(10)).map(({ uuid }) => uuid);
  expect(await startable()).not.toContain(queued);
  await store.db.actionPlans.transition(plan.uuid, 'cancelBeforeStart');
  expect(await startable()).toContain(queued);
});

test('an EVENT audit without a requested run is never taken by the poller', async () => {
  const audit = await newAudit();
  const found = await store.db.audits.findClaimable({ pendingMs: 0, limit: 100 });
  expect(found.map(({ uuid }) => uuid)).not.toContain(audit.uuid);
});
