// @needs memcached
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { silentLogger } from '#libs/domain';
import { createMetrics, systemClock } from '#libs/service-kit';
import type { Store } from '#libs/store';
import { connectStore, createTcpProxy, insertPlanWorld, testServerUrl, useDatabase } from '#tests';
import { createDynamicProperties, type DynamicProperties } from './create-dynamic-properties.ts';
import type { PropertyDeclaration } from './declaration.ts';
import { createMemcachedCache } from './memcached-cache.ts';
import type { ValueCache } from './value-store.ts';

const memcachedUrl = testServerUrl('memcached');
/** As many processes: each has its own pool. */
const { url: databaseUrl, sql } = await useDatabase();
const stores = await Promise.all([1, 2, 3].map(() => connectStore(databaseUrl, { poolSize: 4 })));

const base: Omit<PropertyDeclaration, 'load'> = {
  kind: 'server',
  name: 'host',
  description: 'test',
  schema: { type: ['string', 'null'] },
  ttlSeconds: 600,
  locked: true,
  staleWhileRevalidateSeconds: 0,
  timeoutSeconds: 60,
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
  const deps = { logger: silentLogger, clock: systemClock, metrics: createMetrics('test'), timeoutSeconds: 60 };
  return stores.map(() => createMemcachedCache(memcachedUrl, deps));
}

/** A promise that the test keeps when it likes. */
function promised() {
  let keep: () => void = () => undefined;
  const kept = new Promise<void>((resolve) => {
    keep = resolve;
  });
  return { kept, keep };
}

/** Ten minutes have passed for a cached property: its value has its highest age, and no failure counts. */
async function age(id: string): Promise<void> {
  const tenMinutes = `interval '${base.ttlSeconds} seconds'`;
  await sql.query(
    `UPDATE dynamic_values SET expires_at = expires_at - ${tenMinutes}, stale_until = stale_until - ${tenMinutes},
       error_until = error_until - ${tenMinutes} WHERE entity_id = $1`,
    [id],
  );
}

describe.each([
  ['the store', () => [null, null, null]],
  ['memcached', caches],
] as const)('with values in %s', (_where, makeCaches) => {
  test('100 readers on three processes cause one call of the loader, and all get its value', async () => {
    const loading = promised();
    const load = async () => {
      await loading.kept;
      return 'compute-1';
    };
    const shared = share(load, {}, [...makeCaches()]);
    const reading = Promise.all(Array.from({ length: 100 }, (_, index) => shared.read(index % 3)));
    await expect.poll(shared.calls).toBe(1);
    loading.keep();
    const readings = await reading;

    expect(new Set(readings.map(({ value }) => value))).toEqual(new Set(['compute-1']));
    expect(shared.calls()).toBe(1);
  });

  test('no process shows a value that another has invalidated, even during its load', async () => {
    const second = promised();
    const load = async (call: number) => {
      if (call === 2) await second.kept;
      return `compute-${call}`;
    };
    const shared = share(load, {}, [...makeCaches()]);
    await Promise.all([shared.read(0), shared.read(1), shared.read(2)]);
    await shared.processes[0]?.invalidate('server', shared.id, null);
    const underWay = shared.read(1);
    await expect.poll(shared.calls).toBe(2);
    await shared.processes[2]?.invalidate('server', shared.id, 'host');
    const after = shared.read(0);
    second.keep();

    expect((await after).value).toBe('compute-3');
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
  let isAway = false;
  const shared = share(() => {
    if (isAway) throw new Error('Nova is unavailable');
    return 'compute-1';
  });
  await shared.read();
  isAway = true;
  await age(shared.id);
  const failed = { value: 'compute-1', stale: true, error: { message: 'Nova is unavailable' } };
  const readings = await Promise.all([shared.read(0), shared.read(1), shared.read(2), shared.read(0)]);
  for (const reading of readings) expect(reading).toMatchObject(failed);
  const { rows } = await sql.query(
    'SELECT extract(epoch FROM error_until - now())::float8 AS left FROM dynamic_values WHERE entity_id = $1',
    [shared.id],
  );
  expect(rows[0].left).toBeLessThanOrEqual(5);

  await sql.query(`UPDATE dynamic_values SET error_until = now() + interval '1 hour' WHERE entity_id = $1`, [
    shared.id,
  ]);
  const before = shared.calls();
  isAway = false;
  expect(await shared.read(2)).toMatchObject(failed);
  expect(shared.calls()).toBe(before);
  await sql.query('UPDATE dynamic_values SET error_until = now() WHERE entity_id = $1', [shared.id]);
  expect(await shared.read()).toMatchObject({ value: 'compute-1', stale: false, error: null });
  expect(shared.calls()).toBe(before + 1);
});

test('with a time to live of zero every read loads', async () => {
  const shared = share((call) => `compute-${call}`, { ttlSeconds: 0, locked: false });
  expect((await shared.read()).value).toBe('compute-1');
  expect((await shared.read()).value).toBe('compute-2');
});

test('a stale value is shown at once while one process loads it anew', async () => {
  const second = promised();
  const load = async (call: number) => {
    if (call === 2) await second.kept;
    return `compute-${call}`;
  };
  const shared = share(load, { staleWhileRevalidateSeconds: 600 });
  await shared.read();
  await age(shared.id);
  const readings = await Promise.all(Array.from({ length: 30 }, (_, index) => shared.read(index % 3)));

  expect(readings.every(({ value, stale }) => value === 'compute-1' && stale)).toBe(true);
  second.keep();
  await expect.poll(() => shared.read()).toMatchObject({ value: 'compute-2', stale: false });
  expect(shared.calls()).toBe(2);
});

test('readers wait no longer than the limit: then the last value, or PropertyLateError without one', async () => {
  let isHanging = false;
  const shared = share((_call, signal) => (isHanging ? sleep(3_600_000, 'late', { signal }) : 'compute-1'), {
    timeoutSeconds: 1,
  });
  // With a limit this short a busy machine may need several tries.
  const value = () =>
    shared.read().then(
      (reading) => reading.value,
      () => null,
    );
  await expect.poll(value).toBe('compute-1');
  isHanging = true;
  await age(shared.id);
  expect(await shared.read()).toMatchObject({ value: 'compute-1', stale: true, error: { code: 'property_late' } });

  const never = share(() => 'never', { timeoutSeconds: 1 });
  await stores[0]?.dynamicValues.lock({ kind: 'server', id: never.id, name: 'host' }, randomUUID(), 3600);
  await expect(never.read()).rejects.toMatchObject({ code: 'property_late' });
});

test('the lock of a process that died ends automatically', async () => {
  const shared = share(() => 'compute-1');
  await stores[1]?.dynamicValues.lock({ kind: 'server', id: shared.id, name: 'host' }, randomUUID(), 0.3);
  expect((await shared.read()).value).toBe('compute-1');
});

test('a change of an action makes the cached values of its plan outdated with the commit, and not before', async () => {
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

test('readers get their values while memcached is unavailable, hangs or forgets', async () => {
  const proxy = await createTcpProxy({ host: '127.0.0.1', port: Number(new URL(memcachedUrl).port) });
  const deps = { logger: silentLogger, clock: systemClock, metrics: createMetrics('test') };
  const url = `memcached://127.0.0.1:${proxy.port}`;
  const [patient, hasty] = [60, 0.25].map((timeoutSeconds) =>
    createMemcachedCache(url, { ...deps, timeoutSeconds }),
  ) as [ValueCache, ValueCache];
  let one = patient;
  const cache: ValueCache = { ...hasty, get: (id) => one.get(id), set: (...value) => one.set(...value) };
  const lossy: ValueCache = { get: async () => null, set: async () => true, close: () => undefined };
  const gone = createMemcachedCache('memcached://127.0.0.1:1', deps);
  try {
    const shared = share((call) => `compute-${call}`, {}, [cache, gone, lossy]);
    expect((await shared.read(0)).value).toBe('compute-1');
    proxy.freeze();
    one = hasty;
    expect((await shared.read(1)).value).toBe('compute-2');
    expect((await shared.read(0)).value).toBe('compute-2');
    await shared.processes[2]?.invalidate('server', shared.id, null);
    expect((await shared.read(2)).value).toBe('compute-3');
    expect((await shared.read(0)).value).toBe('compute-4');
  } finally {
    patient.close();
    hasty.close();
    gone.close();
    await proxy.close();
  }
});

test('unneeded entries and invalidations are pruned', async () => {
  const shared = share(() => 'compute-1');
  await shared.read();
  await shared.processes[0]?.invalidate('server', shared.id, null);
  expect(await stores[0]?.dynamicValues.prune(3600)).toBe(0);
  expect(await stores[0]?.dynamicValues.prune(0)).toBeGreaterThanOrEqual(2);
  expect((await shared.read()).value).toBe('compute-1');
});

test('invalidations of entities that no property was read of are pruned after minutes', async () => {
  const shared = share(() => 'compute-1');
  await shared.read();
  const other = randomUUID();
  await shared.processes[0]?.invalidate('server', shared.id, null);
  await shared.processes[0]?.invalidate('server', other, null);
  const left = async () =>
    (
      await sql.query(
        'SELECT entity_id AS id FROM dynamic_invalidations WHERE entity_id = ANY($1) ORDER BY dynamic_invalidations.id',
        [[shared.id, other]],
      )
    ).rows.map((row: { id: string }) => row.id);
  await stores[0]?.dynamicValues.prune(3600);
  expect(await left()).toEqual([shared.id, other]);
  await sql.query(`UPDATE dynamic_invalidations SET at = now() - interval '4 minutes'`);
  await stores[0]?.dynamicValues.prune(3600);
  expect(await left()).toEqual([shared.id]);
});
