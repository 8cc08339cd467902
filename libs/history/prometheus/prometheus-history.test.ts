// @needs prometheus
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Clock, silentLogger as logger } from '#libs/domain';
import { testServerUrl } from '#tests';
import { type HistoryReader, HistoryRefusedError, HistoryUnavailableError } from '../history-port.ts';
import { writeToPrometheus } from '../testing/index.ts';
import { startScriptedServer } from '../testing/scripted-server.ts';
import { createAetosHistory, createPrometheusHistory } from './prometheus-history.ts';

/** The last full hour. Prometheus delays the listing of samples that are much older than its newest. */
const nowMs = Math.floor(Date.now() / 3_600_000) * 3_600_000;
const clock: Clock = { now: () => nowMs };
const window = { aggregate: 'mean', periodSeconds: 300 } as const;
const suite = `${process.pid}_${process.hrtime.bigint()}`;

/** A separate label excludes the series of other runs, because the metrics of Watcher have their real names. */
const labels = { fqdnLabel: `fqdn_${suite}`, instanceLabel: `resource_${suite}` };

/** A sample every 15 s over the last 15 minutes. */
function every15s(value: (index: number) => number) {
  return Array.from({ length: 61 }, (_, index) => ({ at: nowMs - (60 - index) * 15_000, value: value(index) }));
}

/** Idle time of one CPU that is busy for `percent(index)` of each 15 s. */
function idle(fqdn: string, cpu: string, percent: (index: number) => number) {
  let total = 1000;
  const samples = every15s((index) => {
    total += 15 * (1 - percent(index) / 100);
    return total;
  });
  return { name: 'node_cpu_seconds_total', labels: { [labels.fqdnLabel]: fqdn, mode: 'idle', cpu }, samples };
}

function gauge(name: string, label: string, resource: string, value: (index: number) => number) {
  return { name, labels: { [label]: resource }, samples: every15s(value) };
}

/** Time in which tasks of a host waited for a CPU for this percentage. */
function pressure(fqdn: string, percent: number) {
  return gauge('node_pressure_cpu_waiting_seconds_total', labels.fqdnLabel, fqdn, (index) => index * 0.15 * percent);
}

describe('Prometheus with the metrics of node_exporter and Ceilometer', () => {
  let history: HistoryReader;
  const gib = 1024 ** 3;

  beforeAll(async () => {
    const url = testServerUrl('prometheus');
    await writeToPrometheus(url, [
      idle('compute-1.example.org', '0', () => 90),
      idle('compute-1.example.org', '1', () => 50),
      idle('compute-2.example.org', '0', () => 0),
      idle('compute-3:9100', '0', (index) => (index >= 50 ? 80 : 20)),
      gauge('node_memory_MemTotal_bytes', labels.fqdnLabel, 'compute-1.example.org', () => 64 * gib),
      gauge('node_memory_MemAvailable_bytes', labels.fqdnLabel, 'compute-1.example.org', (index) =>
        index % 2 === 0 ? 16 * gib : 48 * gib,
      ),
      { ...gauge('ceilometer_cpu', labels.instanceLabel, 'vm-4', (index) => index * 15e9 * 3) },
      { ...gauge('ceilometer_cpu', labels.instanceLabel, 'vm-unknown', (index) => index * 15e9) },
      { ...gauge('ceilometer_cpu', labels.instanceLabel, 'vm-wild', (index) => index * 15e9 * 20) },
      pressure('twin.one', 10),
      pressure('twin.two:9100', 20),
      gauge('ceilometer_memory_usage', labels.instanceLabel, 'vm-4', () => 0),
    ]);
    const mapping = { host_inlet_temp: `absent_${suite}` };
    history = createPrometheusHistory({ url, ...labels, mapping, logger, clock });
  });
  afterAll(() => history.close());

  it('returns CPU usage of hosts by full and short name, including 0', async () => {
    const values = await history.aggregate({ metric: 'host_cpu_usage', ...window });

    expect([...values.keys()].sort()).toEqual([
      'compute-1',
      'compute-1.example.org',
      'compute-2',
      'compute-2.example.org',
      'compute-3',
      'compute-3:9100',
    ]);
    expect(values.get('compute-1')).toBeCloseTo(70, 6);
    expect(values.get('compute-2.example.org')).toBeCloseTo(0, 6);
  });

  it('returns minimum and maximum over time', async () => {
    const query = { metric: 'host_cpu_usage', periodSeconds: 600, granularitySeconds: 30 } as const;
    const [low, high] = await Promise.all([
      history.aggregate({ ...query, aggregate: 'min' }),
      history.aggregate({ ...query, aggregate: 'max' }),
    ]);

    expect(low.get('compute-3')).toBeCloseTo(20, 6);
    expect(high.get('compute-3')).toBeCloseTo(80, 6);
    expect(high.get('compute-1')).toBeCloseTo(70, 6);
  });

  it('returns memory of hosts in KiB: total minus available', async () => {
    const read = (aggregate: 'mean' | 'min' | 'max') =>
      history.aggregate({ metric: 'host_ram_usage', aggregate, periodSeconds: 300 });
    const [mean, min, max] = await Promise.all([read('mean'), read('min'), read('max')]);

    expect(mean.get('compute-1')).toBeCloseTo(32 * 1024 * 1024, 3);
    expect(min.get('compute-1')).toBe(16 * 1024 * 1024);
    expect(max.get('compute-1')).toBe(48 * 1024 * 1024);
  });

  it('returns maxima above a limit by stored name, also inverted', async () => {
    const read = async (metric: 'host_cpu_usage' | 'host_ram_usage', limit: number) =>
      (await history.maximaAbove?.({ metric, aggregate: 'mean', periodSeconds: 300 }, limit)) ?? new Map();

    expect([...(await read('host_cpu_usage', 69)).keys()].sort()).toEqual(['compute-1.example.org', 'compute-3:9100']);
    expect(await read('host_cpu_usage', 110)).toEqual(new Map());
    expect((await read('host_ram_usage', 40 * 1024 * 1024)).get('compute-1.example.org')).toBe(48 * 1024 * 1024);
    expect(await read('host_ram_usage', 48 * 1024 * 1024)).toEqual(new Map());
  });

  it('divides CPU time by the virtual CPUs of each instance, and omits instances without them', async () => {
    const vcpus = new Map([
      ['vm-4', 4],
      ['vm-wild', 2],
    ]);
    const values = await history.aggregate({ metric: 'instance_cpu_usage', ...window, vcpus });

    expect([...values.keys()].sort()).toEqual(['vm-4', 'vm-wild']);
    expect(values.get('vm-4')).toBeCloseTo(75, 6);
    expect(values.get('vm-wild')).toBe(100);
  });

  it('returns a series of rates, and the existing metrics', async () => {
    const range = { startMs: nowMs - 300_000, endMs: nowMs, stepSeconds: 60 };
    const points = await history.series({ metric: 'instance_cpu_usage', resource: 'vm-4', vcpus: 4, ...range });

    expect(points.map(({ at }) => nowMs - at)).toEqual([300_000, 240_000, 180_000, 120_000, 60_000]);
    for (const { value } of points) expect(value).toBeCloseTo(75, 6);
    expect((await history.aggregate({ metric: 'instance_ram_usage', ...window })).get('vm-4')).toBe(0);
    const known = ['host_cpu_usage', 'host_ram_usage', 'instance_ram_usage'];
    await expect.poll(() => history.listMetrics()).toEqual(expect.arrayContaining(known));
    expect(await history.listMetrics()).not.toContain('host_inlet_temp');
    await expect(history.probe()).resolves.toBeUndefined();
  });

  it('returns no series for a short name that several hosts share', async () => {
    const range = { startMs: nowMs - 300_000, endMs: nowMs, stepSeconds: 300 };
    const read = (resource: string) => history.series({ metric: 'host_cpu_pressure', resource, ...range });

    expect((await read('twin.one'))[0]?.value).toBeCloseTo(10, 6);
    expect((await read('twin.two'))[0]?.value).toBeCloseTo(20, 6);
    expect((await read('twin.two:9100'))[0]?.value).toBeCloseTo(20, 6);
    expect(await read('twin')).toEqual([]);
  });

  it('refuses unmapped metrics, and passes on the error of the server for an invalid query', async () => {
    const failing = history.aggregate({ metric: 'host_power', ...window });
    await expect(failing).rejects.toThrow(HistoryRefusedError);
    await expect(failing).rejects.toThrow(/host_power is not mapped/);

    const mapping = { host_power: { metric: 'a', resourceLabel: 'not a label' } };
    const wrong = createPrometheusHistory({ url: testServerUrl('prometheus'), mapping, logger, clock });
    await expect(wrong.aggregate({ metric: 'host_power', ...window })).rejects.toThrow(/returned 400: .*parse error/);
    await wrong.close();
  });
});

const vector = (value: string) => ({
  status: 'success',
  data: { resultType: 'vector', result: [{ metric: { fqdn: 'a' }, value: [1, value] }] },
});

describe('a faulty Prometheus', () => {
  async function read(host: string, timeoutMs = 60_000) {
    const history = createPrometheusHistory({ url: `http://user:p%40ss@${host}/proxy/`, timeoutMs, logger, clock });
    return await history.aggregate({ metric: 'host_cpu_usage', ...window }).finally(() => history.close());
  }

  it('is queried again after a 503, with credentials and its path prefix; NaN is not a value', async () => {
    const server = await startScriptedServer((_, count) =>
      count === 1 ? { status: 503, body: 'busy' } : { status: 200, body: vector(count === 2 ? '0.25' : 'NaN') },
    );

    expect(await read(server.host)).toEqual(new Map([['a', 75]]));
    expect(await read(server.host)).toEqual(new Map());

    expect(server.requests.map(({ path }) => path)).toEqual(Array(3).fill('/proxy/api/v1/query'));
    expect(server.requests[0]?.headers.authorization).toBe(`Basic ${Buffer.from('user:p@ss').toString('base64')}`);
    expect(server.requests[0]?.query.get('time')).toBe(`${nowMs / 1000}.000`);
    expect(server.requests[0]?.query.get('query')).toBe(
      'avg by (fqdn) (rate(node_cpu_seconds_total{mode="idle"}[300000ms]))',
    );
    await server.close();
  });

  it.each([
    ['no answer', 'never', /no response within 0.2 s/, 1],
    ['a page', { status: 200, body: '<html>' }, /the response is not JSON/, 1],
    ['another API', { status: 200, body: { ok: true } }, /not from Prometheus/, 1],
    ['no credentials', { status: 401, body: '' }, /returned 401/, 1],
    ['failures', { status: 500, body: { status: 'error', error: 'disk full' } }, /returned 500: disk full/, 3],
  ] as const)('is reported: %s', async (_, response, message, tries) => {
    const server = await startScriptedServer(() => response);
    const failing = read(server.host, response === 'never' ? 200 : 60_000);

    await expect(failing).rejects.toThrow(HistoryUnavailableError);
    await expect(failing).rejects.toThrow(message);
    expect(server.requests).toHaveLength(tries);
    await server.close();
  });

  it('reports a closed port, without the password', async () => {
    const failing = read('127.0.0.1:1');
    await expect(failing).rejects.toThrow(/prometheus 127\.0\.0\.1:1\/proxy: .*ECONNREFUSED/);
    await expect(failing).rejects.not.toThrow(/p@ss|p%40ss/);
  });

  it('needs a valid URL', () => {
    const open = (url: string) => () => createPrometheusHistory({ url, logger, clock });
    expect(open('prometheus:9090')).toThrow(/VIGIL_PROMETHEUS_URL is not an http or https URL/);
    expect(open('http://h:9090/?a=b')).toThrow(/must not have a query/);
    expect(open('http://h:9090/%zz')).not.toThrow();
  });
});

describe('Aetos', () => {
  it('is found in the service catalogue and queried with a fresh token each time', async () => {
    const server = await startScriptedServer(() => ({ status: 200, body: vector('0') }));
    let tokens = 0;
    const history = createAetosHistory({
      async token() {
        tokens += 1;
        return `token-${tokens}`;
      },
      endpoint: async () => `http://${server.host}/metric-storage/`,
      logger,
      clock,
    });

    expect(await history.aggregate({ metric: 'host_cpu_usage', ...window })).toEqual(new Map([['a', 100]]));
    await history.probe();

    expect(server.requests.map(({ headers }) => headers['x-auth-token'])).toEqual(['token-1', 'token-2']);
    expect(server.requests[0]?.path).toBe('/metric-storage/api/v1/query');
    await history.close();
    await server.close();
  });

  it('is reported when the service catalogue lacks it', async () => {
    const history = createAetosHistory({ token: async () => 't', endpoint: async () => null, logger, clock });
    await expect(history.probe()).rejects.toThrow(/no service of type metric-storage/);
  });
});
