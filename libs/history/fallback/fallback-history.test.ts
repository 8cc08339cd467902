import { expect, it } from 'vitest';
import { type Clock, InvalidInputError, silentLogger as logger, type MetricName } from '#libs/domain';
import { type HistoryReader, HistoryRefusedError, HistoryUnavailableError } from '../history-port.ts';
import { createCircuit } from './circuit.ts';
import { createFallbackHistory } from './fallback-history.ts';
import { createGuardedSource } from './guarded-source.ts';

const query = { metric: 'host_cpu_usage', aggregate: 'mean', periodSeconds: 300 } as const;

/** A source with changeable responses. `requests` counts the requests that reached it. */
function createSource(name: string, values: Record<string, number> | Error, mapped?: MetricName[]) {
  const state = { values, requests: 0 };
  async function respond<T>(make: (values: Record<string, number>) => T): Promise<T> {
    state.requests += 1;
    if (state.values instanceof Error) throw state.values;
    return make(state.values);
  }
  const reader: HistoryReader = {
    name,
    aggregate: () => respond((found) => new Map(Object.entries(found))),
    series: () => respond((found) => Object.values(found).map((value, at) => ({ at, value }))),
    listMetrics: () => respond((found) => (Object.keys(found).length > 0 ? ['host_cpu_usage' as const] : [])),
    probe: () => respond(() => undefined),
    close: async () => {},
    ...(mapped && { realNames: () => new Map(mapped.map((metric) => [metric, `real_${metric}`])) }),
  };
  return { reader, state };
}

function createSources(...sources: ReturnType<typeof createSource>[]) {
  const time = { ms: 0 };
  const clock: Clock = { now: () => time.ms };
  const guarded = sources.map(({ reader }) => createGuardedSource(reader, clock));
  return { history: createFallbackHistory(guarded, logger), time };
}

const down = () => new HistoryUnavailableError('first', 'connection refused');

it('takes all values of a metric from the first source that has it, and reports the source and why', async () => {
  const first = createSource('first', { a: 1 }, ['host_power']);
  const second = createSource('second', {});
  const third = createSource('third', { a: 3 });
  const fourth = createSource('fourth', { a: 4, b: 4 });
  const { history } = createSources(first, second, third, fourth);

  const result = await history.aggregateFrom?.(query);

  expect(result).toEqual({
    values: new Map([['a', 3]]),
    source: 'third',
    passedOver: ['first: has no mapping of host_cpu_usage', 'second: has no values of host_cpu_usage'],
  });
  expect([first, second, third, fourth].map(({ state }) => state.requests)).toEqual([0, 1, 1, 0]);
  expect(
    await history.series({ metric: 'host_cpu_usage', resource: 'a', startMs: 0, endMs: 1, stepSeconds: 1 }),
  ).toEqual([{ at: 0, value: 3 }]);
});

it('continues when a source is unavailable, and fails with all reasons when no other has values', async () => {
  const first = createSource('first', down());
  const second = createSource('second', { a: 2 });
  const { history } = createSources(first, second);

  expect(await history.aggregateFrom?.(query)).toMatchObject({
    source: 'second',
    passedOver: ['history store first: connection refused'],
  });

  second.state.values = {};
  const failing = history.aggregate(query);
  await expect(failing).rejects.toThrow(HistoryUnavailableError);
  await expect(failing).rejects.toThrow(
    /first: not queried for another 5 s after: .*connection refused; second: has no values/,
  );
});

it('returns nothing, and no source, when all sources respond and none has values', async () => {
  const { history } = createSources(createSource('first', {}), createSource('second', {}));
  expect(await history.aggregateFrom?.(query)).toMatchObject({ values: new Map(), source: null });
});

it('queries a failed source after a growing pause, one query at a time', async () => {
  const first = createSource('first', down());
  const second = createSource('second', { a: 2 });
  const { history, time } = createSources(first, second);

  await history.aggregate(query);
  for (let count = 0; count < 20; count += 1) await history.aggregate(query);
  expect(first.state.requests).toBe(1);

  time.ms = 5000;
  await Promise.all(Array.from({ length: 10 }, () => history.aggregate(query)));
  expect(first.state.requests).toBe(2);

  time.ms = 14_999;
  await history.aggregate(query);
  expect(first.state.requests).toBe(2);

  time.ms = 15_000;
  first.state.values = { a: 1 };
  expect(await history.aggregate(query)).toEqual(new Map([['a', 1]]));
  await history.aggregate(query);
  expect(first.state.requests).toBe(4);
});

it('pauses once for concurrent failures', async () => {
  const first = createSource('first', down());
  const { history, time } = createSources(first, createSource('second', { a: 2 }));

  await Promise.all(Array.from({ length: 10 }, () => history.aggregate(query)));
  expect(first.state.requests).toBe(10);

  time.ms = 5000;
  await history.aggregate(query);
  expect(first.state.requests).toBe(11);
});

it('queries again as soon as a probe succeeds', async () => {
  const first = createSource('first', down());
  const { history } = createSources(first, createSource('second', { a: 2 }));

  await history.aggregate(query);
  await history.probe();
  await history.aggregate(query);
  // A request and a probe.
  expect(first.state.requests).toBe(2);

  first.state.values = { a: 1 };
  await history.probe();
  expect(await history.aggregate(query)).toEqual(new Map([['a', 1]]));
});

it('treats a refusal as a response of an available source', async () => {
  const first = createSource('first', new HistoryRefusedError('first', 'no such series'));
  const { history } = createSources(first, createSource('second', { a: 2 }));

  await history.aggregate(query);
  await history.aggregate(query);

  expect(first.state.requests).toBe(2);
});

it('passes on invalid input, and a refusal of the only source: neither is an outage', async () => {
  const only = createSource('only', new HistoryRefusedError('only', 'out of range'));
  const { history } = createSources(only);
  await expect(history.aggregate(query)).rejects.toThrow(HistoryRefusedError);

  only.state.values = new InvalidInputError('endMs', 'is no moment');
  await expect(history.aggregate(query)).rejects.toThrow(InvalidInputError);

  only.state.values = { a: 1 };
  expect(await history.aggregate(query)).toEqual(new Map([['a', 1]]));
});

it('never pauses longer than five minutes', async () => {
  const time = { ms: 0 };
  const circuit = createCircuit({ source: 'x', clock: { now: () => time.ms } });
  for (let count = 0; count < 12; count += 1) {
    await expect(circuit.run(() => Promise.reject(down()))).rejects.toThrow(/connection refused/);
    time.ms += 300_000;
    expect(circuit.reason()).toBeNull();
  }
});

it('describes every source in any state', async () => {
  const { history } = createSources(
    createSource('first', down(), ['host_cpu_usage']),
    createSource('second', { a: 2 }, ['host_cpu_usage', 'host_power']),
  );

  expect(await history.describe?.()).toEqual([
    {
      name: 'first',
      available: false,
      reason: 'history store first: connection refused',
      metrics: [{ metric: 'host_cpu_usage', realName: 'real_host_cpu_usage', available: false }],
    },
    {
      name: 'second',
      available: true,
      reason: null,
      metrics: [
        { metric: 'host_cpu_usage', realName: 'real_host_cpu_usage', available: true },
        { metric: 'host_power', realName: 'real_host_power', available: false },
      ],
    },
  ]);
  await expect(history.probe()).resolves.toBeUndefined();
  expect(await history.listMetrics()).toEqual(['host_cpu_usage']);
});
