import { afterAll, beforeAll, expect, it } from 'vitest';
import type { BaremetalSnapshot, ComputeSnapshot, StorageSnapshot } from '#libs/cluster-model';
import { systemClock } from '#libs/service-kit';
import { createStore, type Store } from '#libs/store';
import { createTestDatabase, silentLogger } from '#libs/testing';
import { createModelPublisher } from './publish-models.ts';

let store: Store;
let drop: () => Promise<void>;
beforeAll(async () => {
  const database = await createTestDatabase();
  store = await createStore({ url: database.url, logger: silentLogger });
  drop = database.drop;
});
afterAll(async () => {
  await store.close();
  await drop();
});

const picture = (takenAtMs: number, volumes: number) =>
  ({ takenAtMs, complete: true, gaps: [], pools: [], volumes: Array.from({ length: volumes }) }) as never;

/** A decision engine with models that the test sets. */
function engine(host: string) {
  const latest = { storage: null as StorageSnapshot | null, compute: null as ComputeSnapshot | null };
  const publish = createModelPublisher({
    store,
    history: { name: 'none', aggregate: async () => new Map() } as never,
    clock: systemClock,
    logger: silentLogger,
    host,
    models: {
      compute: { latest: () => latest.compute },
      storage: { latest: () => latest.storage },
      baremetal: { latest: () => null as BaremetalSnapshot | null },
    },
  });
  return { latest, publish };
}

const changes = async () => (await store.changes.read({ epoch: 1, revno: 0 }, 100)).map(({ kind, op }) => [kind, op]);

it('tells each new picture once; an older one of another engine does not replace it', async () => {
  const [one, two] = [engine('one'), engine('two')];
  await one.publish();
  expect(await store.db.publishedStates.list('data_model')).toEqual([]);
  one.latest.storage = picture(2000, 3);
  await one.publish();
  await one.publish();
  expect(await changes()).toEqual([['data_model', 'create']]);
  two.latest.storage = picture(1000, 1);
  await two.publish();
  expect(await store.db.publishedStates.list('data_model')).toMatchObject([
    {
      name: 'storage',
      doc: { hostname: 'one', counts: { pools: 0, volumes: 3 }, taken_at: '1970-01-01T00:00:02.000Z' },
    },
  ]);
  two.latest.storage = picture(3000, 4);
  await two.publish();
  expect(await changes()).toEqual([
    ['data_model', 'create'],
    ['data_model', 'update'],
  ]);
});
