import { expect, it, onTestFinished, vi } from 'vitest';
import { silentLogger as logger } from '#libs/domain';
import { type HistoryReader, HistoryRefusedError, HistoryUnavailableError } from '../history-port.ts';
import { connectDataSources } from './connect-data-sources.ts';
import { openPluginSource } from './plugin-source.ts';

const clock = { now: () => 0 };
const request = { metric: 'host_cpu_usage', aggregate: 'mean', periodSeconds: 300 } as const;

function sourceOf(answers: Partial<HistoryReader>) {
  const reader: HistoryReader = {
    name: 'whatever it says',
    aggregate: async () => new Map([['compute-1', 12]]),
    series: async () => [{ at: 1, value: 2 }],
    listMetrics: async () => ['host_cpu_usage'],
    probe: async () => {},
    close: async () => {},
    ...answers,
  };
  return { name: 'own', open: () => reader };
}

const opened = (answers: Partial<HistoryReader>) =>
  openPluginSource(sourceOf(answers), { clock, logger, env: {} }, { limitMs: 50 });

it("returns the plugin's values, and is counted", async () => {
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
    'throws before it answers a promise',
    {
      aggregate: () => {
        throw new TypeError('x is undefined');
      },
    },
    /own: x is undefined/,
  ],
  ['never answers', { aggregate: () => new Promise(() => {}) }, /no response within 0.05 s/],
  ['answers no map', { aggregate: async () => ({}) as never }, /its result of aggregate/],
  ['answers what is not a number', { aggregate: async () => new Map([['a', Number.NaN]]) }, /its result of aggregate/],
])('one that %s counts as down', async (_what, answers, reason) => {
  const asking = opened(answers).aggregate(request);
  await expect(asking).rejects.toThrow(HistoryUnavailableError);
  await expect(asking).rejects.toThrow(reason);
});

it('a refusal stays one', async () => {
  const refusing = opened({ aggregate: () => Promise.reject(new HistoryRefusedError('own', 'no such metric')) });
  await expect(refusing.aggregate(request)).rejects.toThrow(HistoryRefusedError);
});

it('stands in the order of sources with the others; one that is not there is passed over, and named', async () => {
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
    passedOver: [
      'history store lost: its plugin is broken',
      'history store broken: it could not be opened: no password',
    ],
  });
  expect(sources.forStrategy('basic').name).toBe('own');
  await sources.close();
  expect(() => connectDataSources(settings, { logger, clock, plugins })).toThrow(
    /no data source lost; known are .*own/,
  );
});

it('a source that hangs leaves a caller with 30 s the time for the next source', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const hanging = { ...sourceOf({ aggregate: () => new Promise(() => {}) }), name: 'hanging' };
  const settings = { order: ['hanging', 'own'], strategyOrders: [] };
  const sources = connectDataSources(settings, { logger, clock, plugins: [hanging, sourceOf({})] });

  const asking = sources.aggregateFrom?.(request);
  await vi.advanceTimersByTimeAsync(15_000);

  await expect(Promise.race([asking, 'still waiting'])).resolves.toMatchObject({
    source: 'own',
    passedOver: ['history store hanging: no response within 10 s'],
  });
});
