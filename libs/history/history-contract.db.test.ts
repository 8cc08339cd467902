// @needs influxdb, prometheus, gnocchi
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { InvalidInputError, silentLogger as logger } from '#libs/domain';
import { dataSourceNames } from './data-source-names.ts';
import type { Sample } from './history-port.ts';
import { withoutImpossible } from './possible-values.ts';
import {
  clock,
  cpuSamples,
  type History,
  nowMs,
  type Opened,
  roundingStores,
  stores,
} from './testing/contract-stores.ts';

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

  it('reads the series of every name that has a value', async () => {
    const sample = { metric: 'host_disk_io', at: nowMs - 30_000 } as const;
    await history.write([
      { ...sample, resource: 'compute-1.example.org:9100', value: 10 },
      { ...sample, resource: 'compute-10', value: 20 },
      { ...sample, resource: '192.0.2.1:9100', value: 30 },
    ]);

    const values = await history.aggregate({ metric: 'host_disk_io', aggregate: 'mean', periodSeconds: 60 });
    expect(values.size).toBeGreaterThanOrEqual(3);
    const range = { startMs: nowMs - 60_000, endMs: nowMs, stepSeconds: 60 };
    for (const [resource, value] of values) {
      const series = await history.series({ metric: 'host_disk_io', resource, ...range });
      expect(series, resource).toEqual([{ at: nowMs - 60_000, value }]);
    }
    for (const resource of ['compute', 'compute-1.example', '192', '192.0.2', 'compute-1.']) {
      expect(await history.series({ metric: 'host_disk_io', resource, ...range }), resource).toEqual([]);
    }
  });

  it('counts a host with several names as one resource with impossible samples', async () => {
    const sample = { metric: 'host_network_io', resource: 'compute-2.example.org:9100' } as const;
    const values = [20, 5e18, 30];
    await history.write(values.map((value, row) => ({ ...sample, value, at: nowMs - 30_000 - row * 120_000 })));

    const reader = withoutImpossible(history, { clock, logger });
    const query = { metric: 'host_network_io', periodSeconds: 600 } as const;
    const mean = await reader.aggregateFrom?.({ ...query, aggregate: 'mean' });
    const max = await reader.aggregateFrom?.({ ...query, aggregate: 'max' });

    const impossible = { resources: 1, greatest: 5e18, examples: ['compute-2.example.org:9100'] };
    expect(mean?.impossible).toEqual(impossible);
    expect(max?.impossible).toEqual(impossible);
    for (const name of (await history.aggregate({ ...query, aggregate: 'count' })).keys()) {
      expect(mean?.values.get(name), name).toBeCloseTo(25);
      expect(max?.values.get(name), name).toBeCloseTo(30);
    }
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
