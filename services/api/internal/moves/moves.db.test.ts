import { expect, it } from 'vitest';
import { internalVersion } from '#libs/client';
import { insertAction, insertActionPlan, insertPlanWorld } from '#tests';
import { createPolicy } from '../../auth/policy.ts';
import { fault, useTestApi } from '../../testing/test-api.ts';

const headers = { 'X-Vigil-Internal-Version': internalVersion };
const now = Date.parse('2026-11-18T12:00:00Z');
const day = 24 * 3_600_000;
const one = '00000000-0000-4000-8000-000000000001';
const two = '00000000-0000-4000-8000-000000000002';
const move = (resource: string, from: string, to: string | null) => ({
  migration_type: 'live',
  resource_id: resource,
  resource_name: resource === one ? 'web' : 'db',
  source_node: from,
  ...(to === null ? {} : { destination_node: to }),
});
const use = (instances: number) => ({ instances, vcpus: 0, dedicatedCpus: 0, memory: 0, disk: 0, enabled: true });
const capacity = { vcpus: 1, dedicatedCpus: 0, memory: 1, disk: 1 };

const api = await useTestApi({ clock: { now: () => now } });
const { db } = api.store;
const outcome = {
  measurement: { state: 'ACHIEVED', reason: null, overlaps: [], dueAt: null },
  before: { goal: { standard_deviation_before_audit: 0.25 }, cluster: { hostsEmpty: 1 } },
  after: { goal: { standard_deviation_before_audit: 0.12 }, cluster: { hostsEmpty: 2 } },
  promises: [
    { quantity: 'memory_highest', low: 71, high: 73, achieved: 72, verdict: 'WITHIN', reason: null },
    { quantity: 'duration', low: 60, high: 90, achieved: 120, verdict: 'ABOVE', reason: null },
  ],
};
const world = await insertPlanWorld(db, { actions: 0, plan: () => ({ state: 'SUCCEEDED', outcome }) });
const at = (days: number) => ({
  startedAt: new Date(now - days * day),
  endedAt: new Date(now - days * day + 60_000),
});
const reason = { rule: 'r', summary: 'a is hot', values: [], rejected: [] };
const add = (row: object, plan = world.plan) => insertAction(db, plan, () => row);
const migrate = { actionType: 'migrate', state: 'SUCCEEDED' };
await add({ ...migrate, inputParameters: move(one, 'a', 'b'), reason, ...at(8) });
await add({ ...migrate, inputParameters: move(two, 'a', null), ...at(1) });
await add({ ...migrate, inputParameters: move(one, 'b', 'c'), ...at(1), state: 'FAILED' });
await add({ ...migrate, inputParameters: move(one, 'b', 'c'), state: 'PENDING' });
await add({
  actionType: 'revert',
  inputParameters: { action_type: 'migrate', input_parameters: move(one, 'a', 'b') },
  state: 'SUCCEEDED',
  ...at(0.5),
});
await db.planHosts.insert(world.plan.id, {
  modelTakenAt: '2026-11-18T00:00:00Z',
  hosts: [
    { hostname: 'a', capacity, before: use(2), after: use(0), instancesIn: 0, instancesOut: 2 },
    { hostname: 'b', capacity, before: use(0), after: use(2), instancesIn: 2, instancesOut: 0 },
    { hostname: 'c', capacity, before: use(1), after: use(0), instancesIn: 0, instancesOut: 1 },
  ],
  unplaced: { ...capacity, instances: 0 },
  moved: {},
});
for (const [name, value] of [
  ['standard_deviation_before_audit', 0.26],
  ['standard_deviation_after_audit', 0.1],
] as const)
  await db.efficacyIndicators.insert({
    uuid: crypto.randomUUID(),
    name,
    description: null,
    unit: null,
    value,
    actionPlanId: world.plan.id,
  });
await insertActionPlan(db, world.audit, world.strategy, () => ({ state: 'FAILED' }));

const list = async (query: string) => (await api.get(`/internal/moves${query}`, headers)).json();
const routes = (response: { moves: { from: string; to: string; instance: string }[] }) =>
  response.moves.map(({ instance, from, to }) => `${instance === one ? 'web' : 'db'} ${from} ${to}`);

it('moves lists completed and failed moves newest first with their plans, but none that did not start', async () => {
  const all = await list('');
  expect(all.total).toBe(4);
  expect(routes(all)).toEqual(['web b a', 'web b c', 'db a null', 'web a b']);
  expect(all.moves[3]).toMatchObject({
    instance_name: 'web',
    state: 'SUCCEEDED',
    why: 'a is hot',
    plan_uuid: world.plan.uuid,
    audit_name: world.audit.name,
    started_at: '2026-11-10T12:00:00+00:00',
  });
  expect(all.moves[0]).toMatchObject({ action_type: 'revert', instance_name: 'web' });
});

it('is narrowed to an instance or a host, by pages', async () => {
  expect(routes(await list(`?instance=${one}`))).toEqual(['web b a', 'web b c', 'web a b']);
  expect(routes(await list('?host=c'))).toEqual(['web b c']);
  expect(routes(await list(`?host=a&instance=${two}`))).toEqual(['db a null']);
  expect(routes(await list('?limit=2&page=2'))).toEqual(['db a null', 'web a b']);
  expect(await list('?host=nowhere')).toEqual({ total: 0, moves: [] });
  for (const wrong of ['limit=0', 'limit=101', 'page=0', 'host=%00', 'instances=x'])
    expect((await api.get(`/internal/moves?${wrong}`, headers)).statusCode, wrong).toBe(400);
});

it('trends have every week with moves, freed hosts, and promised and achieved gains', async () => {
  const { since, weeks, plans, promises } = (await api.get('/internal/trends?weeks=3', headers)).json();
  expect(since).toBe('2026-11-02T00:00:00.000Z');
  expect(weeks).toEqual([
    { week: '2026-11-02', moves: 0, failed_moves: 0, plans: 0, hosts_freed: 0 },
    { week: '2026-11-09', moves: 1, failed_moves: 0, plans: 0, hosts_freed: 0 },
    { week: '2026-11-16', moves: 2, failed_moves: 1, plans: 1, hosts_freed: 1 },
  ]);
  expect(plans).toEqual([
    {
      uuid: world.plan.uuid,
      strategy_name: world.strategy.name,
      ended_at: '2026-11-18T00:01:00+00:00',
      hosts_freed: 1,
      deviation: { planned: 0.26, predicted: 0.1, before: 0.25, achieved: 0.12 },
      hosts_empty: { planned: null, predicted: null, before: 1, achieved: 2 },
      measurement: { state: 'ACHIEVED', reason: null, overlaps: [] },
    },
  ]);
  const none = { within: 0, below: 0, above: 0, not_measured: 0, not_attributable: 0 };
  const promise = { strategy_name: world.strategy.name, ...none };
  expect(promises).toEqual([
    { ...promise, quantity: 'memory_highest', within: 1 },
    { ...promise, quantity: 'duration', above: 1 },
  ]);
  const { outcome } = await api.store.db.actionPlans.get(world.plan.uuid);
  const other = '11111111-1111-4111-8111-111111111111';
  const measurement = { state: 'NOT_ATTRIBUTABLE', reason: null, overlaps: [other] };
  await api.store.db.actionPlans.update(world.plan.uuid, { outcome: { ...outcome, measurement } });
  const [overlapped] = (await api.get('/internal/trends?weeks=3', headers)).json().plans;
  expect(overlapped).toMatchObject({
    measurement,
    deviation: { before: 0.25, achieved: null },
    hosts_empty: { achieved: null },
  });
  const refused = await api.get('/internal/trends?weeks=105', headers);
  expect(fault(refused)).toMatchObject({ status: 400, text: expect.stringContaining('weeks') });
});

it('needs the rules of actions and plans, and none of the internal surface', async () => {
  const reader = await useTestApi({
    policy: createPolicy({ 'action:get_all': 'role:reader', 'action_plan:get_all': 'role:reader' }),
  });
  const asReader = { ...headers, 'X-Roles': 'reader' };
  for (const path of ['moves', 'trends']) {
    expect((await reader.get(`/internal/${path}`, asReader)).statusCode, path).toBe(200);
    expect((await reader.get(`/internal/${path}`, { ...headers, 'X-Roles': 'member' })).statusCode, path).toBe(403);
  }
});

it('plan ends have the result of every plan that ran or was given up, newest first', async () => {
  const insert = (row: object) => insertActionPlan(db, world.audit, world.strategy, () => row);
  const cancelled = await insert({ state: 'CANCELLED', statusMessage: 'cancelled by alice' });
  await add({ ...migrate, inputParameters: move(one, 'a', 'b'), ...at(3) }, cancelled);
  // Neither changed anything: one has no actions, one was never started.
  await insert({ state: 'SUCCEEDED' });
  await insert({ state: 'SUPERSEDED' });
  const { plans } = (await api.get('/internal/plan-ends', headers)).json();
  expect(plans.map(({ state }: { state: string }) => state)).toEqual(['FAILED', 'SUCCEEDED', 'CANCELLED']);
  expect(plans[2]).toEqual({
    ...{ uuid: cancelled.uuid, state: 'CANCELLED', strategy_name: world.strategy.name },
    ...{ status_message: 'cancelled by alice', started_at: '2026-11-15T12:00:00+00:00' },
    ended_at: '2026-11-15T12:01:00+00:00',
  });
  expect(plans[0]).toMatchObject({ started_at: null, ended_at: expect.any(String) });
  expect((await api.get('/internal/plan-ends?days=2', headers)).json().plans).toHaveLength(2);
  expect(fault(await api.get('/internal/plan-ends?days=29', headers))).toMatchObject({ status: 400 });
});
