import { expect, test } from 'vitest';
import { silentLogger } from '#libs/domain';
import type { AggregateQuery, HistoryReader } from '#libs/history';
import { createTestWorld } from '#libs/plugin-kit/testing';
import { createMetrics } from '#libs/service-kit';
import { createModelKeeper } from '../model/model-keeper.ts';
import { fullestHosts } from './fullest-hosts.ts';

const now = Date.parse('2026-06-01T12:00:00Z');
const hosts = ['a', 'b'].map((hostname) => ({ hostname, vcpus: 16, memory: 1000, disk: 1000 }));
const end = now / 1000;
const month = { start: end - 30 * 86_400, end, limit: 2 };
const samples: Record<string, [string, number][]> = {
  'host_cpu_usage mean': [
    ['a', 30],
    ['b', 55.123],
    ['gone', 20],
  ],
  'host_cpu_usage max': [
    ['a', 99],
    ['b', 60],
    ['gone', 20],
  ],
  'host_ram_usage mean': [
    ['a', 0.9 * 1_024_000],
    ['gone', 5_000_000],
  ],
  'host_ram_usage max': [['a', 0.95 * 1_024_000]],
};

async function setUp(fault?: Error) {
  const queries: AggregateQuery[] = [];
  const history: HistoryReader = {
    name: 'test',
    async aggregate(query) {
      queries.push(query);
      if (fault) throw fault;
      return new Map(samples[`${query.metric} ${query.aggregate}`]);
    },
    series: async () => [],
    listMetrics: async () => [],
    probe: async () => undefined,
    close: async () => undefined,
  };
  const clock = { now: () => now };
  const collect = async () => createTestWorld({ hosts, takenAtMs: now });
  const model = createModelKeeper({ collect, clock, logger: silentLogger, metrics: createMetrics('test') });
  await model.fresh(0);
  return { queries, deps: { model, history, clock, logger: silentLogger } };
}

test('hosts are ordered by their fuller resource, with means and highest samples of the whole period', async () => {
  const { queries, deps } = await setUp();
  const first = { hostname: 'a', cpu_mean: 30, cpu_highest: 99, memory_mean: 90, memory_highest: 95 };
  const second = { hostname: 'b', cpu_mean: 55.12, cpu_highest: 60, memory_mean: null, memory_highest: null };
  expect(await fullestHosts(month, deps)).toMatchObject({ measured_hosts: 3, hosts: [first, second] });
  expect(queries).toHaveLength(4);
  for (const query of queries) expect(query).toMatchObject({ periodSeconds: 30 * 86_400, endMs: now });
});

test('a data source that fails leaves no hosts and its reason', async () => {
  const { deps } = await setUp(new Error('influxdb is unavailable'));
  const load = { error: 'influxdb is unavailable' };
  expect(await fullestHosts(month, deps)).toMatchObject({ measured_hosts: 0, hosts: [], load });
});

test.each([{ start: end }, { start: end - 367 * 86_400 }, { end: end + 60 }, { limit: 0 }, { limit: 101 }])(
  'refuses %j',
  async (change) => {
    const { deps } = await setUp();
    expect(await fullestHosts({ ...month, ...change }, deps)).toMatchObject({ error: { code: 'invalid_input' } });
  },
);
