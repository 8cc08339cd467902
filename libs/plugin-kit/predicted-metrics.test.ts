import { expect, it } from 'vitest';
import type { MetricsSource } from './metrics-reader.ts';
import { predictMetrics } from './predicted-metrics.ts';

const means = new Map([
  ['steady', 50],
  ['rising', 40],
  ['falling', 10],
  ['new', 30],
]);
const trends = new Map([
  ['steady', 0],
  ['rising', 60],
  ['falling', -600],
]);

function source(trend: () => Promise<Map<string, number>> = async () => trends): MetricsSource {
  return {
    name: 'test',
    aggregate: async ({ aggregate }) => (aggregate === 'trend' ? await trend() : means),
  };
}

const query = { metric: 'host_cpu_usage', aggregate: 'mean', periodSeconds: 1200 } as const;

it('moves a mean from the middle of its window to the horizon, within possible values', async () => {
  const { source: predicted, notes } = predictMetrics(source(), 600);

  const response = await predicted.aggregateFrom?.(query);

  // Twenty minutes from the middle of the window, at one percent a minute.
  expect(response?.values).toEqual(
    new Map([
      ['steady', 50],
      ['rising', 60],
      ['falling', 0],
      ['new', 30],
    ]),
  );
  expect(response?.source).toBe('test');
  expect(notes()).toEqual(['host_cpu_usage is the value expected in 600 s, by its trend']);
});

it('predicts no further ahead than the length of the window', async () => {
  const { source: predicted } = predictMetrics(source(), 86_400);
  expect((await predicted.aggregate(query)).get('rising')).toBe(70);
});

it('leaves other aggregates alone', async () => {
  const { source: predicted, notes } = predictMetrics(source(), 600);
  expect(await predicted.aggregate({ ...query, aggregate: 'p95' })).toEqual(means);
  expect(notes()).toEqual([]);
});

it('returns the measured value, and reports that, when no trend exists', async () => {
  const { source: predicted, notes } = predictMetrics(
    source(() => Promise.reject(new Error('too many samples'))),
    600,
  );
  expect(await predicted.aggregate(query)).toEqual(means);
  expect(notes()).toEqual([expect.stringMatching(/host_cpu_usage is as measured.*too many samples/)]);
});
