import { expect, it, vi } from 'vitest';
import { type Clock, silentLogger as logger, type MetricAggregate, metricCatalogue } from '#libs/domain';
import { type HistoryReader, HistoryRefusedError, type SeriesPoint } from './history-port.ts';
import { withoutImpossible } from './possible-values.ts';

const clock: Clock = { now: () => 600_000 };
const at = (minute: number) => minute * 60_000;

/** A source with one sample a minute. */
function sourceOf(samples: Record<string, number[]>, refuses?: MetricAggregate): HistoryReader {
  const points = (values: number[]): SeriesPoint[] => values.map((value, minute) => ({ at: at(minute + 1), value }));
  return {
    name: 'test',
    async aggregate({ aggregate }) {
      if (aggregate === refuses) throw new HistoryRefusedError('test', `no ${aggregate}`);
      return new Map(
        Object.entries(samples).map(([name, values]) => {
          if (aggregate === 'max') return [name, Math.max(...values)];
          if (aggregate === 'count') return [name, values.length];
          return [name, values.reduce((sum, value) => sum + value, 0) / values.length];
        }),
      );
    },
    series: async ({ resource, startMs, endMs }) =>
      points(samples[resource] ?? []).filter((point) => point.at >= startMs && point.at < endMs),
    listMetrics: async () => ['host_cpu_usage'],
    probe: async () => {},
    close: async () => {},
  };
}

const query = { metric: 'host_cpu_usage', aggregate: 'mean', periodSeconds: 600 } as const;
const samples = { calm: [20, 30], broken: [40, 5e6, 60], always: [1e9, 2e9] };

it('omits impossible samples, reports and counts them', async () => {
  const impossible = vi.fn();
  const reader = withoutImpossible(sourceOf(samples), { clock, logger, metrics: { called: () => {}, impossible } });

  expect(await reader.aggregateFrom?.(query)).toEqual({
    values: new Map([
      ['calm', 25],
      ['broken', 50],
    ]),
    source: 'test',
    passedOver: [],
    impossible: { resources: 2, greatest: 2e9, examples: ['always', 'broken'] },
  });
  expect(impossible).toHaveBeenCalledWith({ source: 'test', metric: 'host_cpu_usage', resources: 2 });
});

it.each<[MetricAggregate, number]>([
  ['max', 60],
  ['min', 40],
  ['p95', 59],
])('computes %s from the other samples', async (aggregate, expected) => {
  const reader = withoutImpossible(sourceOf(samples), { clock, logger });
  expect((await reader.aggregate({ ...query, aggregate })).get('broken')).toBeCloseTo(expected);
});

it('omits them from series, but counts all samples', async () => {
  const reader = withoutImpossible(sourceOf(samples), { clock, logger });
  const series = { metric: 'host_cpu_usage', resource: 'broken', startMs: 0, endMs: 600_000, stepSeconds: 60 } as const;

  expect((await reader.series(series)).map(({ value }) => value)).toEqual([40, 60]);
  expect((await reader.aggregate({ ...query, aggregate: 'count' })).get('broken')).toBe(3);
});

it('supports a source without a maximum', async () => {
  const reader = withoutImpossible(sourceOf({ calm: [20, 30] }, 'max'), { clock, logger });
  expect(await reader.aggregate(query)).toEqual(new Map([['calm', 25]]));
});

it('does not read the maxima of all resources of a source that finds those above a limit', async () => {
  const source = sourceOf(samples, 'max');
  const maximaAbove = vi.fn(async (_: unknown, limit: number) =>
    limit < 5e6 ? new Map([['broken', 5e6]]) : new Map<string, number>(),
  );
  const reader = withoutImpossible({ ...source, maximaAbove } as HistoryReader, { clock, logger });

  const { values, impossible } = (await reader.aggregateFrom?.(query)) ?? {};
  expect(values?.get('broken')).toBe(50);
  expect(values?.get('calm')).toBe(25);
  expect(impossible).toEqual({ resources: 1, greatest: 5e6, examples: ['broken'] });
  expect(maximaAbove).toHaveBeenCalledExactlyOnceWith(query, metricCatalogue.host_cpu_usage.most);
});

it('supports a source that refuses maxima above a limit', async () => {
  const maximaAbove = () => Promise.reject(new HistoryRefusedError('test', 'no max'));
  const reader = withoutImpossible({ ...sourceOf({ calm: [20, 30] }), maximaAbove }, { clock, logger });
  expect(await reader.aggregate(query)).toEqual(new Map([['calm', 25]]));
});

it('has a cap for every metric', () => {
  for (const { most } of Object.values(metricCatalogue)) expect(most).toBeGreaterThan(0);
});
