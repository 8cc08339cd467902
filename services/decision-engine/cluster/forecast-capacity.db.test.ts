// @needs influxdb
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentLogger } from '#libs/domain';
import { type HistoryReader, HistoryUnavailableError, type Sample } from '#libs/history';
import { createInfluxHistory } from '#libs/history/influxdb';
import { type CapacityForecastRequest, isRefusal } from '#libs/messaging';
import { createTestWorld } from '#libs/plugin-kit/testing';
import { createMetrics } from '#libs/service-kit';
import { testServerUrl } from '#tests';
import { createModelKeeper } from '../model/model-keeper.ts';
import { createCapacityForecaster } from './forecast-capacity.ts';

const nowMs = Date.UTC(2026, 8, 2, 10, 30);
const clock = { now: () => nowMs };
const hourMs = 3_600_000;
const days = 42;

const url = new URL(testServerUrl('influxdb'));
url.pathname = `/capacity_${process.pid}_${process.hrtime.bigint()}`;
const stored = createInfluxHistory({ url: url.href, logger: silentLogger, clock });

/** The CPU load of the hosts grows by 0.5 % a day to 60 %. Their memory is constant. Instances grow by 1 GiB a day. */
function samples(): Sample[] {
  const midnight = Date.UTC(2026, 8, 2);
  return Array.from({ length: (days + 1) * 24 }, (_, hours): Sample[] => {
    const at = midnight - hours * hourMs;
    const noise = Math.sin(hours * 7.3);
    return [
      ...['a', 'b'].flatMap((resource): Sample[] => [
        { metric: 'host_cpu_usage', resource, value: 60 - hours / 48 + noise, at },
        { metric: 'host_ram_usage', resource, value: (20 + noise) * 1024 ** 2, at },
      ]),
      { metric: 'instance_ram_allocated', resource: 'all', value: 80 * 1024 - (hours / 24) * 1024, at },
    ];
  }).flat();
}

beforeAll(() => stored.write(samples()));
afterAll(() => stored.close());

function setUp(aggregate: HistoryReader['aggregate'] = (query) => stored.aggregate(query)) {
  let queries = 0;
  const history: HistoryReader = {
    ...stored,
    aggregate(query) {
      queries += 1;
      return aggregate(query);
    },
  };
  const host = { vcpus: 16, vcpusRatio: 4, memory: 65_536, disk: 1000, aggregates: ['fast'] };
  const hosts = ['a', 'b'].map((hostname) => ({ ...host, hostname }));
  const instances = Array.from({ length: 10 }, (_, row) => ({
    ...{ name: `i${row}`, host: row % 2 === 0 ? 'a' : 'b', vcpus: 2, memory: 8192, disk: 10, flavorName: 'm1.large' },
  }));
  const model = createModelKeeper({
    collect: async () =>
      createTestWorld({ hosts, instances, aggregates: [{ name: 'fast' }, { name: 'empty' }], takenAtMs: nowMs }),
    ...{ clock, logger: silentLogger, metrics: createMetrics('test') },
  });
  const forecast = createCapacityForecaster({ history, model, clock, logger: silentLogger });
  const usual: CapacityForecastRequest = { kind: 'aggregate', id: 'fast', full_at: 80 };
  return {
    queries: () => queries,
    change: model.change,
    refusal: (request: Partial<CapacityForecastRequest>) => forecast({ ...usual, ...request }),
    async of(request: Partial<CapacityForecastRequest> = {}) {
      const response = await forecast({ ...usual, ...request });
      if (isRefusal(response)) throw new Error(response.error.message);
      return response;
    },
  };
}

describe('capacity.forecast', () => {
  it('of an aggregate is the resource that is full first, from a query a day and metric', async () => {
    const { of, queries } = setUp();
    const response = await of();
    expect(response).toMatchObject({ name: 'fast', hosts: 2, history_days: days, places: null, full_at: 80 });
    const [cpu, memory] = response.resources;
    expect(cpu).toMatchObject({ resource: 'cpu', size: 32, trend: { verdict: 'trend', per_day: 0.5 } });
    expect(memory).toMatchObject({ resource: 'memory', size: 131_072, full: { verdict: 'none', days: null } });
    // From 60 % to 80 % at 0.5 % a day.
    expect(Math.abs((response.full.days ?? 0) - 40)).toBeLessThanOrEqual(2);
    await of({ id: 'fast', full_at: 70 });
    expect(queries()).toBe(2 * days);
  });

  it('of a flavor has its places, and the days until the last is taken', async () => {
    const response = await setUp().of({ kind: 'flavor', id: 'm1.large' });
    // 64 GiB on each host, 40 GiB of them allocated.
    expect(response.is_exact).toBe(true);
    expect(response.parts).toEqual([
      { kind: 'zone', name: 'nova', hosts: 2, places: 6 },
      { kind: 'aggregate', name: 'fast', hosts: 2, places: 6 },
      { kind: 'aggregate', name: 'empty', hosts: 0, places: 0 },
    ]);
    expect(response).toMatchObject({ places: 6, hosts: 2, full_at: 100, full: { verdict: 'days', days: 48 } });
    expect(response.resources[1]).toMatchObject({ resource: 'memory', basis: 'allocated', percent: 62.5 });
  });

  it('of a flavor follows the model', async () => {
    const { of, change } = setUp();
    const flavor = { kind: 'flavor', id: 'm1.large' } as const;
    expect(await of(flavor)).toMatchObject({ places: 6 });
    change((snapshot) => ({ ...snapshot, hosts: { ...snapshot.hosts, memoryUsed: new Float64Array(2) } }));
    expect(await of(flavor)).toMatchObject({ places: 16, parts: [{ places: 16 }, { places: 16 }, { places: 0 }] });
  });

  it('without samples has no number', async () => {
    const { of } = setUp(async () => new Map());
    expect(await of()).toMatchObject({ history_days: 0, full: { verdict: 'unmeasured', days: null } });
    expect(await of({ kind: 'flavor', id: 'm1.large' })).toMatchObject({ places: 6, full: { verdict: 'short' } });
    expect(await of({ id: 'empty' })).toMatchObject({ hosts: 0, full: { verdict: 'unmeasured' } });
  });

  it('reads again only the days that failed', async () => {
    let calls = 0;
    const { of, refusal, queries } = setUp((query) => {
      calls += 1;
      return calls === 3 ? Promise.reject(new HistoryUnavailableError('influxdb', 'timeout')) : stored.aggregate(query);
    });
    expect(await refusal({})).toMatchObject({ error: { code: 'history_not_available' } });
    await of();
    expect(queries()).toBe(2 * days + 1);
  });

  it.each([
    [{ id: 'fats' }, 'aggregate_not_found', 'did you mean fast?'],
    [{ kind: 'flavor' as const, id: 'm1.lage' }, 'flavor_not_found', 'did you mean m1.large?'],
    [{ full_at: 0 }, 'invalid_input', 'full_at'],
    [{ full_at: Number.NaN }, 'invalid_input', 'full_at'],
    [{ kind: 'zone' as never }, 'invalid_input', 'kind'],
    [{ id: 'x'.repeat(256) }, 'invalid_input', 'id'],
  ])('refuses %j as %s', async (request, code, text) => {
    expect(await setUp().refusal(request)).toMatchObject({ error: { code, message: expect.stringContaining(text) } });
  });
});
