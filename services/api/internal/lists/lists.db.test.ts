import { describe, expect, it } from 'vitest';
import { internalVersion } from '#libs/client';
import { insertAction, insertActionPlan, insertPlanWorld } from '#tests';
import { fault, useTestApi } from '../../testing/test-api.ts';

const headers = { 'X-Vigil-Internal-Version': internalVersion };
const migrate = (place: number) => ({
  actionType: 'migrate',
  inputParameters: {
    resource_id: `00000000-0000-4000-8000-00000000000${place}`,
    migration_type: place === 3 ? 'cold' : 'live',
    source_node: 'a',
    destination_node: 'b',
  },
});
const use = (instances: number, memory: number) => ({
  instances,
  vcpus: instances,
  dedicatedCpus: 0,
  memory,
  disk: 0,
  enabled: true,
});
const size = (memory: number) => ({ vcpus: 1, dedicatedCpus: 0, memory, disk: 0, host: 'a' });

const api = await useTestApi();
const { db } = api.store;
const world = await insertPlanWorld(db, { actions: 0, plan: () => ({ state: 'ONGOING', paused: true, launchSeq: 1 }) });
for (const place of [1, 2, 3]) await insertAction(db, world.plan, () => ({ ...migrate(place), parents: [] }));
await insertAction(db, world.plan, () => ({ ...migrate(4), parents: [], state: 'SUCCEEDED' }));
const capacity = { vcpus: 10, dedicatedCpus: 0, memory: 10_240, disk: 100 };
await db.planHosts.insert(world.plan.id, {
  modelTakenAt: '2026-11-22T00:00:00Z',
  hosts: [
    { hostname: 'a', capacity, before: use(4, 4096), after: use(0, 0), instancesIn: 0, instancesOut: 4 },
    { hostname: 'b', capacity, before: use(1, 5120), after: use(5, 9216), instancesIn: 4, instancesOut: 0 },
    { hostname: 'c', capacity, before: use(1, 1024), after: use(0, 0), instancesIn: 0, instancesOut: 1 },
    { hostname: 'd', capacity, before: use(0, 0), after: use(1, 1024), instancesIn: 1, instancesOut: 0 },
  ],
  quantities: [
    {
      quantity: 'cpu_load',
      deviation: { before: 21, after: 6 },
      highestBefore: 92,
      fullest: { hostname: 'a', before: 92, after: 61 },
    },
    {
      quantity: 'memory',
      deviation: { before: 5, after: 45 },
      highestBefore: 50,
      fullest: { hostname: 'b', before: 50, after: 90.04 },
    },
    {
      quantity: 'vcpus',
      deviation: { before: 15, after: 15 },
      highestBefore: 50,
      fullest: { hostname: 'b', before: 10, after: 50 },
    },
  ],
  reserve: [{ domain: 'zone z1', change: 'gained' }],
  unplaced: { instances: 0, vcpus: 0, dedicatedCpus: 0, memory: 0, disk: 0 },
  moved: { one: size(1024), two: size(1024), three: size(1024), four: size(1024) },
});
await insertActionPlan(db, world.audit, world.strategy, () => ({ state: 'SUCCEEDED', launchSeq: 1 }));
await insertActionPlan(db, world.audit, world.strategy, () => ({ state: 'RECOMMENDED' }));

const plans = async (query: string) => (await api.get(`/internal/lists/action-plans${query}`, headers)).json();

describe('action plans', () => {
  it('have a headline: moves by kind, memory, freed hosts less hosts that it starts to use', async () => {
    const { plan, hosts } = (await api.get(`/internal/lists/action-plans/${world.plan.uuid}`, headers)).json();
    expect(plan).toMatchObject({
      uuid: world.plan.uuid,
      state: 'ONGOING',
      paused: true,
      audit_name: world.audit.name,
      total: 4,
      by_state: { PENDING: 3, SUCCEEDED: 1 },
      headline: {
        live_migrations: 3,
        cold_migrations: 1,
        volume_moves: 0,
        other_actions: 0,
        memory: 4096,
        hosts_freed: 1,
        started_by: null,
      },
    });
    expect(hosts).toEqual([
      {
        hostname: 'a',
        shares: { vcpus: { before: 40, after: 0 }, memory: { before: 40, after: 0 }, disk: { before: 0, after: 0 } },
      },
      {
        hostname: 'b',
        shares: { vcpus: { before: 10, after: 50 }, memory: { before: 50, after: 90 }, disk: { before: 0, after: 0 } },
      },
      {
        hostname: 'c',
        shares: { vcpus: { before: 10, after: 0 }, memory: { before: 10, after: 0 }, disk: { before: 0, after: 0 } },
      },
      {
        hostname: 'd',
        shares: { vcpus: { before: 0, after: 10 }, memory: { before: 0, after: 10 }, disk: { before: 0, after: 0 } },
      },
    ]);
  });

  it('list the quantities that they make worse and better, unknown of plans without stored hosts', async () => {
    const all = await plans('?sort=state&dir=asc');
    expect(all.plans.map((plan: { headline: object }) => plan.headline)).toMatchObject([
      {
        side_effects: [
          {
            quantity: 'memory',
            deviation: { before: 5, after: 45 },
            highest_before: 50,
            fullest: { hostname: 'b', before: 50, after: 90 },
          },
        ],
        improvements: [{ quantity: 'cpu_load', highest_before: 92, fullest: { hostname: 'a', before: 92, after: 61 } }],
        reserve_changes: [{ domain: 'zone z1', change: 'gained' }],
      },
      { side_effects: null, improvements: null, reserve_changes: null },
      { side_effects: null, improvements: null, reserve_changes: null },
    ]);
  });

  it('are filtered by state, also by those that only people know', async () => {
    expect(await plans('')).toMatchObject({ total: 3 });
    expect(await plans('?state=OPEN')).toMatchObject({ total: 2 });
    expect(await plans('?state=PAUSED')).toMatchObject({ total: 1, plans: [{ uuid: world.plan.uuid }] });
    expect(await plans('?state=ONGOING')).toMatchObject({ total: 0, plans: [] });
  });

  it('are searched, sorted and paged', async () => {
    expect(await plans(`?search=${world.plan.uuid.slice(0, 8)}`)).toMatchObject({ total: 1 });
    expect(await plans(`?search=${encodeURIComponent(world.audit.name.toUpperCase())}`)).toMatchObject({ total: 3 });
    const first = await plans('?sort=state&dir=asc&limit=2');
    const second = await plans('?sort=state&dir=asc&limit=2&page=2');
    expect([...first.plans, ...second.plans].map(({ state }) => state)).toEqual([
      'ONGOING',
      'RECOMMENDED',
      'SUCCEEDED',
    ]);
  });

  it('are sorted by urgency: those that wait for an operator first', async () => {
    const sorted = await plans('?sort=urgency');
    expect(sorted.plans.map(({ state, paused }: { state: string; paused: boolean }) => [state, paused])).toEqual([
      ['ONGOING', true],
      ['RECOMMENDED', false],
      ['SUCCEEDED', false],
    ]);
  });

  it('are sorted by their last change', async () => {
    await api.sql.query(`UPDATE action_plans SET updated_at = now() + interval '1 hour' WHERE state = 'SUCCEEDED'`);
    expect(await plans('?sort=updated&limit=1')).toMatchObject({ plans: [{ state: 'SUCCEEDED' }] });
  });

  it.each(['?sort=secret', '?dir=up', '?limit=0', '?page=0', '?nonsense=1'])('refuses %s', async (query) => {
    expect(fault(await api.get(`/internal/lists/action-plans${query}`, headers))).toMatchObject({ status: 400 });
  });
});

it('a full state of open entities has no ended plan, and no action that is not running', async () => {
  const make = async (filter: object) => (await api.send('POST', '/v1/watchers', filter)).json().id as string;
  const first = async (filter: object) => {
    const { deltas } = (await api.get(`/v1/watchers/${await make(filter)}/next`)).json();
    return (deltas as [string, string, { state: string }][]).map(([kind, , { state }]) => `${kind} ${state}`).sort();
  };
  const kinds = ['action_plan', 'action'];
  expect(await first({ kinds, open: true })).toEqual(['action_plan ONGOING', 'action_plan RECOMMENDED']);
  expect(await first({ kinds })).toHaveLength(7);
  expect(fault(await api.get('/v1/watch?open=maybe'))).toMatchObject({ status: 400 });
});

it('audits are searched and filtered', async () => {
  const list = async (query: string) => (await api.get(`/internal/lists/audits${query}`, headers)).json();
  expect(await list('?state=SUCCEEDED&type=ONESHOT')).toMatchObject({
    total: 1,
    audits: [{ uuid: world.audit.uuid, name: world.audit.name }],
  });
  expect(await list('?search=nothing-like-it')).toEqual({ total: 0, audits: [] });
  expect(await list(`?search=${world.audit.strategyName?.slice(1).toUpperCase()}`)).toMatchObject({ total: 1 });
  expect(await list(`?search=${world.audit.goalName.slice(1)}`)).toMatchObject({ total: 1 });
  for (const wildcard of ['%25', '_', '%5C'])
    expect(await list(`?search=${wildcard}`), wildcard).toEqual({ total: 0, audits: [] });
  expect(await list('?state=FAILED')).toEqual({ total: 0, audits: [] });
});

it('reads of the database have the position of the change stream up to which they include all changes', async () => {
  const positions = async () => {
    const reads = ['lists/audits', 'lists/action-plans', 'services', 'deployment'];
    const responses = await Promise.all(reads.map((path) => api.get(`/internal/${path}`, headers)));
    return responses.map((response) => response.headers['x-vigil-change']);
  };
  const four = (revision: number) => Array(4).fill(`${epoch}:${revision}`);
  const { id } = (await api.send('POST', '/v1/watchers', { kinds: ['audit'] })).json();
  const { epoch, revno } = (await api.get(`/v1/watchers/${id}/next`)).json();
  await expect.poll(positions).toEqual(four(revno));
  await db.audits.update(world.audit.uuid, { name: 'other-name' });
  await expect.poll(positions).toEqual(four(revno + 1));
});
