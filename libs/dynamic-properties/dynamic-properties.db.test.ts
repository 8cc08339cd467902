import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMetrics, systemClock } from '#libs/service-kit';
import { createStore, type Store } from '#libs/store';
import {
  createTcpProxy,
  createTestDatabase,
  insertPlanWorld,
  silentLogger,
  type TestDatabase,
  testServerUrl,
} from '#libs/testing';
import { createDynamicProperties, type DynamicProperties } from './create-dynamic-properties.ts';
import type { PropertyDeclaration } from './declaration.ts';
import { createMemcachedCache } from './memcached-cache.ts';
import type { ValueCache } from './value-cache.ts';

const memcachedUrl = testServerUrl('memcached');
let database: TestDatabase;
/** As many processes: each has a pool of its own. */
let stores: Store[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  stores = await Promise.all(
    [1, 2, 3].map(() => createStore({ url: database.url, logger: silentLogger, poolSize: 4 })),
  );
});
afterAll(async () => {
  await Promise.all(stores.map((store) => store.close()));
  await database.drop();
});

const base: Omit<PropertyDeclaration, 'load'> = {
  kind: 'server',
  name: 'host',
  description: 'test',
  schema: { type: ['string', 'null'] },
  ttlSeconds: 60,
  locked: true,
  staleWhileRevalidateSeconds: 0,
  timeoutSeconds: 5,
  backend: 'nova',
};

/** The same property as seen by some processes, with one loader that counts its calls. */
function share(
  load: (call: number, signal: AbortSignal) => unknown,
  change: Partial<PropertyDeclaration> = {},
  caches: (ValueCache | null)[] = [null, null, null],
) {
  let calls = 0;
  const declaration = { ...base, load: async (_id: string, signal: AbortSignal) => load(++calls, signal), ...change };
  const processes = stores.map((store, index) =>
    createDynamicProperties(
      {
        store: store.dynamicValues,
        cache: caches[index] ?? null,
        clock: systemClock,
        newUuid: randomUUID,
        logger: silentLogger,
        metrics: createMetrics('test'),
      },
      { declarations: [declaration], backends: { nova: { concurrency: 10, ratePerSecond: 1000 } } },
    ),
  );
  const id = randomUUID();
  const read = (process = 0) => (processes[process] as DynamicProperties).read(declaration.kind, id, declaration.name);
  return { id, processes, read, calls: () => calls };
}

function caches(): ValueCache[] {
  const deps = { logger: silentLogger, clock: systemClock, metrics: createMetrics('test') };
  return stores.map(() => createMemcachedCache(memcachedUrl, deps));
}

describe.each([
  ['the store', () => [null, null, null]],
  ['memcached', caches],
] as const)('with values in %s', (_where, makeCaches) => {
  test('100 readers on three processes cause one call of the loader, and all get its value', async () => {
    const shared = share(() => sleep(150, 'compute-1'), {}, [...makeCaches()]);
    const readings = await Promise.all(Array.from({ length: 100 }, (_, index) => shared.read(index % 3)));

    expect(new Set(readings.map(({ value }) => value))).toEqual(new Set(['compute-1']));
    expect(shared.calls()).toBe(1);
  });

  test('what one process has invalidated no other shows, even when it was being loaded', async () => {
    const shared = share((call) => sleep(call === 2 ? 200 : 0, `compute-${call}`), {}, [...makeCaches()]);
    await Promise.all([shared.read(0), shared.read(1), shared.read(2)]);
    await shared.processes[0]?.invalidate('server', shared.id, null);
    const underWay = shared.read(1);
    await sleep(80);
    await shared.processes[2]?.invalidate('server', shared.id, 'host');

    expect((await shared.read(0)).value).toBe('compute-3');
    expect((await underWay).value).toBe('compute-2');
    expect((await shared.read(1)).value).toBe('compute-3');
    expect(shared.calls()).toBe(3);
  });
});

test('null is a value; another type is an error', async () => {
  const nothing = share(() => null);
  await nothing.read();
  expect(await nothing.read()).toMatchObject({ value: null, stale: false, error: null });
  expect(nothing.calls()).toBe(1);

  const wrong = share(() => 42);
  expect(await wrong.read()).toMatchObject({ value: null, ageSeconds: null, error: { code: 'property_type' } });
});

test('a failure is kept for at most five seconds and shown beside the last good value', async () => {
  const shared = share(
    (call) => {
      if (call === 2) throw new Error('Nova is away');
      return `compute-${call}`;
    },
    { ttlSeconds: 1 },
  );
  await shared.read();
  await sleep(1050);
  const failed = await Promise.all([shared.read(0), shared.read(1), shared.read(2), shared.read(0)]);

  expect(failed.map(({ value, error }) => [value, error?.message])).toContainEqual(['compute-1', 'Nova is away']);
  const callsThen = shared.calls();
  await sleep(1100);
  expect(await shared.read()).toMatchObject({ value: `compute-${callsThen + 1}`, error: null });
});

test('with a time to live of zero every read loads', async () => {
  const shared = share((call) => `compute-${call}`, { ttlSeconds: 0, locked: false });
  expect((await shared.read()).value).toBe('compute-1');
  expect((await shared.read()).value).toBe('compute-2');
});

test('a stale value is shown at once while one process loads it anew', async () => {
  const shared = share((call) => sleep(call === 1 ? 0 : 100, `compute-${call}`), {
    ttlSeconds: 0.2,
    staleWhileRevalidateSeconds: 60,
  });
  await shared.read();
  await sleep(250);
  const readings = await Promise.all(Array.from({ length: 30 }, (_, index) => shared.read(index % 3)));

  expect(readings.every(({ value, stale }) => value === 'compute-1' && stale)).toBe(true);
  await sleep(180);
  expect(shared.calls()).toBe(2);
});

test('readers wait no longer than the limit: then the last value, or PropertyLateError without one', async () => {
  const shared = share((call, signal) => (call === 1 ? 'compute-1' : sleep(10_000, 'late', { signal })), {
    ttlSeconds: 0.1,
    timeoutSeconds: 1,
  });
  await shared.read();
  await sleep(150);
  const begun = Date.now();
  expect(await shared.read()).toMatchObject({ value: 'compute-1', stale: true, error: { code: 'property_late' } });
  expect(Date.now() - begun).toBeLessThan(1500);

  const never = share(() => 'never', { timeoutSeconds: 1 });
  await stores[0]?.dynamicValues.lock({ kind: 'server', id: never.id, name: 'host' }, randomUUID(), 60);
  await expect(never.read()).rejects.toMatchObject({ code: 'property_late' });
});

test('the lock of a process that died ends by itself', async () => {
  const shared = share(() => 'compute-1');
  await stores[1]?.dynamicValues.lock({ kind: 'server', id: shared.id, name: 'host' }, randomUUID(), 0.3);
  expect((await shared.read()).value).toBe('compute-1');
});

test('a change of an action makes what is known of its plan outdated with the commit, and not before', async () => {
  const [store] = stores as [Store, ...Store[]];
  const { plan, actions } = await insertPlanWorld(store.db);
  let state = 'before';
  const declaration = {
    ...base,
    kind: 'action_plan',
    name: 'progress',
    load: async () => state,
  };
  const [one, two] = stores.map(({ dynamicValues }) =>
    createDynamicProperties(
      {
        store: dynamicValues,
        cache: null,
        clock: systemClock,
        newUuid: randomUUID,
        logger: silentLogger,
        metrics: createMetrics('test'),
      },
      { declarations: [declaration], backends: { nova: { concurrency: 1, ratePerSecond: 1000 } } },
    ),
  ) as [DynamicProperties, DynamicProperties];
  const read = (properties: DynamicProperties) => properties.read('action_plan', plan.uuid, 'progress');
  await read(two);
  state = 'after';
  await store.transaction(async (unit) => {
    await unit.actions.transition(actions[0]?.uuid ?? '', 'begin');
    expect((await read(two)).value).toBe('before');
  });
  expect((await read(one)).value).toBe('after');
  expect((await read(two)).value).toBe('after');
});

test('memcached may be away, hung or forget: readers are still answered', async () => {
  const proxy = await createTcpProxy({ host: '127.0.0.1', port: Number(new URL(memcachedUrl).port) });
  const deps = { logger: silentLogger, clock: systemClock, metrics: createMetrics('test') };
  const cache = createMemcachedCache(`memcached://127.0.0.1:${proxy.port}`, deps);
  const lossy: ValueCache = { get: async () => null, set: async () => true, close: () => undefined };
  const gone = createMemcachedCache('memcached://127.0.0.1:1', deps);
  try {
    const shared = share((call) => `compute-${call}`, {}, [cache, gone, lossy]);
    expect((await shared.read(0)).value).toBe('compute-1');
    proxy.freeze();
    const begun = Date.now();
    expect((await shared.read(1)).value).toBe('compute-2');
    expect((await shared.read(0)).value).toBe('compute-2');
    await shared.processes[2]?.invalidate('server', shared.id, null);
    expect((await shared.read(2)).value).toBe('compute-3');
    expect((await shared.read(0)).value).toBe('compute-4');
    expect(Date.now() - begun).toBeLessThan(3000);
  } finally {
    cache.close();
    gone.close();
    await proxy.close();
  }
});

test('entries and invalidations that nobody needs are pruned', async () => {
  const shared = share(() => 'compute-1');
  await shared.read();
  await shared.processes[0]?.invalidate('server', shared.id, null);
  expect(await stores[0]?.dynamicValues.prune(3600)).toBe(0);
  expect(await stores[0]?.dynamicValues.prune(0)).toBeGreaterThanOrEqual(2);
  expect((await shared.read()).value).toBe('compute-1');
});
