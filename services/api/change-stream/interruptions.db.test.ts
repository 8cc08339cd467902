import { beforeEach, expect, it } from 'vitest';
import { newUuid } from '#libs/service-kit';
import { createPolicy } from '../auth/policy.ts';
import { fault, seedCatalogue, type TestApi, useTestApi } from '../testing/test-api.ts';
import { type Followed, follow, observeWaiting } from '../testing/watch-client.ts';

let api: TestApi;
let refused: string | null;
const rules = createPolicy();

beforeEach(async () => {
  refused = null;
  api = await useTestApi({
    policy: { ...rules, allows: (rule, caller) => rule !== refused && rules.allows(rule, caller) },
  });
  await seedCatalogue(api.store);
});

const listen = (port = 0) => api.app.listen({ host: '127.0.0.1', port });

async function addGoal(): Promise<string> {
  const uuid = newUuid();
  // Writes directly, because the store of the API may be unavailable.
  await api.sql.query(
    `INSERT INTO goals (uuid, name, display_name, efficacy_specification) VALUES ($1::uuid, $1::text, 'later', '[]')`,
    [uuid],
  );
  return uuid;
}

/** Number of events per goal. */
function eventsPerGoal({ events }: Followed, uuids: readonly string[]): number[] {
  const deltas = events.flatMap((event) => event.deltas);
  return uuids.map((uuid) => deltas.filter(([, , entity]) => 'uuid' in entity && entity.uuid === uuid).length);
}

it('a client of the SDK loses nothing and sees nothing twice when the process is killed and restarts', async () => {
  const url = await listen();
  const states: string[] = [];
  const followed = follow(url, { kinds: ['goal'], onConnection: (state) => states.push(state) });
  await followed.until(() => followed.events.length > 0);
  const goals = [await addGoal()];
  await followed.until(() => eventsPerGoal(followed, goals)[0] === 1);
  goals.push(await addGoal());
  api.app.server.closeAllConnections();
  await api.app.close();
  goals.push(await addGoal(), await addGoal());
  await followed.until(() => states.includes('reconnecting'));
  const { store } = api;
  api = await useTestApi({}, api.databaseUrl);
  await store.close();
  await listen(Number(new URL(url).port));
  goals.push(await addGoal());
  await followed.until(() => eventsPerGoal(followed, goals).every((count) => count > 0));
  expect(eventsPerGoal(followed, goals)).toEqual([1, 1, 1, 1, 1]);
  expect(followed.events.filter(({ begins }) => begins)).toHaveLength(1);
  await followed.stop();
});

it('a failure of the stream is stream_reset: writers and clients continue', async () => {
  const url = await listen();
  const states: string[] = [];
  const followed = follow(url, {
    kinds: ['goal'],
    onConnection: (state, reason) => states.push(`${state} ${reason?.message ?? ''}`),
  });
  await followed.until(() => followed.events.length > 0);
  const { id } = (await api.send('POST', '/v1/watchers', { kinds: ['goal'] })).json();
  await api.get(`/v1/watchers/${id}/next`);
  const isWaiting = observeWaiting(api, id);
  const waiting = api.get(`/v1/watchers/${id}/next?timeout=20`);
  await isWaiting();
  await api.sql.query('ALTER TABLE change_log_head RENAME TO change_log_head_away');
  const goals = [await addGoal(), await addGoal()];
  expect(fault(await waiting)).toMatchObject({ status: 503, text: /^stream_reset/ });
  await followed.until(() => states.some((state) => /^reconnecting stream_reset/.test(state)));
  await api.sql.query('ALTER TABLE change_log_head_away RENAME TO change_log_head');
  goals.push(await addGoal());
  await followed.until(() => eventsPerGoal(followed, goals).every((count) => count > 0));
  expect(eventsPerGoal(followed, goals)).toEqual([1, 1, 1]);
  expect(followed.events.filter(({ begins }) => begins)).toHaveLength(1);
  const { deltas } = (await api.get(`/v1/watchers/${id}/next`)).json();
  expect(deltas.map(([, , { uuid }]: [string, string, { uuid: string }]) => uuid)).toEqual(goals);
  expect((await api.get('/metrics')).body).toMatch(/vigil_watch_resets_total\{code="stream_reset"[^}]*} 1/);
  await followed.stop();
});

it('a restarted log resets all clients to the full state', async () => {
  const url = await listen();
  const followed = follow(url, { kinds: ['goal'] });
  await followed.until(() => followed.events.length > 0);
  const { id } = (await api.send('POST', '/v1/watchers', { kinds: ['goal'] })).json();
  await api.get(`/v1/watchers/${id}/next`);
  await api.sql.query('UPDATE change_log_head SET epoch = epoch + 1');
  const goal = await addGoal();
  await followed.until(() => followed.events.filter(({ begins }) => begins).length === 2);
  await followed.until(() => followed.state.has(`goal ${goal}`));
  expect(followed.position()).toMatch(/^2:/);
  expect(fault(await api.get(`/v1/watchers/${id}/next?timeout=0`))).toMatchObject({ status: 410 });
  await followed.stop();
});

it('a stream omits kinds that the policy no longer allows, also from the next full state', async () => {
  const url = await listen();
  const followed = follow(url);
  await followed.until(() => [...followed.state.keys()].some((key) => key.startsWith('strategy ')));
  const { id } = (await api.send('POST', '/v1/watchers', {})).json();
  await api.get(`/v1/watchers/${id}/next`);
  refused = 'strategy:get';
  await api.sql.query(`UPDATE strategies SET display_name = 'secret'`);
  const goal = await addGoal();
  await followed.until(() => followed.state.has(`goal ${goal}`));
  expect([...followed.state.keys()].filter((key) => key.startsWith('strategy '))).toEqual([]);
  expect(JSON.stringify(followed.events)).not.toContain('secret');
  expect(fault(await api.get(`/v1/watchers/${id}/next`))).toMatchObject({ status: 410, text: /^resync_required/ });
  await followed.stop();
});
