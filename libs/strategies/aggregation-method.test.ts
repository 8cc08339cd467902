import { expect, it } from 'vitest';
import { silentLogger } from '#libs/domain';
import { executeStrategy, type MetricsWindow, type StrategyPlugin, validateParameters } from '#libs/plugin-kit';
import { createTestMetrics, createTestWorld, movesOf } from '#libs/plugin-kit/testing';
import { strategyCatalogue } from './catalogue.ts';

const snapshot = createTestWorld({
  hosts: [{ hostname: 'a' }, { hostname: 'b' }],
  instances: [
    { name: 'important', host: 'a', metadata: { 'watcher-priority': '1' } },
    { name: 'noisy', host: 'a', metadata: { 'watcher-priority': '9' } },
  ],
});

/** Mean and 95th percentile are far apart: only the latter is above every threshold. */
const metricsOf = (aggregate: string, isEarlier: boolean) => {
  const high = aggregate === 'p95';
  return createTestMetrics(snapshot, {
    host_outlet_temp: { a: high ? 60 : 20, b: 20 },
    host_airflow: { a: high ? 900 : 100, b: 100 },
    host_inlet_temp: 20,
    host_power: 100,
    instance_l3_cache_usage:
      high && isEarlier ? { important: 100, noisy: 10 } : { important: 10, noisy: high ? 100 : 10 },
  });
};

async function run(name: string, parameters: object) {
  const strategy = strategyCatalogue.find(({ manifest }) => manifest.name === name) as StrategyPlugin;
  const windows: MetricsWindow[] = [];
  const of = (window: MetricsWindow) => {
    windows.push(window);
    return metricsOf(window.aggregate, (window.endsSecondsAgo ?? 0) > 0);
  };
  const { actions } = await executeStrategy(strategy, {
    snapshot,
    metrics: {
      hosts: (metric, window) => of(window).hosts(metric, window),
      instances: (metric, window) => of(window).instances(metric, window),
    },
    parameters: validateParameters(strategy.manifest.parameters, { ...parameters }),
    seed: 1,
    nowMs: 0,
    signal: new AbortController().signal,
    log: silentLogger,
  });
  return { moves: movesOf(actions).length, windows };
}

it.each(['outlet_temperature', 'uniform_airflow', 'noisy_neighbor'])(
  '%s judges by the mean unless another aggregate is given',
  async (name) => {
    const mean = await run(name, {});
    expect(mean.moves).toBe(0);
    expect(new Set(mean.windows.map(({ aggregate }) => aggregate))).toEqual(new Set(['mean']));
    const p95 = await run(name, { aggregation_method: 'p95' });
    expect(p95.moves).toBeGreaterThan(0);
    expect(new Set(p95.windows.map(({ aggregate }) => aggregate))).toEqual(new Set(['p95']));
    await expect(run(name, { aggregation_method: 'p42' })).rejects.toThrow('aggregation_method');
  },
);

it('noisy_neighbor compares percentiles of adjacent periods, since they cannot be taken from each other', async () => {
  const { windows } = await run('noisy_neighbor', { signal: 'cache', aggregation_method: 'p95', period: 60 });
  expect(windows.map(({ periodSeconds, endsSecondsAgo = 0 }) => [periodSeconds, endsSecondsAgo])).toEqual([
    [60, 0],
    [60, 60],
  ]);
});
