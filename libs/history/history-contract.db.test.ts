// @needs influxdb, prometheus, gnocchi
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Clock, InvalidInputError, silentLogger as logger, type MetricAggregate } from '#libs/domain';
import { createTestDatabase } from '#tests';
import { dataSourceNames } from './data-source-names.ts';
import type { HistoryReader, HistoryWriter, Sample } from './history-port.ts';
import { createInfluxHistory } from './influxdb/index.ts';
import { withoutImpossible } from './possible-values.ts';
import { createPostgresHistory } from './postgres/index.ts';
import { openGnocchiStore } from './testing/gnocchi-store.ts';
import { startInflux2Emulator } from './testing/influx2-emulator/index.ts';
import { startInflux3Proxy } from './testing/influx3-proxy.ts';
import { openPrometheusStore } from './testing/prometheus-store.ts';

type History = HistoryReader & HistoryWriter;
type Opened = { history: History; close(): Promise<void> };
/** `listsByHour`: the list may contain names of old samples, because Prometheus does not check its newest block. */
type Store = { store: string; open(): Promise<Opened>; listsByHour?: boolean };

/** The last full hour. Prometheus delays the listing of samples that are much older than its newest. */
const nowMs = Math.floor(Date.now() / 3_600_000) * 3_600_000;
const clock: Clock = { now: () => nowMs };
const hour = 3_600_000;

const hostileNames = [
  'plain',
  'with space',
  'comma,equals=and space',
  `double " and single ' quotes`,
  `$dollar \${braces} r.host`,
  'back\\slash in the middle',
  'ünïcödé 雲 🐘',
  '") |> drop(columns: ["_value"]) //',
  "' OR 1=1 --",
];

async function openPostgres(): Promise<Opened> {
  const database = await createTestDatabase();
  const history = createPostgresHistory({ url: database.url, logger, clock });
  return {
    history,
    async close() {
      await history.close();
      await database.drop();
    },
  };
}

async function openInflux1(): Promise<Opened> {
  const url = new URL(process.env.VIGIL_TEST_INFLUX_URL ?? '');
  url.pathname = `/contract_${process.pid}_${process.hrtime.bigint()}`;
  const history = createInfluxHistory({ url: url.href, logger, clock });
  return { history, close: () => history.close() };
}

async function openInflux2(): Promise<Opened> {
  const emulator = await startInflux2Emulator({ org: 'vigil', bucket: 'history "quoted"', token: 'secret' });
  const query = new URLSearchParams({ org: 'vigil', bucket: 'history "quoted"', token: 'secret' });
  const history = createInfluxHistory({ url: `${emulator.url}/?${query}`, logger, clock });
  return {
    history,
    async close() {
      await history.close();
      await emulator.close();
    },
  };
}

async function openInflux3(): Promise<Opened> {
  const backing = process.env.VIGIL_TEST_INFLUX_URL ?? '';
  const server = await startInflux3Proxy({ backing, token: 'apiv3_secret', database: 'history' });
  const history = createInfluxHistory({ url: `${server.url}/history?token=apiv3_secret`, logger, clock });
  return {
    history,
    async close() {
      await history.close();
      await server.close();
      expect(server.refusals).toEqual([]);
    },
  };
}

/** URL of a real InfluxDB 2 with org, bucket and token. The bucket must be empty. */
async function openLiveInflux2(): Promise<Opened> {
  const history = createInfluxHistory({ url: process.env.VIGIL_TEST_INFLUX2_URL ?? '', logger, clock });
  return { history, close: () => history.close() };
}

const stores: Store[] = [
  { store: 'postgres', open: openPostgres },
  { store: 'InfluxDB 1.6.7', open: openInflux1 },
  { store: 'InfluxDB 2 emulator', open: openInflux2 },
  { store: 'protocol of InfluxDB 3', open: openInflux3 },
  { store: 'Prometheus 2.42', open: () => openPrometheusStore(clock), listsByHour: true },
  ...(process.env.VIGIL_TEST_INFLUX2_URL ? [{ store: 'live InfluxDB 2', open: openLiveInflux2 }] : []),
];

/** Gnocchi rounds times to its granules, so it cannot pass tests of sub-second boundaries. */
const roundingStores: Store[] = [{ store: 'Gnocchi 4.4', open: () => openGnocchiStore(clock) }];

/** Ten minutes of CPU usage every 5 s, different for each instance and never a round number. */
function cpuSamples(instances: number): Sample[] {
  return Array.from({ length: instances * 120 }, (_, index): Sample => {
    const instance = index % instances;
    const step = Math.floor(index / instances);
    const value = 50 + 40 * Math.sin(instance * 7 + step / 11);
    return { metric: 'instance_cpu_usage', resource: `vm-${instance}`, value, at: nowMs - step * 5000 };
  });
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

it('the contract of data sources', () => {
  // Aetos is Prometheus behind Keystone and uses the same code.
  const checked = [...stores, ...roundingStores].map(({ store }) => store.toLowerCase());
  const unchecked = dataSourceNames.filter(
    (name) => name !== 'aetos' && !checked.some((store) => store.includes(name)),
  );
  expect(unchecked).toEqual([]);
});

describe.each(stores)('history in $store', ({ open, listsByHour = false }) => {
  let opened: Opened;
  let history: History;

  beforeAll(async () => {
    opened = await open();
    history = opened.history;
  });
  afterAll(() => opened?.close());

  it('returns no values and no metrics while it is empty, and can be probed', async () => {
    await history.probe();

    const values = await history.aggregate({ metric: 'host_power', aggregate: 'mean', periodSeconds: 300 });
    const series = await history.series({
      metric: 'host_power',
      resource: 'nobody',
      startMs: nowMs - hour,
      endMs: nowMs,
      stepSeconds: 60,
    });

    expect(values).toEqual(new Map());
    expect(series).toEqual([]);
    expect(await history.listMetrics()).toEqual([]);
  });

  it.each(['mean', 'min', 'max', 'count'] as const)('groups %s by resource', async (aggregate) => {
    const samples = cpuSamples(20);
    await history.write(samples);

    const values = await history.aggregate({ metric: 'instance_cpu_usage', aggregate, periodSeconds: 300 });

    expect(values.size).toBe(20);
    for (let instance = 0; instance < 20; instance += 1) {
      const resource = `vm-${instance}`;
      const inside = samples
        .filter((sample) => sample.resource === resource && sample.at > nowMs - 300_000)
        .map((sample) => sample.value);
      const expected = { mean: mean(inside), min: Math.min(...inside), max: Math.max(...inside), count: 60 }[aggregate];
      expect(values.get(resource)).toBeCloseTo(expected, 9);
    }
  });

  it('has windows with an open start and a closed end', async () => {
    const at = (offset: number, value: number): Sample => ({
      metric: 'host_inlet_temp',
      resource: 'edge',
      value,
      at: nowMs - hour + offset,
    });
    await history.write([at(-60_000, 1), at(-59_999, 10), at(0, 100), at(1, 1000)]);

    const query = { metric: 'host_inlet_temp', aggregate: 'max', periodSeconds: 60, endMs: nowMs - hour } as const;
    const highest = await history.aggregate(query);
    const lowest = await history.aggregate({ ...query, aggregate: 'min' });

    expect(highest.get('edge')).toBe(100);
    expect(lowest.get('edge')).toBe(10);
  });

  it('ends a window now by default, and omits silent resources', async () => {
    const sample = { metric: 'host_airflow', value: 5 } as const;
    await history.write([
      { ...sample, resource: 'alive', at: nowMs },
      { ...sample, resource: 'silent', at: nowMs - 600_000 },
      { ...sample, resource: 'future', at: nowMs + 1000 },
    ]);

    const values = await history.aggregate({ metric: 'host_airflow', aggregate: 'mean', periodSeconds: 300 });

    expect([...values]).toEqual([['alive', 5]]);
  });

  it('omits impossible samples in the reader of all sources', async () => {
    const values = [20, 5e6, 30];
    const sample = { metric: 'host_inlet_temp', resource: 'faulty' } as const;
    await history.write(values.map((value, row) => ({ ...sample, value, at: nowMs - 30_000 - row * 120_000 })));

    const reader = withoutImpossible(history, { clock, logger });
    const result = await reader.aggregateFrom?.({ metric: 'host_inlet_temp', aggregate: 'mean', periodSeconds: 600 });

    expect(result?.values.get('faulty')).toBeCloseTo(25);
    expect(result?.impossible).toEqual({ resources: 1, greatest: 5e6, examples: ['faulty'] });
  });

  it('keeps names with all printable characters', async () => {
    const samples = hostileNames.map(
      (resource, index): Sample => ({ metric: 'host_ram_usage', resource, value: index + 0.5, at: nowMs - 1000 }),
    );
    await history.write(samples);

    const values = await history.aggregate({ metric: 'host_ram_usage', aggregate: 'mean', periodSeconds: 60 });
    expect(values).toEqual(new Map(samples.map((sample) => [sample.resource, sample.value])));

    for (const { resource, value } of samples) {
      const range = { startMs: nowMs - 10_000, endMs: nowMs, stepSeconds: 10 };
      const series = await history.series({ metric: 'host_ram_usage', resource, ...range });
      expect(series).toEqual([{ at: nowMs - 10_000, value }]);
    }
  });

  it('returns a series as means of steps, oldest first, without filling gaps', async () => {
    const start = nowMs - 7 * hour;
    const values = [10, 20, 30, 40, 50, 60];
    const offsets = [0, 29_999, 30_000, 59_999, 120_000, 149_000];
    await history.write(
      values.map((value, index) => ({
        metric: 'host_cpu_usage',
        resource: 'series',
        value,
        at: start + (offsets[index] ?? 0),
      })),
    );

    const query = { metric: 'host_cpu_usage', resource: 'series', stepSeconds: 30 } as const;
    const whole = await history.series({ ...query, startMs: start, endMs: start + 150_000 });
    const unaligned = await history.series({ ...query, startMs: start + 31_000, endMs: start + 149_000 });

    expect(whole).toEqual([
      { at: start, value: 15 },
      { at: start + 30_000, value: 35 },
      { at: start + 120_000, value: 55 },
    ]);
    expect(unaligned).toEqual([
      { at: start + 30_000, value: 35 },
      { at: start + 120_000, value: 50 },
    ]);
  });

  it('lists the metrics of the last day', async () => {
    const old = nowMs - 25 * hour;
    await history.write([
      { metric: 'instance_l3_cache_usage', resource: 'vm-1', value: 1, at: old },
      { metric: 'instance_root_disk_size', resource: 'vm-1', value: 1, at: nowMs - 23 * hour },
    ]);

    const metrics = await history.listMetrics();

    expect(metrics).toContain('instance_root_disk_size');
    expect(metrics).toContain('instance_cpu_usage');
    if (!listsByHour) expect(metrics).not.toContain('instance_l3_cache_usage');
    expect(metrics).not.toContain('host_power');
  });

  it('refuses invalid values, and stores nothing of the batch', async () => {
    const good: Sample = { metric: 'host_outlet_temp', resource: 'a', value: 1, at: nowMs };
    const bad: [keyof Sample, Partial<Sample>][] = [
      ['value', { value: Number.NaN }],
      ['value', { value: Number.POSITIVE_INFINITY }],
      ['at', { at: Number.NaN }],
      ['resource', { resource: '' }],
      ['resource', { resource: 'two\nlines' }],
      ['resource', { resource: 'ends in \\' }],
      ['metric', { metric: 'host_mood' as Sample['metric'] }],
    ];
    for (const [field, fault] of bad) {
      const writing = history.write([good, { ...good, ...fault }]);
      await expect(writing).rejects.toThrow(InvalidInputError);
      await expect(writing).rejects.toMatchObject({ field });
    }

    const values = await history.aggregate({ metric: 'host_outlet_temp', aggregate: 'count', periodSeconds: 60 });
    expect(values.size).toBe(0);
    await history.write([]);
    await expect(
      history.aggregate({ metric: 'host_cpu_usage', aggregate: 'mean', periodSeconds: 0 }),
    ).rejects.toMatchObject({ field: 'periodSeconds' });
  });
});

describe('the same data in all stores', () => {
  const opened: Opened[] = [];

  beforeAll(async () => {
    for (const { open } of [...stores, ...roundingStores]) opened.push(await open());
    const samples = cpuSamples(50);
    for (const { history } of opened) await history.write(samples);
  });
  afterAll(async () => {
    for (const { close } of opened) await close();
  });

  it.each([
    ['mean', 300, nowMs],
    ['mean', 77, nowMs - 1234],
    ['min', 600, nowMs],
    ['max', 45, nowMs - 200_001],
    ['count', 333, nowMs - 60_000],
    ['p95', 300, nowMs],
    ['p5', 45, nowMs - 200_001],
    ['p50', 77, nowMs - 1234],
    ['trend', 333, nowMs - 60_000],
  ] as [MetricAggregate, number, number][])('has the same %s over %i s', async (aggregate, periodSeconds, endMs) => {
    const query = { metric: 'instance_cpu_usage', aggregate, periodSeconds, endMs } as const;
    const [first, ...others] = await Promise.all(opened.map(({ history }) => history.aggregate(query)));

    expect(first?.size).toBe(50);
    for (const other of others) {
      expect(other.size).toBe(50);
      for (const [resource, value] of first ?? []) expect(other.get(resource)).toBeCloseTo(value, 9);
    }
  });

  it.each([
    [89, 30, nowMs, 7],
    [70, 45, nowMs - 200_001, 21],
    [-1, 300, nowMs, 50],
    [1e5, 600, nowMs, 0],
  ])('has the same maxima above %d over %i s', async (limit, periodSeconds, endMs, count) => {
    const query = { metric: 'instance_cpu_usage', aggregate: 'mean', periodSeconds, endMs } as const;
    const expected = new Map<string, number>();
    for (const { resource, value, at } of cpuSamples(50)) {
      if (at <= endMs - periodSeconds * 1000 || at > endMs || value <= limit) continue;
      expected.set(resource, Math.max(value, expected.get(resource) ?? value));
    }

    expect(expected.size).toBe(count);
    for (const { history } of opened) {
      const found = (await history.maximaAbove?.(query, limit)) ?? new Map<string, number>();
      expect([...found.keys()].sort(), history.name).toEqual([...expected.keys()].sort());
      for (const [name, value] of expected) expect(found.get(name), `${history.name}, ${name}`).toBeCloseTo(value, 9);
    }
  });

  it.each([
    ['mean', ['vm-3', 'vm-17', 'nothing']],
    ['max', ["' OR 1=1 --", '") |> drop(columns: ["_value"]) //', 'vm-1', 'vm.*', 'back\\slash in the middle']],
    ['p95', ['vm-8']],
  ] as [MetricAggregate, string[]][])(
    'gives the same %s of named resources as of all',
    async (aggregate, resources) => {
      for (const { history } of opened) {
        const query = { metric: 'instance_cpu_usage', aggregate, periodSeconds: 300 } as const;
        const [all, named] = [await history.aggregate(query), await history.aggregate({ ...query, resources })];
        for (const name of resources) {
          if (!all.has(name)) expect(named.has(name), `${history.name}, ${name}`).toBe(false);
          else expect(named.get(name), `${history.name}, ${name}`).toBeCloseTo(all.get(name) ?? 0, 9);
        }
        // Gnocchi reads instances by their uuids.
        if (history.name === 'gnocchi') continue;
        expect(
          [...named.keys()].every((name) => resources.includes(name)),
          history.name,
        ).toBe(true);
      }
    },
  );

  it('measures a trend per hour, and none where there is only one sample', async () => {
    const at = nowMs - hour;
    const rise = (minute: number, resource = 'rising'): Sample => ({
      metric: 'instance_cpu_usage',
      resource,
      value: 10 + minute / 2,
      at: at + minute * 60_000,
    });
    // The samples are not evenly spaced: the slope is over time, not over the sample number.
    const samples = [rise(1), rise(2), rise(3), rise(20), rise(59), rise(30, 'lonely')];
    for (const { history } of opened) {
      await history.write(samples);
      const query = { metric: 'instance_cpu_usage', aggregate: 'trend', periodSeconds: 3600 } as const;
      const values = await history.aggregate(query);
      expect(values.has('lonely'), history.name).toBe(false);
      expect(values.get('rising'), history.name).toBeCloseTo(30, 6);
    }
  });

  it('has the same series', async () => {
    const range = { startMs: nowMs - 500_500, endMs: nowMs - 3000, stepSeconds: 7 };
    const query = { metric: 'instance_cpu_usage', resource: 'vm-3', ...range } as const;
    const [first = [], ...others] = await Promise.all(opened.map(({ history }) => history.series(query)));

    expect(first.length).toBeGreaterThan(60);
    for (const other of others) {
      expect(other.map((point) => point.at)).toEqual(first.map((point) => point.at));
      for (const [index, point] of first.entries()) expect(other[index]?.value).toBeCloseTo(point.value, 9);
    }
  });
});
