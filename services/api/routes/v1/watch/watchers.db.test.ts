import { expect, it } from 'vitest';
import { newUuid } from '#libs/service-kit';
import { fault, seedCatalogue, seedPlan, type TestApi, useTestApi } from '../../../testing/test-api.ts';
import { observeWaiting } from '../../../testing/watch-client.ts';

/** Time that a client without events waits. */
const longPollMs = 60_000;

const api = await useTestApi({ watch: { perUser: 3 } });
const second = await useTestApi({}, api.databaseUrl);
const seed = await seedCatalogue(api.store);

async function create(body: object, user: string): Promise<string> {
  const response = await api.send('POST', '/v1/watchers', body, { 'X-User-Id': user });
  expect(response.json()).toEqual({ id: expect.any(String), epoch: 1, revno: null });
  return response.json().id;
}

const next = (on: TestApi, id: string, user: string, timeout = longPollMs / 1000) =>
  on.get(`/v1/watchers/${id}/next?timeout=${timeout}`, { 'X-User-Id': user });

it('returns the full state first, then changes, at any process', async () => {
  const { plan } = await seedPlan(api.store, seed);
  const id = await create({ kinds: ['action_plan'] }, 'a');
  const first = (await next(api, id, 'a')).json();
  expect(first).toMatchObject({ epoch: 1, more: false, deltas: [['action_plan', 'change', { uuid: plan.uuid }]] });
  const quiet = (await next(second, id, 'a', 0)).json();
  expect(quiet).toEqual({ epoch: 1, revno: first.revno, deltas: [], more: false });
  const isWaiting = observeWaiting(second, id);
  const waiting = next(second, id, 'a');
  await isWaiting();
  await api.store.db.actionPlans.transition(plan.uuid, 'start');
  const { deltas, revno } = (await waiting).json();
  expect(deltas).toMatchObject([['action_plan', 'change', { uuid: plan.uuid, state: 'PENDING' }]]);
  expect(revno).toBeGreaterThan(first.revno);
  await api.store.db.actionPlans.softDelete(plan.uuid);
  expect((await next(api, id, 'a')).json().deltas).toMatchObject([['action_plan', 'remove', { uuid: plan.uuid }]]);
});

it('returns an empty state immediately', async () => {
  const id = await create({ uuids: ['00000000-0000-4000-8000-000000000000'] }, 'b');
  const startedAt = performance.now();
  expect((await next(api, id, 'b')).json()).toMatchObject({ deltas: [], more: false });
  expect(performance.now() - startedAt).toBeLessThan(longPollMs / 2);
});

it('pages a large state and large changes, without losing changes between the pages', async () => {
  const { plan } = await seedPlan(api.store, seed, { actions: 0 });
  const uuids = Array.from({ length: 1200 }, newUuid);
  await api.store.db.actions.insertMany(
    uuids.map((uuid) => ({ uuid, actionPlanId: plan.id, actionType: 'nop', inputParameters: {} })),
  );
  const id = await create({ kinds: ['action'] }, 'c');
  const known = new Set<string>();
  const take = async () => {
    const { deltas, more } = (await next(api, id, 'c', 0)).json();
    expect(deltas.length).toBeLessThanOrEqual(1000);
    for (const [, what, { uuid }] of deltas) what === 'change' ? known.add(uuid) : known.delete(uuid);
    return more;
  };
  expect(await take()).toBe(true);
  const [early = '', late = ''] = [uuids[0], uuids.at(-1)];
  await api.store.db.actions.softDelete(early);
  await api.store.db.actions.softDelete(late);
  while (await take());
  expect(uuids.filter((uuid) => known.has(uuid)).length).toBe(1198);
  expect(known.has(early) || known.has(late)).toBe(false);
});

it('a stop ends waiting requests early with 410, also at another process', async () => {
  const id = await create({ kinds: ['goal'] }, 'd');
  await next(api, id, 'd');
  const isWaiting = observeWaiting(second, id);
  const waiting = next(second, id, 'd');
  await isWaiting();
  const stop = () => api.send('DELETE', `/v1/watchers/${id}`, undefined, { 'X-User-Id': 'd' });
  expect((await stop()).statusCode).toBe(204);
  expect(fault(await waiting)).toMatchObject({ status: 410, text: /^watcher_stopped/ });
  expect((await stop()).statusCode).toBe(204);
  expect(fault(await next(api, id, 'd'))).toMatchObject({ status: 410 });
});

it('belongs to its user, with a limited number per user', async () => {
  const id = await create({}, 'e');
  expect(fault(await next(api, id, 'f'))).toMatchObject({ status: 404 });
  await create({}, 'e');
  await create({}, 'e');
  const refused = await api.send('POST', '/v1/watchers', {}, { 'X-User-Id': 'e' });
  expect(fault(refused)).toMatchObject({ status: 429, text: /^too_many_watchers/ });
});

it('keeps old changes for watchers that still poll, and returns 410 resync_required when there are too many', async () => {
  const id = await create({ kinds: ['goal'] }, 'g');
  await next(second, id, 'g', 0);
  await seedPlan(api.store, seed);
  await api.store.changes.prune(0);
  // Processes that have nothing in memory.
  const fresh = await useTestApi({}, api.databaseUrl);
  const other = await useTestApi({}, api.databaseUrl);
  expect((await next(fresh, id, 'g', 0)).json()).toMatchObject({ deltas: [], more: false });
  await seedPlan(api.store, seed);
  await api.store.changes.prune(0, 0);
  expect(fault(await next(other, id, 'g', 0))).toMatchObject({ status: 410, text: /^resync_required/ });
});
