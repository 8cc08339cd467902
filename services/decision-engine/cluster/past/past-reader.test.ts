import { expect, test } from 'vitest';
import { silentLogger } from '#libs/domain';
import type { AggregateQuery, HistoryReader } from '#libs/history';
import { type ClusterPastResponse, isRefusal, type RpcRefusal } from '#libs/messaging';
import type { Migration } from '#libs/openstack';
import { createTestWorld, testUuid } from '#libs/plugin-kit/testing';
import { createMetrics } from '#libs/service-kit';
import { createModelKeeper } from '../../model/model-keeper.ts';
import { createPastReader } from './past-reader.ts';

const start = Date.parse('2026-06-10T12:00:00Z');
const hourMs = 3_600_000;
const created = '2026-05-01T00:00:00Z';
const hosts = ['a', 'b'].map((hostname) => ({ hostname, vcpus: 16, memory: 1000, disk: 100, aggregates: ['r1'] }));
/** Another consumer uses 100 MiB of host b. */
const world = () =>
  createTestWorld({
    hosts: [hosts[0]!, { ...hosts[1]!, used: { vcpus: 2, memory: 300, disk: 10 } }],
    instances: [
      { name: 'x', host: 'b', vcpus: 2, memory: 200, disk: 10, created },
      { name: 'new', host: 'a', vcpus: 4, memory: 400, disk: 20, created: '2026-06-10T11:30:00Z' },
    ],
    takenAtMs: start,
  });

/** Instance x was migrated from a to b this number of hours before the start. */
function migration(hours: number, change: Partial<Migration> = {}): Migration {
  const at = new Date(start - hours * hourMs).toISOString().replace('Z', '');
  return {
    ...{ id: 1, uuid: `m${hours}`, serverUuid: testUuid('x'), sourceHost: 'a', destHost: 'b', transfer: null },
    ...{ type: 'live-migration', status: 'completed', createdAt: at, updatedAt: at, userId: null, projectId: null },
    ...change,
  };
}

function setUp({ migrations = [migration(2)] }: { migrations?: Migration[] | Error } = {}) {
  let now = start;
  const clock = { now: () => now };
  const [listed, aggregated]: [number[], AggregateQuery[]] = [[], []];
  const given = { migrations, loads: new Map([['a', 60]]), fault: null as Error | null };
  const history: HistoryReader = {
    name: 'test',
    async aggregate(query) {
      aggregated.push(query);
      if (given.fault) throw given.fault;
      return query.metric === 'host_cpu_usage' ? given.loads : new Map();
    },
    series: async () => [],
    listMetrics: async () => [],
    probe: async () => undefined,
    close: async () => undefined,
  };
  const listMigrationsSince = async (sinceMs: number) => {
    listed.push(sinceMs);
    if (given.migrations instanceof Error) throw given.migrations;
    return given.migrations;
  };
  const metrics = createMetrics('test');
  const model = createModelKeeper({ collect: async () => world(), clock, logger: silentLogger, metrics });
  const read = createPastReader({
    model,
    history,
    clock,
    logger: silentLogger,
    cloud: { compute: { listMigrationsSince } },
  });
  const pass = (ms: number) => {
    now += ms;
  };
  const ago = (hours: number) => start - hours * hourMs;
  const at = async (hours: number) => accepted(await read({ at_ms: ago(hours) }));
  const between = async (from: number, to: number) => accepted(await read({ at_ms: ago(from), to_ms: ago(to) }));
  return { at, between, read, listed, aggregated, given, pass };
}

function accepted(response: ClusterPastResponse | RpcRefusal): ClusterPastResponse {
  if (isRefusal(response)) throw new Error(response.error.message);
  return response;
}

test('hosts have the instances, allocations and loads of that time, and the current ones', async () => {
  const past = await setUp().at(3);

  const to = new Date(start).toISOString();
  expect(past).toMatchObject({
    at: '2026-06-10T09:00:00.000Z',
    to,
    moves: 1,
    load: { sources: ['test'], error: null },
  });
  expect(past.instances).toMatchObject({ before: 1, now: 2, moved: 1, created_since: 1, deleted_since: 0 });
  const [a, b] = past.hosts;
  expect(a).toMatchObject({ hostname: 'a', aggregates: ['r1'], arrived: 0, left: 1 });
  expect(a?.before).toEqual({ instances: 1, vcpus: 2, memory: 200, disk: 10, cpu_load: 60, memory_load: null });
  expect(a?.now).toMatchObject({ instances: 1, vcpus: 4, memory: 400, disk: 20 });
  // A host without a sample is not measured. Allocations that are not Nova's stay.
  expect(b).toMatchObject({ arrived: 1, left: 0, before: { instances: 0, vcpus: 0, memory: 100, cpu_load: null } });
  expect(b?.now).toMatchObject({ instances: 1, memory: 300 });
});

test('two moments are compared with each other, without the moves and instances after both', async () => {
  const migrations = [migration(2), migration(5, { sourceHost: 'b', destHost: 'a' })];
  const past = await setUp({ migrations }).between(6, 3);

  expect(past).toMatchObject({ at: '2026-06-10T06:00:00.000Z', to: '2026-06-10T09:00:00.000Z', moves: 1 });
  expect(past.instances).toMatchObject({ before: 1, now: 1, moved: 1, created_since: 0 });
  expect(past.moved_instances).toEqual([{ uuid: testUuid('x'), name: 'x', from: 'b', to: 'a' }]);
  const [a, b] = past.hosts;
  expect(a).toMatchObject({ arrived: 1, left: 0, before: { instances: 0 }, now: { instances: 1, cpu_load: 60 } });
  expect(b).toMatchObject({ arrived: 0, left: 1, before: { instances: 1 }, now: { instances: 0, memory: 100 } });
});

test('an instance on a host that has left the cloud at the later moment is counted', async () => {
  const migrations = [migration(2, { sourceHost: 'gone' }), migration(5, { destHost: 'gone' })];
  const { instances } = await setUp({ migrations }).between(6, 3);
  expect(instances).toMatchObject({ before: 1, now: 0, moved: 0, host_gone: 1 });
});

test.each([
  [3, 4],
  [3, -1],
])('moments %i and %i hours ago are refused', async (from, to) => {
  const response = await setUp().read({ at_ms: start - from * hourMs, to_ms: start - to * hourMs });
  expect(response).toMatchObject({ error: { code: 'invalid_input', message: expect.stringContaining('to: ') } });
});

test('a moment after the moves is as now', async () => {
  const { instances, hosts: found } = await setUp().at(0);
  expect(instances).toMatchObject({ before: 2, now: 2, moved: 0, created_since: 0 });
  for (const { before, now } of found) expect(before).toEqual(now);
});

test('moments of a day share one list of migrations and one query for each metric', async () => {
  const { at, listed, aggregated } = setUp();
  await Promise.all([at(3), at(4), at(3)]);
  await at(4);
  expect(listed).toEqual([Date.parse('2026-06-10T00:00:00Z')]);
  const ends = aggregated.flatMap(({ metric, endMs }) => (metric === 'host_cpu_usage' ? [endMs] : []));
  expect(ends.sort()).toEqual([start - 4 * hourMs, start - 3 * hourMs, undefined]);
});

test('later only migrations are read that have changed, and earlier moments read from their day on', async () => {
  const { at, listed, given, pass } = setUp();
  await at(1);
  pass(120_000);
  given.migrations = [migration(2, { status: 'error' })];
  expect((await at(3)).moves).toBe(0);
  await at(30);
  expect(listed).toEqual([Date.parse('2026-06-10T00:00:00Z'), start - 600_000, Date.parse('2026-06-09T00:00:00Z')]);
});

test('without a data source the placements are shown, and loads are requested again', async () => {
  const { at, given } = setUp();
  given.fault = new Error('influxdb is unavailable');
  expect(await at(3)).toMatchObject({ moves: 1, load: { error: 'influxdb is unavailable' } });
  given.fault = null;
  expect((await at(3)).hosts[0]?.before.cpu_load).toBe(60);
});

test('without the migrations of Nova no placement is shown, and they are read again', async () => {
  const { read, given, at } = setUp({ migrations: new Error('Nova is unavailable') });
  expect(await read({ at_ms: start })).toMatchObject({ error: { code: 'model_not_available' } });
  given.migrations = [];
  expect((await at(0)).moves).toBe(0);
});

test.each([29 * 24, -1])('a moment %i hours ago is refused', async (hours) => {
  const response = await setUp().read({ at_ms: start - hours * hourMs });
  expect(response).toMatchObject({ error: { code: 'invalid_input', message: expect.stringContaining('28 days') } });
});
