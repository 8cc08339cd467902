// @needs gnocchi
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Clock, silentLogger as logger } from '#libs/domain';
import { testServerUrl } from '#tests';
import { createFallbackHistory } from '../fallback/fallback-history.ts';
import { createGuardedSource } from '../fallback/guarded-source.ts';
import { type HistoryReader, HistoryUnavailableError } from '../history-port.ts';
import { createGnocchiFeed } from '../testing/index.ts';
import { startScriptedServer } from '../testing/scripted-server.ts';
import { createGnocchiHistory } from './gnocchi-history.ts';

const nowMs = Date.UTC(2026, 6, 3, 12, 0, 0);
const clock: Clock = { now: () => nowMs };
const window = { aggregate: 'mean', periodSeconds: 300 } as const;
const suite = `${process.pid}-${process.hrtime.bigint()}`;
const host = `compute-${suite}`;
const bare = `bare-${suite}`;
const instance = `00000000-0000-4000-8000-${String(process.hrtime.bigint()).slice(-12).padStart(12, '0')}`;

describe('Gnocchi with the metrics of Ceilometer', () => {
  let history: HistoryReader;

  beforeAll(async () => {
    const url = testServerUrl('gnocchi');
    const feed = await createGnocchiFeed(url);
    const hostId = `${host}_${host}`;
    await feed.addResource('generic', hostId, ['compute.node.cpu.percent', 'hardware.ipmi.node.airflow']);
    await feed.addResource('generic', bare, ['compute.node.cpu.percent']);
    await feed.addResource('instance', instance, ['cpu', 'memory.resident']);
    const minutes = Array.from({ length: 10 }, (_, index) => nowMs - index * 60_000);
    await feed.write([
      ...minutes.map((at, index) => ({
        resource: hostId,
        metric: 'compute.node.cpu.percent',
        at,
        value: index < 5 ? 10 * index : 100,
      })),
      { resource: hostId, metric: 'hardware.ipmi.node.airflow', at: nowMs - 1000, value: 7 },
      { resource: bare, metric: 'compute.node.cpu.percent', at: nowMs, value: 0 },
      { resource: instance, metric: 'memory.resident', at: nowMs - 200_000, value: 512 },
      // Polled every five minutes: 3 of 4 virtual CPUs are busy, then 1.
      ...[0, 1, 2, 3].map((index) => ({
        resource: instance,
        metric: 'cpu',
        at: nowMs - (3 - index) * 300_000,
        value: 300e9 * [0, 3, 6, 7][index]!,
      })),
    ]);
    history = createGnocchiHistory({ url, logger, clock });
  });
  afterAll(() => history.close());

  it('returns values of hosts by name, over the whole window', async () => {
    const read = (aggregate: 'mean' | 'min' | 'max' | 'count') =>
      history.aggregate({ metric: 'host_cpu_usage', aggregate, periodSeconds: 300 });
    const [mean, min, max, count] = await Promise.all([read('mean'), read('min'), read('max'), read('count')]);

    expect(mean.get(host)).toBeCloseTo(20, 9);
    expect([min.get(host), max.get(host), count.get(host)]).toEqual([0, 40, 5]);
    expect(mean.get(bare)).toBe(0);
    expect((await history.aggregate({ metric: 'host_airflow', ...window })).get(host)).toBe(70);
  });

  it('uses the requested granularity', async () => {
    const coarse = { metric: 'host_cpu_usage', aggregate: 'max', periodSeconds: 300, granularitySeconds: 300 } as const;
    // The granule that starts at noon has one sample.
    expect((await history.aggregate(coarse)).get(host)).toBe(0);
    expect((await history.aggregate({ ...coarse, granularitySeconds: 60 })).get(host)).toBe(40);
  });

  it('turns the growth of CPU time into percent of the virtual CPUs', async () => {
    const query = { metric: 'instance_cpu_usage', aggregate: 'mean', vcpus: new Map([[instance, 4]]) } as const;

    expect((await history.aggregate({ ...query, periodSeconds: 300 })).get(instance)).toBeCloseTo(25, 9);
    expect((await history.aggregate({ ...query, periodSeconds: 900 })).get(instance)).toBeCloseTo(
      (75 + 75 + 25) / 3,
      9,
    );
    const coarse = await history.aggregate({ ...query, periodSeconds: 300, granularitySeconds: 300 });
    expect(coarse.get(instance)).toBeCloseTo(25, 9);
    expect((await history.aggregate({ ...query, periodSeconds: 300, vcpus: new Map() })).has(instance)).toBe(false);
  });

  it('returns series, and nothing for unknown resources', async () => {
    const range = { startMs: nowMs - 1_200_000, endMs: nowMs + 1, stepSeconds: 300 };
    const cpu = { metric: 'instance_cpu_usage', ...range, vcpus: 4 } as const;

    expect((await history.series({ ...cpu, resource: instance })).map(({ value }) => value)).toEqual([75, 75, 25]);
    expect(await history.series({ ...cpu, resource: 'nobody' })).toEqual([]);
    const ofHost = await history.series({
      metric: 'host_cpu_usage',
      resource: host,
      ...range,
      startMs: nowMs - 120_000,
    });
    expect(ofHost).toEqual([
      { at: nowMs - 300_000, value: 40 },
      { at: nowMs, value: 0 },
    ]);
  });

  it('reads instances with different archive policies, and skips one without the aggregation', async () => {
    const feed = await createGnocchiFeed(testServerUrl('gnocchi'));
    const other = instance.replace(/^00000000/, '00000001');
    const odd = instance.replace(/^00000000/, '00000002');
    await feed.addPolicy(`without-rate-${suite}`, ['mean'], '60s');
    await feed.addPolicy(`coarse-${suite}`, ['mean', 'rate:mean'], '150s');
    await feed.addResource('instance', odd, ['cpu'], `without-rate-${suite}`);
    await feed.addResource('instance', other, ['cpu'], `coarse-${suite}`);
    const samples = [0, 1, 2, 3].map((index) => ({ at: nowMs - (3 - index) * 150_000, value: 150e9 * index }));
    await feed.write([other, odd].flatMap((resource) => samples.map((one) => ({ resource, metric: 'cpu', ...one }))));

    const vcpus = new Map([instance, other, odd].map((id) => [id, 4]));
    const query = { metric: 'instance_cpu_usage', aggregate: 'mean', periodSeconds: 300, vcpus } as const;
    const found = await history.aggregate(query);
    expect(found.get(instance)).toBeCloseTo(25, 9);
    expect(found.get(other)).toBeCloseTo(25, 9);
    expect(found.has(odd)).toBe(false);
    expect(await history.aggregate(query)).toEqual(found);

    const ofOne = await history.aggregate({ ...query, resources: [other] });
    expect([...ofOne]).toEqual([[other, found.get(other)]]);
    expect((await history.aggregate({ ...query, resources: [other, odd] })).get(other)).toBeCloseTo(25, 9);
  });

  it('has no values of unknown metrics, and lists the known metrics', async () => {
    expect(await history.aggregate({ metric: 'instance_l3_cache_usage', ...window })).toEqual(new Map());
    const metrics = await history.listMetrics();
    expect(metrics).toEqual(expect.arrayContaining(['host_cpu_usage', 'host_airflow', 'instance_cpu_usage']));
    expect(metrics).not.toContain('instance_l3_cache_usage');
    await expect(history.probe()).resolves.toBeUndefined();
  });
});

const measures = [['2026-07-03T11:58:00+00:00', 60, 12]];
const refusal = { status: 400, body: { code: 400, description: { cause: 'Metrics can not be aggregated' } } };

describe('a Gnocchi with a processing backlog', () => {
  const at = (minute: number) => [`2026-07-03T11:${minute}:00+00:00`, 60, minute];
  const read = async (minutes: number[], periodSeconds = 900) => {
    const measuresOf = (all: number[]) => ({ 'compute.node.cpu.percent': { mean: all.map(at) } });
    const server = await startScriptedServer(() => ({
      status: 200,
      body: {
        references: [
          { id: 'r1', original_resource_id: 'late_late' },
          { id: 'r2', original_resource_id: 'new_new' },
        ],
        measures: { r1: measuresOf(minutes), r2: measuresOf([58, 59]) },
      },
    }));
    const history = createFallbackHistory(
      [createGuardedSource(createGnocchiHistory({ url: `http://${server.host}`, logger, clock }), clock)],
      logger,
    );
    const found = await history.aggregateFrom?.({
      metric: 'host_cpu_usage',
      aggregate: 'mean',
      periodSeconds,
    });
    await history.close();
    await server.close();
    return found;
  };

  it('returns the newest values of the period with their age', async () => {
    expect(await read([51, 52, 53])).toMatchObject({
      values: new Map([
        ['late', 52],
        ['new', 58.5],
      ]),
      source: 'gnocchi',
      late: { resources: 1, ageSeconds: 360 },
    });
  });

  it('reports no age within the sampling distance, and returns no values older than the period', async () => {
    expect(await read([44, 48, 52, 56])).not.toHaveProperty('late');
    expect((await read([51, 52], 300))?.values).toEqual(new Map([['new', 58.5]]));
  });
});

describe('maxima above a limit', () => {
  const at = '2026-07-03T11:58:00+00:00';
  const query = { metric: 'host_cpu_usage', ...window } as const;
  const isOfAll = ({ query: sent }: { query: URLSearchParams }) => sent.has('fill');

  async function readAbove(limit: number, isRefused = false) {
    const policy = { name: 'p', aggregation_methods: ['max'] };
    const metric = { id: 'm1', resource_id: 'r1', archive_policy: policy };
    const resource = { id: 'r1', metrics: { 'compute.node.cpu.percent': 'm1' } };
    const server = await startScriptedServer((request) => {
      if (request.path === '/v1/metric') return { status: 200, body: [metric] };
      if (request.path !== '/v1/aggregates') return { status: 200, body: [resource] };
      if (!isOfAll(request)) {
        const measuresOf = (value: number) => ({ 'compute.node.cpu.percent': { max: [[at, 60, value]] } });
        return { status: 200, body: { references: [], measures: { a: measuresOf(12), b: measuresOf(400) } } };
      }
      return isRefused ? refusal : { status: 200, body: { measures: { aggregated: [[at, 60, 400]] } } };
    });
    const history = createGnocchiHistory({ url: `http://${server.host}`, logger, clock });
    const found = await history.maximaAbove?.(query, limit);
    await history.close();
    await server.close();
    return {
      found,
      ofAll: server.requests.filter(isOfAll).length,
      others: server.requests.filter((one) => !isOfAll(one)).length,
    };
  }

  it('are read of no resource while the maximum of all is not above it', async () => {
    expect(await readAbove(400)).toEqual({ found: new Map(), ofAll: 1, others: 0 });
    expect(await readAbove(399)).toEqual({ found: new Map([['b', 400]]), ofAll: 1, others: 1 });
  });

  it('are read of all resources when Gnocchi refuses the maximum of all', async () => {
    expect((await readAbove(399, true)).found).toEqual(new Map([['b', 400]]));
  });
});

describe('a Gnocchi without aggregates of several resources', () => {
  it('is queried separately for each resource', async () => {
    const server = await startScriptedServer(({ path }) => {
      if (path === '/v1/aggregates') return refusal;
      const policy = { name: 'p', aggregation_methods: ['mean'] };
      const metrics = ['r1', 'r2'].map((id) => ({ id: `m-${id}`, resource_id: id, archive_policy: policy }));
      if (path === '/v1/metric') return { status: 200, body: metrics };
      if (path === '/v1/search/resource/generic') {
        const row = (id: string, name: string, metrics: object) => ({ id, original_resource_id: name, metrics });
        const one = row('r1', 'a_a', { 'compute.node.cpu.percent': 'm1' });
        return { status: 200, body: [one, row('r2', 'b_b', { 'compute.node.cpu.percent': 'm2' }), row('r3', 'c', {})] };
      }
      return path === '/v1/metric/m1/measures' ? { status: 200, body: measures } : { status: 404, body: '' };
    });
    const history = createGnocchiHistory({
      keystone: { token: async () => 'secret', endpoint: async () => `http://${server.host}/v1/` },
      logger,
      clock,
    });

    expect(await history.aggregate({ metric: 'host_cpu_usage', ...window })).toEqual(new Map([['a', 12]]));
    expect([...new Set(server.requests.map(({ path }) => path))].sort()).toEqual([
      '/v1/aggregates',
      '/v1/metric',
      '/v1/metric/m1/measures',
      '/v1/metric/m2/measures',
      '/v1/search/resource/generic',
    ]);
    expect(server.requests.every(({ headers }) => headers['x-auth-token'] === 'secret')).toBe(true);
    await history.close();
    await server.close();
  });

  it('reports an unavailable Gnocchi, and one that the service catalogue lacks', async () => {
    const down = createGnocchiHistory({ url: 'http://127.0.0.1:1', logger, clock });
    const failing = down.aggregate({ metric: 'host_cpu_usage', ...window });
    await expect(failing).rejects.toThrow(HistoryUnavailableError);
    await expect(failing).rejects.toThrow(/gnocchi 127\.0\.0\.1:1: .*ECONNREFUSED/);

    const keystone = { token: async () => 't', endpoint: async () => null };
    const absent = createGnocchiHistory({ keystone, logger, clock });
    await expect(absent.probe()).rejects.toThrow(/no service of type metric/);
  });
});
