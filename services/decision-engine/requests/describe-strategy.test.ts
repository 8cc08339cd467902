import { describe, expect, it } from 'vitest';
import type { HistoryReader, SourceDescription } from '#libs/history';
import { isRefusal } from '#libs/messaging';
import { builtInPlugins } from '../built-in-plugins.ts';
import { type DescribeStrategyDeps, describeStrategy } from './describe-strategy.ts';

const ready = async () => undefined;
const models = { compute: ready, storage: ready, baremetal: ready };

function readerOf(describeSources: () => Promise<SourceDescription[]>): HistoryReader {
  return {
    name: 'several',
    aggregate: async () => new Map(),
    series: async () => [],
    listMetrics: async () => [],
    probe: ready,
    describe: describeSources,
    close: ready,
  };
}

const prometheus: SourceDescription = {
  name: 'prometheus',
  available: true,
  reason: null,
  metrics: [
    { metric: 'host_cpu_usage', realName: 'node_cpu_seconds_total', available: true },
    { metric: 'instance_cpu_usage', realName: 'ceilometer_cpu', available: false },
    { metric: 'host_ram_usage', realName: 'node_memory_MemAvailable_bytes', available: false },
  ],
};
const gnocchi: SourceDescription = {
  name: 'gnocchi',
  available: false,
  reason: 'history store gnocchi: connection refused',
  metrics: [{ metric: 'instance_cpu_usage', realName: 'cpu', available: true }],
};

async function requirementsOf(name: string, history: HistoryReader, cloud: DescribeStrategyDeps['models'] = models) {
  const registry = builtInPlugins();
  const response = await describeStrategy({ strategy_name: name }, { registry, history, models: cloud });
  if (isRefusal(response)) throw new Error(response.error.message);
  return response.requirements;
}

describe('the state of a strategy with several data sources', () => {
  it('lists each source, and each metric under the name in the source that has it', async () => {
    const history = readerOf(async () => [prometheus, gnocchi]);
    const [datasource, metrics] = await requirementsOf('workload_stabilization', history);

    expect(datasource).toEqual({
      type: 'Datasource',
      state: 'prometheus: available, gnocchi: not available',
      mandatory: true,
      comment: 'history store gnocchi: connection refused',
    });
    expect(metrics?.state).toEqual(
      expect.arrayContaining([
        { node_cpu_seconds_total: 'available' },
        { cpu: 'available' },
        { node_memory_MemAvailable_bytes: 'not available' },
        { instance_ram_usage: 'not available' },
      ]),
    );
    expect(metrics?.comment).toBe('no data source has a mapping of instance_ram_usage');
  });

  it('checks the separate sources of the strategy', async () => {
    const own = readerOf(async () => [gnocchi]);
    const forStrategy = (name: string) => (name === 'workload_balance' ? own : history);
    const history: HistoryReader = { ...readerOf(async () => [prometheus]), forStrategy };

    expect((await requirementsOf('workload_balance', history))[0]?.state).toBe('gnocchi: not available');
    expect((await requirementsOf('workload_stabilization', history))[0]?.state).toBe('prometheus: available');
  });

  it('distinguishes missing models from those that the strategy does not need', async () => {
    const noIronic = { ...models, baremetal: () => Promise.reject(new Error('the cloud has no bare metal')) };
    const history = readerOf(async () => []);
    const commentOf = async (name: string) => (await requirementsOf(name, history, noIronic))[2]?.comment;

    expect(await commentOf('saving_energy')).toBe('baremetal_model: the cloud has no bare metal');
    expect(await commentOf('dummy')).toBe('baremetal_model (not used by this strategy): the cloud has no bare metal');
  });

  it('says why nothing is known', async () => {
    const history = readerOf(() => Promise.reject(new Error('broken')));
    const [datasource, metrics] = await requirementsOf('workload_stabilization', history);

    expect(datasource).toMatchObject({ state: '', comment: 'broken' });
    expect(metrics?.state).toEqual(expect.arrayContaining([{ host_cpu_usage: 'not available' }]));
  });
});
