import { describe, expect, test } from 'vitest';
import { silentLogger } from '#libs/domain';
import type { HistoryReader } from '#libs/history';
import { type ClusterSummaryResponse, foundKinds, isRefusal, type RpcRefusal } from '#libs/messaging';
import { createTestWorld } from '#libs/plugin-kit/testing';
import { createMetrics } from '#libs/service-kit';
import { hostsOfPlan } from '../audit-runner/hosts-of-plan.ts';
import { createModelKeeper } from '../model/model-keeper.ts';
import { describeCluster, describeHost, describeInstance } from './describe-cluster.ts';
import { describeRules } from './describe-rules.ts';
import { describeUses } from './describe-uses.ts';
import { findInCluster } from './find-in-cluster.ts';
import { readSeries } from './read-series.ts';
import { createSpreadReader } from './spread-reader.ts';

const now = Date.parse('2026-06-01T12:00:00Z');
const hosts = ['b', 'a', 'c'].map((hostname) => ({ hostname, vcpus: 16, memory: 65_536, disk: 1000 }));
const instances = ['x', 'y'].map((name) => ({ name, host: 'a', vcpus: 4, memory: 4096, disk: 10 }));
const request = { max_age_seconds: 60, load_period_seconds: 300 };

interface Measured {
  values?: Record<string, number>;
  /** Percent of time that instances wait for CPUs. Default: not measured. */
  steal?: Record<string, number>;
  fault?: string;
}

function setUp(measured: Measured = {}, collect = async () => createTestWorld({ hosts, instances, takenAtMs: now })) {
  const clock = { now: () => now };
  const requested: { metric: string; endMs?: number; resources?: readonly string[] }[] = [];
  const history: HistoryReader = {
    name: 'test',
    async aggregate(query) {
      requested.push(query);
      if (measured.fault) throw new Error(measured.fault);
      if (query.metric === 'instance_cpu_steal') return new Map(Object.entries(measured.steal ?? {}));
      return new Map(query.metric === 'host_ram_usage' ? [] : Object.entries(measured.values ?? {}));
    },
    series: async ({ startMs }) => [{ at: startMs, value: 12.345 }],
    listMetrics: async () => [],
    probe: async () => undefined,
    close: async () => undefined,
  };
  let collections = 0;
  const counted = () => {
    collections += 1;
    return collect();
  };
  const model = createModelKeeper({ collect: counted, clock, logger: silentLogger, metrics: createMetrics('test') });
  return { model, history, clock, logger: silentLogger, asked: requested, collections: () => collections };
}

function accepted<Result extends object>(response: Result | RpcRefusal): Result {
  if (isRefusal(response)) throw new Error(response.error.message);
  return response;
}

describe('cluster.summary', () => {
  test('has every host with allocation and load, and the sums', async () => {
    const summary = accepted(await describeCluster(request, setUp({ values: { a: 60, b: 20 } })));

    expect(summary).toMatchObject({ age_seconds: 0, complete: true, load: { sources: ['test'], error: null } });
    expect(summary.hosts.map(({ hostname, instances: count, cpu_load }) => [hostname, count, cpu_load])).toEqual([
      ['a', 2, 60],
      ['b', 0, 20],
      ['c', 0, null],
    ]);
    expect(summary.hosts[0]).toMatchObject({ state: 'up', status: 'enabled', vcpus: { total: 16, used: 8 } });
    expect(summary.totals).toMatchObject({ hosts: 3, hosts_empty: 2, instances: 2, memory: { used: 8192 } });
    expect(summary.totals.cpu_load).toEqual({ mean: 40, deviation: 20, min: 20, max: 60, hosts: 2 });
  });

  test('without a data source the hosts are shown, and why there are no loads', async () => {
    const summary = accepted(await describeCluster(request, setUp({ fault: 'influxdb is unavailable' })));

    expect(summary.load).toMatchObject({ sources: [], error: 'influxdb is unavailable' });
    expect(summary.totals.cpu_load).toBeNull();
    expect(summary.hosts).toHaveLength(3);
  });

  test('returns the old model immediately while the next is collected, even when that fails', async () => {
    let collect = async () => createTestWorld({ hosts, instances, takenAtMs: now - 3_600_000 });
    const deps = setUp({}, () => collect());
    const ages: number[] = [];
    const ask = async () =>
      ages.push(accepted<ClusterSummaryResponse>(await describeCluster(request, deps)).age_seconds);
    await ask();
    collect = () => Promise.reject(new Error('Nova is unavailable'));
    await ask();
    collect = async () => createTestWorld({ hosts, instances, takenAtMs: now });
    await ask();
    await ask();

    expect(ages).toEqual([3600, 3600, 3600, 0]);
    expect(deps.collections()).toBe(3);
  });

  test('shows the last model while one that changes have outdated is collected again', async () => {
    let collect = async () => createTestWorld({ hosts, instances, takenAtMs: now });
    const deps = setUp({}, () => collect());
    accepted(await describeCluster(request, deps));
    let release: () => void = () => undefined;
    collect = () =>
      new Promise((resolve) => {
        release = () => resolve(createTestWorld({ hosts: hosts.slice(1), takenAtMs: now }));
      });
    deps.model.change(() => null);
    expect(accepted(await describeCluster(request, deps)).hosts).toHaveLength(3);
    const collected = deps.model.fresh(60_000);
    release();
    await collected;
    expect(accepted(await describeCluster(request, deps)).hosts).toHaveLength(2);
  });

  test('refuses when there is no model', async () => {
    const deps = setUp({}, () => Promise.reject(new Error('Nova is unavailable')));
    expect(await describeCluster(request, deps)).toEqual({
      error: { code: 'model_not_available', message: 'Nova is unavailable' },
    });
  });
});

test('cluster.host has the instances of one host with their loads', async () => {
  const deps = setUp();
  const uuid = (await deps.model.fresh(60_000)).instanceInfo[0]?.uuid ?? '';
  const { host, instances: shown } = accepted(
    await describeHost(
      { ...request, hostname: 'a' },
      { ...deps, ...setUp({ values: { [uuid]: 33.333 } }), model: deps.model },
    ),
  );

  expect(host).toMatchObject({ hostname: 'a', instances: 2 });
  expect(shown.map(({ name, state, cpu_load }) => [name, state, cpu_load])).toEqual([
    ['x', 'active', 33.33],
    ['y', 'active', null],
  ]);
  expect(await describeHost({ ...request, hostname: 'z' }, deps)).toMatchObject({ error: { code: 'host_not_found' } });
});

test('cluster.host and cluster.instance read only the loads that they show', async () => {
  const deps = setUp();
  const [x = '', y = ''] = (await deps.model.fresh(60_000)).instanceInfo.map(({ uuid }) => uuid);
  await describeHost({ ...request, hostname: 'a' }, deps);
  expect(deps.asked.map(({ metric, resources }) => [metric, resources])).toEqual(
    ['host_cpu_usage', 'host_ram_usage', 'instance_cpu_usage', 'instance_cpu_steal'].map((metric) => [
      metric,
      ['a', x, y],
    ]),
  );
  deps.asked.length = 0;
  await describeInstance(
    { ...request, uuid: y },
    { ...deps, store: { db: { placementRules: { list: async () => [] } } } as never },
  );
  expect(deps.asked.map(({ resources }) => resources)).toEqual([[y], [y]]);
});

test('cluster.host and cluster.instance have the part of the demanded CPU time that instances get', async () => {
  const deps = setUp();
  const [x = '', y = ''] = (await deps.model.fresh(60_000)).instanceInfo.map(({ uuid }) => uuid);
  const withSteal = { ...setUp({ values: { [x]: 47, [y]: 20 }, steal: { [x]: 3 } }), model: deps.model };
  const { instances: shown } = accepted(await describeHost({ ...request, hostname: 'a' }, withSteal));

  expect(shown.map(({ name, cpu_served }) => [name, cpu_served])).toEqual([
    ['x', 94],
    ['y', null],
  ]);
});

test('history.series checks its window and its metrics', async () => {
  const deps = setUp();
  const base = { resource: 'a', metrics: ['host_cpu_usage' as const], start: 0, end: 3600, step: 60 };
  expect(accepted(await readSeries(base, deps)).series).toEqual([
    { metric: 'host_cpu_usage', unit: '%', at: [0], values: [12.35] },
  ]);
  for (const wrong of [{ step: 1 }, { end: 0 }, { end: 1e9 }, { metrics: [] }])
    expect(await readSeries({ ...base, ...wrong }, deps)).toMatchObject({ error: { code: 'invalid_input' } });
});

test('history.spread queries a past step once, and a running step again', async () => {
  const deps = setUp({ values: { a: 60, b: 20 } });
  const read = createSpreadReader(deps);
  const window = { metric: 'host_cpu_usage' as const, start: now / 1000 - 3600, end: now / 1000, step: 600 };

  const first = accepted(await read(window));
  await read(window);

  expect(first).toMatchObject({ mean: Array(6).fill(40), deviation: Array(6).fill(20), count: Array(6).fill(2) });
  expect(first.at).toEqual(first.at.map((_, index) => now / 1000 - 3000 + index * 600));
  expect(deps.asked).toHaveLength(7);
});

test('history.spread shows the values since the last full step, at a time in the past', async () => {
  const deps = setUp({ values: { a: 60, b: 20 } });
  const read = createSpreadReader(deps);
  const noon = now / 1000;
  const ask = async (end: number, step: number) =>
    accepted(await read({ metric: 'host_cpu_usage', start: end - 40 * step, end, step })).at.slice(-2);

  // The window of a day ends in the future, at its next rounding step.
  expect(await ask(noon + 600, 25_200)).toEqual([noon - 10_800, noon]);
  expect(deps.asked.at(-1)?.endMs).toBe(now);
  expect(await ask(noon - 600, 1800)).toEqual([noon - 1800, noon - 600]);
  // In the current minute, not all hosts have reported yet.
  expect(await ask(noon - 1, 60)).toEqual([noon - 120, noon - 60]);
});

test('cluster.uses has the values that plans store', async () => {
  const snapshot = createTestWorld({
    hosts: [{ ...hosts[0]!, dedicatedCpus: 8 }, { ...hosts[1]!, status: 'disabled' }, hosts[2]!],
    instances: [
      ...instances,
      { name: 'z', host: 'b', vcpus: 2, memory: 100, disk: 1, flavorExtraSpecs: { 'hw:cpu_policy': 'dedicated' } },
    ],
    takenAtMs: now,
  });
  const plan = hostsOfPlan(snapshot, []);
  const uses = accepted(
    await describeUses(
      { hostnames: ['c', 'b', 'a', 'none'] },
      setUp({}, async () => snapshot),
    ),
  );
  expect(uses).toEqual({
    taken_at: plan.modelTakenAt,
    hosts: plan.hosts.map(({ hostname, before }) => ({ hostname, use: before })),
  });
  expect(uses.hosts.map(({ use }) => use.instances)).toEqual([2, 1, 0]);
});

test('finds the first names of many, in the order of their numbers', async () => {
  const names = Array.from({ length: 300 }, (_, number) => `vm-${(number * 7) % 300}`);
  const many = names.map((name) => ({ name, host: 'a', vcpus: 1, memory: 1, disk: 1 }));
  const deps = setUp({}, async () => createTestWorld({ hosts, instances: many, takenAtMs: now }));
  const found = async (text: string, limit: number) =>
    accepted(await findInCluster({ text, kinds: ['instance'], limit }, deps));
  const first = await found('', 20);
  expect(first.found.map(({ name }) => name)).toEqual(Array.from({ length: 20 }, (_, number) => `vm-${number}`));
  expect(first.more).toBe(280);
  expect((await found('vm-29', 3)).found.map(({ name }) => name)).toEqual(['vm-29', 'vm-290', 'vm-291']);
});

test('lists flavors from small to large, a better match first', async () => {
  const sizes = {
    'm1.xlarge': [8, 16_384],
    'm1.tiny': [1, 512],
    'm1.small': [1, 2048],
    'm1.large': [4, 8192],
  } as const;
  const instances = Object.entries(sizes).flatMap(([flavorName, [vcpus, memory]], place) =>
    Array.from({ length: 4 - place }, (_, number) => ({
      ...{ name: `${flavorName}-${number}`, host: 'b', flavorName, vcpus, memory, disk: 1 },
    })),
  );
  const deps = setUp({}, async () => createTestWorld({ hosts, instances, takenAtMs: now }));
  const names = async (text: string, limit = 10) =>
    accepted(await findInCluster({ text, kinds: ['flavor'], limit }, deps)).found.map(({ name }) => name);
  expect(await names('')).toEqual(['m1.tiny', 'm1.small', 'm1.large', 'm1.xlarge']);
  expect(await names('large')).toEqual(['m1.large', 'm1.xlarge']);
  // The most frequent ones are chosen, and then sorted.
  expect(await names('', 2)).toEqual(['m1.tiny', 'm1.xlarge']);
});

test('finds hosts, instances, projects, flavors, zones and racks by name and id, the best first', async () => {
  const names = ['web-10', 'web-2', 'old-web', 'db'];
  const named = names.map((name) => ({ name, host: 'a', projectId: name === 'db' ? 'p2' : 'p1', flavorName: 'm1' }));
  const deps = setUp({}, async () => createTestWorld({ hosts, instances: named, takenAtMs: now }));
  const find = async (text: string, kinds = foundKinds.slice(), limit = 10) =>
    accepted(await findInCluster({ text, kinds, limit }, deps));
  expect((await find('WEB')).found.map(({ name, host }) => [name, host])).toEqual([
    ['web-2', 'a'],
    ['web-10', 'a'],
    ['old-web', 'a'],
  ]);
  expect(await find('web', ['instance'], 1)).toMatchObject({ found: [{ name: 'web-2' }], more: 2 });
  const onB = named.map((instance) => ({ ...instance, host: 'b' }));
  const full = setUp({}, async () => createTestWorld({ hosts, instances: onB, takenAtMs: now }));
  const fullest = accepted(await findInCluster({ text: '', kinds: ['host'], limit: 10 }, full));
  expect(fullest.found.map(({ id }) => id)).toEqual(['b', 'a', 'c']);
  const { found } = await find('', ['host', 'project', 'flavor']);
  expect(found.map(({ kind, id, instances: count }) => [kind, id, count])).toEqual([
    ['host', 'a', 4],
    ['host', 'b', 0],
    ['host', 'c', 0],
    ['project', 'p1', 3],
    ['project', 'p2', 1],
    ['flavor', 'm1', 4],
  ]);
  const aggregates = [{ name: 'left', metadata: { rack: 'r1' } }];
  const inRack = hosts.map((host) => ({ ...host, zone: host.hostname === 'a' ? 'az1' : 'az2', aggregates: ['left'] }));
  const parts = setUp({}, async () => createTestWorld({ hosts: inRack, instances: named, aggregates, takenAtMs: now }));
  const { found: lost } = accepted(await findInCluster({ text: '', kinds: ['zone', 'rack'], limit: 10 }, parts));
  expect(lost.map(({ kind, id, instances: count }) => [kind, id, count])).toEqual([
    ['zone', 'az1', 4],
    ['zone', 'az2', 0],
    ['rack', 'left', 4],
    ['rack', 'r1', 4],
  ]);
  const uuid = (await deps.model.fresh(60_000)).instanceInfo[3]?.uuid ?? '';
  expect((await find(uuid.slice(0, 35).toUpperCase(), ['instance'])).found.map(({ id }) => id)).toContain(uuid);
  for (const wrong of [{ limit: 0 }, { limit: 101 }, { text: 'x'.repeat(256) }, { kinds: ['pool' as never] }])
    expect(await findInCluster({ text: '', kinds: ['host'], limit: 1, ...wrong }, deps)).toMatchObject({
      error: { code: 'invalid_input' },
    });
});

test('an instance has its host and its rules, and rules have their subjects', async () => {
  const rule = { uuid: 'r', name: 'off a', kind: 'avoid_hosts', instances: { names: ['x'] }, hosts: { names: ['a'] } };
  const store = { db: { placementRules: { list: async () => [{ ...rule, isStrict: true, maxPerHost: null }] } } };
  const deps = { ...setUp(), store: store as never };
  const uuid = (await deps.model.fresh(60_000)).instanceInfo[0]?.uuid ?? '';
  expect(accepted(await describeInstance({ ...request, uuid }, deps)).instance).toMatchObject({
    name: 'x',
    hostname: 'a',
    rules: ['off a'],
    group_policy: null,
  });
  const missing = await describeInstance({ ...request, uuid: 'none' }, deps);
  expect(missing).toMatchObject({ error: { code: 'instance_not_found' } });
  expect(accepted(await describeRules(deps)).rules).toEqual([
    { uuid: 'r', instances: 1, hosts: 1, misplaced: 1, examples: [{ uuid, name: 'x', hostname: 'a' }] },
  ]);
});
