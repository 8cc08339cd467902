import { expect, it, onTestFinished, vi } from 'vitest';
import { silentLogger as logger } from '#libs/domain';
import { type HistoryReader, HistoryRefusedError, HistoryUnavailableError } from '../history-port.ts';
import { connectDataSources } from './connect-data-sources.ts';
import { openPluginSource } from './plugin-source.ts';

const clock = { now: () => 0 };
const request = { metric: 'host_cpu_usage', aggregate: 'mean', periodSeconds: 300 } as const;

function sourceOf(methods: Partial<HistoryReader>) {
  const reader: HistoryReader = {
    name: 'whatever it says',
    aggregate: async () => new Map([['compute-1', 12]]),
    series: async () => [{ at: 1, value: 2 }],
    listMetrics: async () => ['host_cpu_usage'],
    probe: async () => {},
    close: async () => {},
    ...methods,
  };
  return { name: 'own', open: () => reader };
}

const opened = (methods: Partial<HistoryReader>) =>
  openPluginSource(sourceOf(methods), { clock, logger, env: {} }, { limitMs: 50 });

it('returns the values of the plugin, and is counted', async () => {
  const calls: string[] = [];
  const metrics = {
    called: ({ source, operation, ok }: { source: string; operation: string; ok: boolean }) =>
      void calls.push(`${source} ${operation} ${ok}`),
  };
  const source = openPluginSource(sourceOf({}), { clock, logger, env: {} }, { metrics });

  expect(source.name).toBe('own');
  expect(await source.aggregate(request)).toEqual(new Map([['compute-1', 12]]));
  expect(await source.listMetrics()).toEqual(['host_cpu_usage']);
  await source.probe();
  expect(calls).toEqual(['own aggregate true', 'own list_metrics true', 'own probe true']);
});

it.each<[string, Partial<HistoryReader>, RegExp]>([
  ['throws', { aggregate: () => Promise.reject(new Error('socket gone')) }, /own: socket gone/],
  [
    'throws before it returns a promise',
    {
      aggregate: () => {
        throw new TypeError('x is undefined');
      },
    },
    /own: x is undefined/,
  ],
  ['never responds', { aggregate: () => new Promise(() => {}) }, /no response within 0.05 s/],
  ['returns no map', { aggregate: async () => ({}) as never }, /invalid result of aggregate/],
  [
    'returns a value that is not a number',
    { aggregate: async () => new Map([['a', Number.NaN]]) },
    /invalid result of aggregate/,
  ],
])('counts as unavailable when it %s', async (_what, methods, reason) => {
  const failing = opened(methods).aggregate(request);
  await expect(failing).rejects.toThrow(HistoryUnavailableError);
  await expect(failing).rejects.toThrow(reason);
});

it('passes a refusal on', async () => {
  const refusing = opened({ aggregate: () => Promise.reject(new HistoryRefusedError('own', 'no such metric')) });
  await expect(refusing.aggregate(request)).rejects.toThrow(HistoryRefusedError);
});

it('has a place in the order of sources; a missing plugin is skipped and named', async () => {
  const settings = { order: ['lost', 'broken', 'own'], strategyOrders: ['basic=own'] };
  const broken = {
    name: 'broken',
    open: () => {
      throw new Error('no password');
    },
  };
  const plugins = [sourceOf({}), broken];
  const sources = connectDataSources(settings, { logger, clock, plugins, absentBecause: 'its plugin is broken' });

  expect(await sources.aggregateFrom?.(request)).toEqual({
    values: new Map([['compute-1', 12]]),
    source: 'own',
    passedOver: ['history store lost: its plugin is broken', 'history store broken: cannot be opened: no password'],
  });
  expect(sources.forStrategy('basic').name).toBe('own');
  await sources.close();
  expect(() => connectDataSources(settings, { logger, clock, plugins })).toThrow(
    /unknown data source lost; known data sources: .*own/,
  );
});

it('leaves the next source enough time when it hangs', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const hanging = { ...sourceOf({ aggregate: () => new Promise(() => {}) }), name: 'hanging' };
  const settings = { order: ['hanging', 'own'], strategyOrders: [] };
  const sources = connectDataSources(settings, { logger, clock, plugins: [hanging, sourceOf({})] });

  const failing = sources.aggregateFrom?.(request);
  await vi.advanceTimersByTimeAsync(15_000);

  await expect(Promise.race([failing, 'still waiting'])).resolves.toMatchObject({
    source: 'own',
    passedOver: ['history store hanging: no response within 10 s'],
  });
});
