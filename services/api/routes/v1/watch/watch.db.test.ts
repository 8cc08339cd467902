import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createVigilClient, type Delta, type WatchEvent, type WatchOptions } from '#libs/client';
import { createTestDatabase } from '#libs/testing';
import { at, type Seed, seedCatalogue, seedPlan, startTestApi, type TestApi } from '../../../testing/test-api.ts';

let api: TestApi;
let second: TestApi;
let seed: Seed;
let urls: [string, string];

beforeAll(async () => {
  const database = await createTestDatabase();
  api = await startTestApi(database, { watch: { perUser: 20 } });
  second = await startTestApi({ ...database, drop: async () => undefined });
  seed = await seedCatalogue(api.store);
  const listen = (test: TestApi) => test.app.listen({ host: '127.0.0.1', port: 0 });
  urls = [await listen(api), await listen(second)];
});
afterAll(async () => {
  await second.close();
  await api.close();
});

/** Follows with the client; `state` has what it has told by uuid. */
function follow(options: WatchOptions = {}, url = urls[0]) {
  const ending = new AbortController();
  const events: WatchEvent[] = [];
  const state = new Map<string, Record<string, unknown>>();
  const running = (async () => {
    const client = createVigilClient({ url });
    for await (const event of client.watch({ ...options, signal: ending.signal })) {
      if (event.begins) state.clear();
      for (const delta of event.deltas) apply(state, delta);
      events.push(event);
    }
  })();
  return {
    events,
    state,
    async until(isThere: () => boolean) {
      const deadline = performance.now() + 10_000;
      while (!isThere()) {
        if (performance.now() > deadline) throw new Error(`not seen: ${JSON.stringify(events).slice(0, 2000)}`);
        await sleep(10);
      }
    },
    position: () => events.findLast(({ position }) => position !== null)?.position ?? '',
    async stop() {
      ending.abort();
      await running;
    },
  };
}

function apply(state: Map<string, Record<string, unknown>>, [kind, what, entity]: Delta): void {
  const key = `${kind} ${'uuid' in entity ? entity.uuid : 'id' in entity ? entity.id : ''}`;
  if (what === 'change') state.set(key, entity as Record<string, unknown>);
  else state.delete(key);
}

it('tells the full state, then changes, as GET shows them', async () => {
  const { audit, plan, actions } = await seedPlan(api.store, seed);
  const followed = follow();
  await followed.until(() => followed.events.length > 0);
  expect(followed.events[0]).toMatchObject({ type: 'snapshot', begins: true, isComplete: true });
  expect(followed.state.get(`action_plan ${plan.uuid}`)).toEqual(
    JSON.parse((await api.get(`/v1/action_plans/${plan.uuid}`, { ...at(7), host: new URL(urls[0]).host })).body),
  );
  await api.store.db.actionPlans.transition(plan.uuid, 'start');
  await api.store.db.audits.softDelete(audit.uuid);
  await followed.until(() => !followed.state.has(`audit ${audit.uuid}`));
  const shown = await api.get(`/v1/action_plans/${plan.uuid}`, { ...at(7), host: new URL(urls[0]).host });
  expect(followed.state.get(`action_plan ${plan.uuid}`)).toEqual(shown.json());
  expect(shown.json()).toMatchObject({ state: 'PENDING', audit_uuid: null });
  expect(followed.state.has(`action ${actions[0]?.uuid}`)).toBe(true);
  await followed.stop();
});
