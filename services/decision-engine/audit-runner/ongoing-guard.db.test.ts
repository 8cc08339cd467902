// @needs build
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestWorld } from '#libs/plugin-kit/testing';
import type { ActionView, AuditView } from '#libs/store';
import { insertAction, insertActionPlan } from '#tests';
import { type TestEngines, useTestEngines } from '../testing/test-engines.ts';
import { createOngoingGuard } from './ongoing-guard.ts';

const engines = await useTestEngines();
const store = engines.store;
beforeEach(() => engines.reset());
afterEach(() => engines.stopRunners());

const { start, newAudit, ended }: Pick<TestEngines, 'start' | 'newAudit' | 'ended'> = {
  start: (options) => engines.start(options),
  newAudit: (strategy, change) => engines.newAudit(strategy, change),
  ended: (uuid) => engines.ended(uuid),
};

async function run(audit: AuditView): Promise<AuditView> {
  const { runner, lease } = start();
  await runner.submit(() => store.db.audits.claim(audit.uuid, lease));
  return ended(audit.uuid);
}

function migrateTo(destination: string | undefined) {
  const inputParameters = { source_node: 'left-1', ...(destination ? { destination_node: destination } : {}) };
  return { actionType: 'migrate', inputParameters };
}

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

test.each(['PENDING', 'ONGOING', 'CANCELLING'] as const)(
  'the guard refuses an audit while a plan is %s',
  async (state) => {
    const other = await newAudit('dummy', { state: 'SUCCEEDED' });
    const strategy = await store.db.strategies.get('dummy');
    const plan = await insertActionPlan(store.db, other, strategy, () => ({ state }));
    const guard = createOngoingGuard({ scope: [], force: false });
    await expect(guard.check(store.db)).rejects.toMatchObject({ code: 'action_plan_ongoing' });
    await store.db.actionPlans.softDelete(plan.uuid);
    await expect(guard.check(store.db)).resolves.toBeUndefined();
  },
);

const within = (name: string): AuditView['scope'] => [{ compute: [{ host_aggregates: [{ name }] }] }];

test.each<[string, string, Pick<ActionView, 'actionType' | 'inputParameters'>]>([
  ['names hosts of its own', 'SUCCEEDED', migrateTo('left-2')],
  ['leaves the destination to Nova', 'CANCELLED', migrateTo(undefined)],
  ['goes to a host of the audit', 'CANCELLED', migrateTo('right-1')],
  [
    'disables a host of its own',
    'SUCCEEDED',
    { actionType: 'change_nova_service_state', inputParameters: { resource_name: 'left-1', state: 'disabled' } },
  ],
  ['moves a volume, and the audit does not', 'SUCCEEDED', { actionType: 'volume_migrate', inputParameters: {} }],
])('an ongoing plan of another scope that %s: an audit is %s', async (_, state, action) => {
  const hosts = ['left-1', 'left-2', 'right-1'].map((hostname) => ({
    hostname,
    aggregates: [hostname.split('-')[0]!],
  }));
  engines.world.snapshot = createTestWorld({ hosts, takenAtMs: Date.now() });
  const other = await newAudit('dummy', { state: 'SUCCEEDED', scope: within('left') });
  const plan = await insertActionPlan(store.db, other, await store.db.strategies.get('dummy'), () => ({
    state: 'ONGOING',
  }));
  await insertAction(store.db, plan, () => action);

  expect(await run(await newAudit('dummy', { scope: within('right') }))).toMatchObject({ state });
  expect(await run(await newAudit('dummy', { scope: within('left') }))).toMatchObject({ state: 'CANCELLED' });
  expect(await run(await newAudit('dummy'))).toMatchObject({ state: 'CANCELLED' });
  await store.db.actionPlans.transition(plan.uuid, 'succeed');
});

test('two that both move volumes wait for each other with any scopes', async () => {
  const hosts = ['left', 'right'].map((name) => ({ hostname: name, aggregates: [name] }));
  const whole = createTestWorld({ hosts });
  const other = await newAudit('dummy', { state: 'SUCCEEDED', scope: within('left') });
  const plan = await insertActionPlan(store.db, other, await store.db.strategies.get('dummy'), () => ({
    state: 'ONGOING',
  }));
  await insertAction(store.db, plan, () => ({ actionType: 'volume_migrate', inputParameters: {} }));
  const guard = createOngoingGuard({ scope: within('right'), force: false });
  guard.sees(whole, ['compute']);
  await expect(guard.check(store.db)).resolves.toBeUndefined();
  guard.sees(whole, ['compute', 'storage']);
  await expect(guard.check(store.db)).rejects.toThrow(plan.uuid);
  await store.db.actionPlans.transition(plan.uuid, 'succeed');
});

test('a plan that starts while an audit computes cancels the audit, which leaves no plan for a cluster that moves', async () => {
  const other = await newAudit('dummy', { state: 'SUCCEEDED' });
  const strategy = await store.db.strategies.get('dummy');
  let started = '';
  const { runner, lease } = start({
    async collect() {
      started = (await insertActionPlan(store.db, other, strategy, () => ({ state: 'ONGOING' }))).uuid;
      return engines.world.snapshot;
    },
  });
  const audit = await newAudit('dummy');
  await runner.submit(() => store.db.audits.claim(audit.uuid, lease));

  const end = await ended(audit.uuid);
  expect(end).toMatchObject({ state: 'CANCELLED', statusMessage: expect.stringContaining(started) });
  expect(await store.db.actionPlans.list({ filters: [{ field: 'auditId', value: audit.id }] })).toEqual([]);
  await store.db.actionPlans.transition(started, 'succeed');
});
