// @needs influxdb, prometheus, gnocchi
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MetricAggregate } from '#libs/domain';
import type { Sample } from './history-port.ts';
import { cpuSamples, nowMs, type Opened, roundingStores, stores } from './testing/contract-stores.ts';

const hour = 3_600_000;

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
