import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { fault, seedCatalogue, seedPlan, useTestApi } from '../testing/test-api.ts';

const api = await useTestApi();
const seed = await seedCatalogue(api.store);

it('a restore resets every client of the stream, and plans on hold can be started or cancelled', async () => {
  const { db, lineage, changes } = api.store;
  const seeded = await Promise.all([1, 2, 3].map(() => seedPlan(api.store, seed)));
  const plans = seeded.map(({ plan }) => plan.uuid);
  for (const uuid of plans) await db.actionPlans.transition(uuid, 'start');
  await lineage.check();
  const { id } = (await api.send('POST', '/v1/watchers', { kinds: ['goal'] })).json<{ id: string }>();
  await api.get(`/v1/watchers/${id}/next?timeout=0`);
  const { epoch, newest } = await changes.bounds();
  await lineage.declareRestored();

  expect(fault(await api.get(`/v1/watch?since=${epoch}:${newest}`))).toMatchObject({
    status: 410,
    text: /^resync_required/,
  });
  // As soon as this process has polled the log again.
  await expect
    .poll(async () => (await api.get(`/v1/watchers/${id}/next?timeout=0`)).statusCode, { timeout: 60_000 })
    .toBe(410);

  const [first = '', second = '', third = ''] = plans;
  expect((await api.get(`/v1/action_plans/${first}`)).json()).toMatchObject({ state: 'SUSPENDED' });
  expect(fault(await api.send('DELETE', `/v1/action_plans/${first}`))).toMatchObject({ status: 400 });
  expect((await api.send('POST', `/v1/action_plans/${first}/start`, {})).json()).toMatchObject({ state: 'PENDING' });
  const set = (uuid: string, value: string) =>
    api.send('PATCH', `/v1/action_plans/${uuid}`, [{ op: 'replace', path: '/state', value }]);
  expect((await set(second, 'CANCELLING')).json()).toMatchObject({ state: 'CANCELLING' });
  expect((await api.send('POST', `/v1/action_plans/${third}/abort`, {})).json()).toMatchObject({ state: 'CANCELLING' });
  expect(fault(await api.send('POST', `/v1/action_plans/${randomUUID()}/start`, {}))).toMatchObject({ status: 404 });
});
