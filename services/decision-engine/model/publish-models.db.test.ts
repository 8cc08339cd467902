import { expect, it } from 'vitest';
import type { BaremetalSnapshot, ComputeSnapshot, StorageSnapshot } from '#libs/cluster-model';
import { type Clock, silentLogger } from '#libs/domain';
import type { HistoryReader } from '#libs/history';
import { createTestWorld } from '#libs/plugin-kit/testing';
import { systemClock } from '#libs/service-kit';
import { useStore } from '#tests';
import { createModelPublisher } from './publish-models.ts';

const { store, sql } = await useStore();

const picture = (takenAtMs: number, volumes: number) =>
  ({ takenAtMs, complete: true, gaps: [], pools: [], volumes: Array.from({ length: volumes }) }) as never;

const silent = { name: 'none', aggregate: async () => new Map() } as never;

/** A decision engine with models that the test sets. */
function engine(
  host: string,
  { clock = systemClock, history = silent }: { clock?: Clock; history?: HistoryReader } = {},
) {
  const latest = { storage: null as StorageSnapshot | null, compute: null as ComputeSnapshot | null };
  const publish = createModelPublisher({
    store,
    history,
    clock,
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

it('publishes each new model once; an older one of another engine does not replace it', async () => {
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

it('publishes the spread of the load with the compute model, again every minute, by one of the decision engines', async () => {
  const start = Date.parse('2026-06-01T12:00:00Z');
  let now = start;
  let requested = 0;
  const cpu: Record<string, number> = { a: 60, b: 20 };
  const memoryKib: Record<string, number> = { a: 32 * 1024 * 1024, b: 16 * 1024 * 1024 };
  const history = {
    name: 'test',
    async aggregate({ metric }: { metric: string }) {
      requested += 1;
      return new Map(Object.entries(metric === 'host_cpu_usage' ? cpu : memoryKib));
    },
  } as never;
  const clock = { now: () => now };
  const [one, two] = [engine('one', { clock, history }), engine('two', { clock, history })];
  const hosts = ['a', 'b', 'c'].map((hostname) => ({ hostname, vcpus: 16, memory: 65_536, disk: 1000 }));
  const world = createTestWorld({
    hosts,
    instances: [{ name: 'x', host: 'a', vcpus: 4, memory: 4096, disk: 10 }],
    takenAtMs: start,
  });
  one.latest.compute = world;
  two.latest.compute = world;
  const reported = async () =>
    (await store.db.publishedStates.list('data_model')).find(({ name }) => name === 'compute')?.doc;
  await one.publish();
  expect(await reported()).toMatchObject({
    hostname: 'one',
    counts: { hosts: 3, hosts_up: 3, hosts_enabled: 3, hosts_empty: 2, instances: 1 },
    cpu_load: { mean: 40, deviation: 20, min: 20, max: 60, hosts: 2 },
    memory_load: { mean: 37.5, min: 25, max: 50, hosts: 2 },
    load_sources: ['test'],
    load_error: null,
  });
  await two.publish();
  expect(requested).toBe(4);
  cpu.a = 80;
  now += 59_000;
  await one.publish();
  expect([requested, await reported()]).toMatchObject([4, { cpu_load: { max: 60 } }]);
  // One minute later by the clock of the engines. By the clock of the database, the model was published now.
  now += 1_000;
  await one.publish();
  await two.publish();
  expect(requested).toBe(4);
  await sql.query("UPDATE published_states SET at = now() - interval '61 seconds' WHERE name = 'compute'");
  await two.publish();
  await one.publish();
  expect([requested, await reported()]).toMatchObject([6, { hostname: 'two', cpu_load: { mean: 50, max: 80 } }]);
});
