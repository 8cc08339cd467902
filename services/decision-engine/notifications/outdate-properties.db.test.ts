import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { type JsonObject, silentLogger } from '#libs/domain';
import { createDynamicProperties } from '#libs/dynamic-properties';
import { createMetrics, systemClock } from '#libs/service-kit';
import { useStore } from '#tests';
import { createPropertyOutdater } from './outdate-properties.ts';

const { store, sql } = await useStore();
const outdater = createPropertyOutdater({ store, logger: silentLogger });

const kept = {
  description: 'Calls of the loader.',
  schema: { type: 'integer' },
  ttlSeconds: 600,
  staleWhileRevalidateSeconds: 0,
  locked: true,
  timeoutSeconds: 60,
  backend: 'nova',
};

/** Properties of servers and hosts that stay fresh for ten minutes. Each load returns another number. */
function countLoads() {
  let calls = 0;
  const load = async () => ++calls;
  return createDynamicProperties(
    {
      store: store.dynamicValues,
      cache: null,
      clock: systemClock,
      newUuid: randomUUID,
      logger: silentLogger,
      metrics: createMetrics('test'),
    },
    {
      declarations: ['server', 'host'].map((kind) => ({ ...kept, kind, name: 'state', load })),
      backends: { nova: { concurrency: 4, ratePerSecond: 1000 } },
    },
  );
}

const eventOf = (eventType: string, payload: JsonObject): JsonObject => ({
  event_type: eventType,
  payload: { 'nova_object.data': payload },
});
const invalidations = async () => (await sql.query('SELECT kind, entity_id FROM dynamic_invalidations')).rows;

test('a notification of Nova invalidates the cached properties of its server or host', async () => {
  const properties = countLoads();
  const [server, host] = [randomUUID(), `compute-${randomUUID()}`];
  const read = async () => [
    (await properties.read('server', server, 'state')).value,
    (await properties.read('host', host, 'state')).value,
  ];
  expect(await read()).toEqual([1, 2]);
  expect(await read()).toEqual([1, 2]);
  outdater.onNotification(eventOf('instance.live_migration_post.end', { uuid: server }));
  await outdater.stop();
  expect(await read()).toEqual([3, 2]);
  outdater.onNotification(eventOf('service.update', { binary: 'nova-compute', host }));
  await outdater.stop();
  expect(await read()).toEqual([3, 4]);
});

test('notifications of entities that no process reads, and foreign messages, store nothing', async () => {
  const before = await invalidations();
  outdater.onNotification(eventOf('instance.update', { uuid: randomUUID() }));
  outdater.onNotification(eventOf('service.update', { binary: 'nova-conductor', host: 'controller' }));
  outdater.onNotification(eventOf('aggregate.create.end', { uuid: randomUUID() }));
  outdater.onNotification({ event_type: 'compute.instance.update', payload: { uuid: 'unversioned' } });
  await outdater.stop();
  expect(await invalidations()).toEqual(before);
});

test('many notifications of one server cause one invalidation', async () => {
  const server = randomUUID();
  await countLoads().read('server', server, 'state');
  for (let count = 0; count < 50; count += 1) outdater.onNotification(eventOf('instance.update', { uuid: server }));
  await outdater.stop();
  const own = (await invalidations()).filter(({ entity_id: id }) => id === server);
  expect(own).toEqual([{ kind: 'server', entity_id: server }]);
});

test('a database that is unavailable does not stop the notifications', async () => {
  const refusing = {
    dynamicValues: { ...store.dynamicValues, invalidateKept: () => Promise.reject(new Error('down')) },
  };
  const unlucky = createPropertyOutdater({ store: refusing, logger: silentLogger });
  unlucky.onNotification(eventOf('instance.update', { uuid: randomUUID() }));
  await expect(unlucky.stop()).resolves.toBeUndefined();
});
