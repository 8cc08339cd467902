// @needs build
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { silentLogger } from '#libs/domain';
import { createTestWorld } from '#libs/plugin-kit/testing';
import { createFakeCloud, insertActionPlan } from '#tests';
import { useTestEngines } from '../testing/test-engines.ts';
import { createEvacuationCheck } from './evacuation-check.ts';

const engines = await useTestEngines();
const store = engines.store;

const now = Date.UTC(2026, 0, 2);

/** A plan that has evacuated an instance from `a` to `b`. `a` is down. */
async function evacuated() {
  const audit = await engines.newAudit('failed_host_evacuation', { state: 'SUCCEEDED' });
  const strategy = await store.db.strategies.get('failed_host_evacuation');
  const plan = await insertActionPlan(store.db, audit, strategy, () => ({ state: 'ONGOING' }));
  const id = randomUUID();
  const { uuid } = await store.db.actions.insert({
    uuid: randomUUID(),
    actionPlanId: plan.id,
    actionType: 'evacuate',
    inputParameters: { resource_id: id, source_node: 'a', destination_node: 'b', fenced_by: 'operator' },
  });
  await store.db.actions.transition(uuid, 'begin');
  await store.db.actions.transition(uuid, 'succeed', { set: { endedAt: await store.db.now() } });
  const cloud = createFakeCloud({
    hosts: [{ name: 'a', state: 'down' }, { name: 'b' }],
    servers: [{ uuid: id, host: 'a' }],
    pollsPerMigration: 1,
  });
  await cloud.compute.evacuate(id, 'b');
  await cloud.compute.getServer(id);
  const host = { hostname: 'a', uuid: 'hypervisor-a', state: 'down' as 'up' | 'down', forcedDown: false };
  const model = { fresh: async () => createTestWorld({ hosts: [host, { hostname: 'b' }] }) };
  const check = createEvacuationCheck({ store, model, cloud, clock: { now: () => now }, logger: silentLogger });
  const verdict = async () => {
    const { outcome } = await store.db.actionPlans.get(plan.uuid);
    return (outcome?.evacuations as Record<string, object> | undefined)?.[id];
  };
  return { id, plan, cloud, host, check, verdict };
}

test('an evacuation has no verdict while its host is down', async () => {
  const { check, verdict } = await evacuated();
  await check();
  expect(await verdict()).toBeUndefined();
});

test('the verdict names the wait for nova-compute while Nova refuses to clear forced_down', async () => {
  const { check, verdict, host, cloud, plan } = await evacuated();
  Object.assign(host, { forcedDown: true });
  await check();
  expect(cloud.forceUp('a')).toMatchObject({ status: 400 });
  expect(await verdict()).toMatchObject({
    state: 'waiting',
    detail: 'Nova refuses to clear forced_down until nova-compute on a has restarted',
  });
  const { updatedAt } = await store.db.actionPlans.get(plan.uuid);
  await check();
  expect((await store.db.actionPlans.get(plan.uuid)).updatedAt).toEqual(updatedAt);

  cloud.restartCompute('a');
  await check();
  expect(await verdict()).toMatchObject({
    state: 'waiting',
    detail: 'nova-compute on a has restarted: clear its forced_down',
  });

  expect(cloud.forceUp('a')).toBeNull();
  Object.assign(host, { state: 'up', forcedDown: false });
  await check();
  expect(await verdict()).toMatchObject({ state: 'verified' });
});

test('instances that a returned host has not removed are reported until they are removed', async () => {
  const { id, plan, check, verdict, host, cloud } = await evacuated();
  await store.db.actionPlans.update(plan.uuid, { outcome: { before: { measuredAt: 'x' } } });
  host.state = 'up';

  await check();
  expect(await verdict()).toMatchObject({
    state: 'left-over',
    source: 'a',
    detail: 'it still holds room on a: restart nova-compute there',
    checkedAt: new Date(now).toISOString(),
  });

  cloud.restartCompute('a');
  await check();
  expect(await verdict()).toMatchObject({ state: 'verified', detail: 'nothing of it is left on a' });
  const { outcome } = await store.db.actionPlans.get(plan.uuid);
  expect(outcome?.before).toEqual({ measuredAt: 'x' });

  cloud.servers.delete(id);
  await check();
  expect(await verdict()).toMatchObject({ state: 'verified' });
});

test.each([
  ['deleted', 'gone', 'the instance was deleted'],
  ['moved back', 'verified', 'the instance was moved back since'],
])('an instance that was %s is not checked again', async (what, state, detail) => {
  const { id, check, verdict, host, cloud } = await evacuated();
  host.state = 'up';
  if (what === 'deleted') cloud.servers.delete(id);
  else Object.assign(cloud.servers.get(id) ?? {}, { host: 'a' });
  await check();
  expect(await verdict()).toMatchObject({ state, detail });
});
