import { describe, expect, it } from 'vitest';
import { createMetricsReader, type MetricsSource } from './metrics-reader.ts';
import { createTestWorld, testUuid } from './testing/index.ts';

const snapshot = createTestWorld({
  hosts: [{ hostname: 'a' }, { hostname: 'b' }, { hostname: 'c' }],
  instances: [
    { name: 'x', host: 'a' },
    { name: 'y', host: 'b' },
  ],
});
const vcpusOfInstances = () =>
  new Map(snapshot.instanceInfo.map(({ uuid }, row) => [uuid, snapshot.instances.vcpus[row]]));
const window = { periodSeconds: 300, aggregate: 'mean' } as const;

function recordingSource(values: Record<string, number>, failures = 0) {
  const requested: object[] = [];
  let left = failures;
  const source: MetricsSource = {
    aggregate: async (query) => {
      requested.push(query);
      if (left > 0) {
        left -= 1;
        throw new Error('the store is unavailable');
      }
      return new Map(Object.entries(values));
    },
  };
  return { source, asked: requested };
}

describe('createMetricsReader', () => {
  it('reads windows that ended a while ago, from the fixed end or from now, each once', async () => {
    const before = { ...window, endsSecondsAgo: 300 };
    const ends = async (options: { endMs?: number; clock?: { now(): number } }) => {
      const { source, asked } = recordingSource({ a: 1 });
      const { reader } = createMetricsReader({ history: source, snapshot, ...options });
      for (const each of [window, before, before]) await reader.hosts('host_cpu_usage', each);
      return asked;
    };
    const plain = { metric: 'host_cpu_usage', ...window };
    const fixed = await ends({ endMs: 900_000 });
    expect(fixed).toEqual([900_000, 600_000].map((endMs) => ({ ...plain, endMs })));
    const now = await ends({ clock: { now: () => 500_000 } });
    expect(now).toEqual([undefined, 200_000].map((endMs) => ({ ...plain, endMs })));
    await expect(ends({})).rejects.toThrow('endsSecondsAgo');
  });

  it('shortens windows of hosts that end now, and reports hosts whose values it cuts off', async () => {
    const hosts = [
      { hostname: 'a' },
      { hostname: 'b' },
      { hostname: 'c' },
      { hostname: 'down', state: 'down' as const },
    ];
    const requested: { metric: string; periodSeconds: number }[] = [];
    const source: MetricsSource = {
      async aggregate(query) {
        requested.push(query);
        // `c` never has a value. `b` and `down` have none in the last 20 s.
        const old: [string, number][] =
          query.periodSeconds > 20
            ? [
                ['b', 2],
                ['down', 4],
              ]
            : [];
        return new Map([['a', 1], ...old]);
      },
    };
    const gaps: string[] = [];
    const hostWindow = { seconds: 20, onGap: (names: readonly string[]) => void gaps.push(...names) };
    const world = createTestWorld({ hosts, instances: [{ name: 'x', host: 'a' }] });
    const { reader, uses } = createMetricsReader({ history: source, snapshot: world, endMs: 900_000, hostWindow });

    const values = await reader.hosts('host_cpu_usage', window);
    await reader.hosts('host_cpu_usage', { ...window, endsSecondsAgo: 300 });
    await reader.hosts('host_ram_usage', { ...window, periodSeconds: 10 });
    await reader.instances('instance_cpu_usage', window);

    expect([...values]).toEqual([1, Number.NaN, Number.NaN, Number.NaN]);
    expect(gaps).toEqual(['b']);
    expect(requested.map(({ metric, periodSeconds }) => [metric, periodSeconds])).toEqual([
      ['host_cpu_usage', 20],
      ['host_cpu_usage', 300],
      ['host_cpu_usage', 300],
      ['host_ram_usage', 10],
      ['instance_cpu_usage', 300],
    ]);
    expect(uses()[0]).toMatchObject({ periodSeconds: 300, missing: 3 });
  });

  it('counts values that are not finite as missing', async () => {
    const { source } = recordingSource({ a: Number.POSITIVE_INFINITY, b: Number.NEGATIVE_INFINITY, c: 3 });
    const { reader, uses } = createMetricsReader({ history: source, snapshot });
    expect([...(await reader.hosts('host_cpu_usage', window))]).toEqual([Number.NaN, Number.NaN, 3]);
    expect(uses()[0]).toMatchObject({ missing: 2, missingExamples: ['a', 'b'] });
  });

  it('aligns values with the rows and records missing ones', async () => {
    const { source, asked } = recordingSource({ c: 3, a: 1, stranger: 9, [testUuid('y')]: 7 });
    const took: number[] = [];
    const { reader, uses } = createMetricsReader({
      history: source,
      snapshot,
      endMs: 5000,
      onQuery: (ms) => took.push(ms),
    });

    expect([...(await reader.hosts('host_cpu_usage', window))]).toEqual([1, Number.NaN, 3]);
    expect([...(await reader.instances('instance_cpu_usage', window))]).toEqual([Number.NaN, 7]);

    expect(asked).toEqual([
      { metric: 'host_cpu_usage', endMs: 5000, ...window },
      { metric: 'instance_cpu_usage', endMs: 5000, ...window, vcpus: vcpusOfInstances() },
    ]);
    expect(took).toHaveLength(2);
    const common = { aggregate: 'mean', periodSeconds: 300 };
    expect(uses()).toEqual([
      {
        metric: 'host_cpu_usage',
        resourceType: 'compute_node',
        ...common,
        asked: 3,
        missing: 1,
        missingExamples: ['b'],
      },
      {
        metric: 'instance_cpu_usage',
        resourceType: 'instance',
        ...common,
        asked: 2,
        missing: 1,
        missingExamples: [testUuid('x')],
      },
    ]);
  });

  it('records which source served, and which did not', async () => {
    const { source } = recordingSource({ a: 1 });
    const passedOver = ['prometheus: no values'];
    const late = { resources: 1, ageSeconds: 460 };
    const named = createMetricsReader({ history: { ...source, name: 'postgres' }, snapshot });
    const several = createMetricsReader({
      history: {
        ...source,
        aggregateFrom: async (query) => ({
          values: await source.aggregate(query),
          source: 'gnocchi',
          passedOver,
          late,
        }),
      },
      snapshot,
    });

    await named.reader.hosts('host_cpu_usage', window);
    await several.reader.hosts('host_cpu_usage', window);

    expect(named.uses()[0]).toMatchObject({ source: 'postgres', missing: 2 });
    expect(named.uses()[0]).not.toHaveProperty('late');
    expect(named.uses()[0]).not.toHaveProperty('passedOver');
    expect(several.uses()[0]).toMatchObject({ source: 'gnocchi', passedOver, late, missing: 2 });
  });

  it('queries the store once for equal queries, and returns copies', async () => {
    const { source, asked } = recordingSource({ a: 1 });
    const { reader, uses } = createMetricsReader({ history: source, snapshot });

    const [first, second] = await Promise.all([
      reader.hosts('host_cpu_usage', window),
      reader.hosts('host_cpu_usage', { ...window }),
    ]);
    first[0] = 99;
    await reader.hosts('host_cpu_usage', { ...window, aggregate: 'max' });

    expect(second[0]).toBe(1);
    expect(asked).toHaveLength(2);
    expect(uses()).toHaveLength(2);
  });

  it('reports windows that differ by their end only as one, with the gaps of the worst', async () => {
    const values = [{ a: 1, b: 2 }, { a: 1 }, { a: 1, b: 2 }].map((found) => new Map(Object.entries(found)));
    const history = { aggregate: async () => values.shift() ?? new Map<string, number>() };
    const { reader, uses } = createMetricsReader({ history, snapshot, endMs: 900_000 });
    for (const endsSecondsAgo of [0, 60, 120]) await reader.hosts('host_cpu_usage', { ...window, endsSecondsAgo });
    await reader.hosts('host_cpu_usage', { ...window, periodSeconds: 60 });
    expect(uses()).toMatchObject([
      { periodSeconds: window.periodSeconds, windows: 3, missing: 2, missingExamples: ['b', 'c'] },
      { periodSeconds: 60, missing: 3 },
    ]);
    expect(uses()[1]).not.toHaveProperty('windows');
  });

  it('passes failures on and queries again afterwards', async () => {
    const { source } = recordingSource({ a: 1 }, 1);
    const { reader } = createMetricsReader({ history: source, snapshot });

    await expect(reader.hosts('host_cpu_usage', window)).rejects.toThrow('the store is unavailable');
    expect((await reader.hosts('host_cpu_usage', window))[0]).toBe(1);
  });

  it('refuses a metric of the other kind', async () => {
    const { reader } = createMetricsReader({ history: recordingSource({}).source, snapshot });

    await expect(reader.hosts('instance_cpu_usage', window)).rejects.toThrow(/not a metric of compute_node resources/);
    await expect(reader.instances('host_power', window)).rejects.toThrow(/not a metric of instance resources/);
  });
});
