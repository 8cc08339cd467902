// @needs influxdb
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { silentLogger as logger, OperatorError } from '#libs/domain';
import { HistoryRefusedError, HistoryUnavailableError, type Sample } from '../history-port.ts';
import { type Influx2Emulator, startInflux2Emulator } from '../testing/influx2-emulator/index.ts';
import { createInfluxHistory, type InfluxHistoryOptions } from './influx-history.ts';

const nowMs = Date.UTC(2026, 5, 1);
const clock = { now: () => nowMs };
const sample: Sample = { metric: 'host_cpu_usage', resource: 'a', value: 12.5, at: nowMs - 1000 };
const lastMinute = { metric: 'host_cpu_usage', aggregate: 'mean', periodSeconds: 60 } as const;

describe('InfluxDB 2 history', () => {
  let server: Influx2Emulator;

  beforeAll(async () => {
    server = await startInflux2Emulator({ org: 'ops', bucket: 'vigil', token: 'hunter2' });
  });
  beforeEach(() => {
    server.requests.length = 0;
  });
  afterAll(() => server.close());

  function open(changes: Partial<InfluxHistoryOptions> = {}, parameters: Record<string, string> = {}) {
    const query = new URLSearchParams({ org: 'ops', bucket: 'vigil', token: 'hunter2', ...parameters });
    return createInfluxHistory({ url: `${server.url}/?${query}`, logger, clock, ...changes });
  }

  it('queries the version of the server once', async () => {
    const history = open();

    await history.write([sample]);
    await history.aggregate(lastMinute);

    expect(server.requests).toEqual(['GET /health', 'POST /api/v2/write', 'POST /api/v2/query']);
  });

  it('makes one query for all resources', async () => {
    const history = open({}, { version: '2' });
    await history.write(Array.from({ length: 2000 }, (_, index) => ({ ...sample, resource: `host-${index}` })));
    server.requests.length = 0;

    const values = await history.aggregate(lastMinute);

    expect(values.size).toBeGreaterThanOrEqual(2000);
    expect(server.requests).toEqual(['POST /api/v2/query']);
  });

  it.each([500, 503, 429])('retries twice after status %i', async (status) => {
    const history = open({}, { version: '2' });

    server.failNext(2, status);
    await history.write([sample]);
    server.failNext(2, status);
    const values = await history.aggregate(lastMinute);

    expect(values.get('a')).toBe(12.5);
    expect(server.requests).toHaveLength(6);
  });

  it('fails after three failures with the reason', async () => {
    const calls: object[] = [];
    const history = open({ metrics: { called: (call) => calls.push(call) } }, { version: '2' });
    server.failNext(3, 503);

    const failing = history.aggregate(lastMinute);

    await expect(failing).rejects.toThrow(HistoryUnavailableError);
    await expect(failing).rejects.toThrow(/influxdb 127\.0\.0\.1:\d+\/vigil: .*on request/);
    expect(server.requests).toHaveLength(3);
    expect(calls).toEqual([
      { source: 'influxdb', operation: 'aggregate', ok: false, seconds: expect.any(Number) as number },
    ]);
  });

  it('does not retry permanent failures', async () => {
    const history = open({ token: 'wrong' }, { version: '2' });

    await expect(history.write([sample])).rejects.toThrow(/unauthorized/);
    await expect(history.probe()).rejects.toThrow(/unauthorized/);
    await expect(open({}, { version: '2', bucket: 'nowhere' }).probe()).rejects.toThrow(/could not find bucket/);
    await expect(open({}, { version: '2', org: 'others' }).probe()).rejects.toThrow(/organization name "others"/);
    expect(server.requests).toHaveLength(4);
  });

  it('counts as refused, not as unavailable, when the server refuses the request', async () => {
    server.failNext(1, 400);
    await expect(open({}, { version: '2' }).aggregate(lastMinute)).rejects.toThrow(HistoryRefusedError);
    expect(server.requests).toHaveLength(1);
  });

  it('stops waiting at its time limit', async () => {
    const history = open({ timeoutMs: 100 }, { version: '2' });
    server.setDelay(2000);

    const failing = history.aggregate(lastMinute);

    await expect(failing).rejects.toThrow(/timed out|time limit/i);
    server.setDelay(0);
  });

  it('never shows the token', async () => {
    const error = await open({}, { bucket: 'nowhere' })
      .probe()
      .catch((thrown: unknown) => thrown);

    expect(`${String(error)} ${JSON.stringify(error)}`).not.toMatch(/hunter2/);
  });

  it('reads and writes data in other layouts, also inverted', async () => {
    const idle = {
      measurement: 'cpu',
      field: 'usage_idle',
      resourceTag: 'hostname',
      tags: { cpu: 'cpu-total' },
      scale: -1,
      offset: 100,
    };
    const history = open({ mapping: { host_cpu_usage: idle } }, { version: '2' });
    await history.write([
      { ...sample, resource: 'inverted', value: 10, at: nowMs - 2000 },
      { ...sample, resource: 'inverted', value: 40, at: nowMs - 1000 },
    ]);

    const read = async (aggregate: 'mean' | 'min' | 'max' | 'count') =>
      Object.fromEntries(await history.aggregate({ ...lastMinute, aggregate }));

    expect(await read('mean')).toEqual({ inverted: 75 - 50 });
    expect(await read('min')).toEqual({ inverted: 10 });
    expect(await read('max')).toEqual({ inverted: 40 });
    expect(await read('count')).toEqual({ inverted: 2 });
    for (const [limit, found] of [
      [39, { inverted: 40 }],
      [40, {}],
      [110, {}],
    ] as const)
      expect(Object.fromEntries((await history.maximaAbove?.(lastMinute, limit)) ?? [['none', 0]])).toEqual(found);
  });
});

describe('InfluxDB 1 history', () => {
  const server = process.env.VIGIL_TEST_INFLUX_URL ?? '';

  it('refuses to create a database if configured, and reports the remedy', async () => {
    const history = createInfluxHistory({ url: `${server}/never_made?create=false`, logger, clock });

    const failing = history.probe();

    await expect(failing).rejects.toThrow(OperatorError);
    await expect(failing).rejects.toThrow(/no database never_made; create it or set create=true/);
  });

  it('creates a missing database, also after it was dropped', async () => {
    const name = `made_${process.pid}_${process.hrtime.bigint()}`;
    const history = createInfluxHistory({ url: `${server}/${name}`, logger, clock });
    await history.write([sample]);
    expect(await history.aggregate(lastMinute)).toEqual(new Map([['a', 12.5]]));
    await fetch(`${server}/query?q=${encodeURIComponent(`DROP DATABASE "${name}"`)}`, { method: 'POST' });

    // After a drop InfluxDB 1.6.7 may lose a point of a database with the same name, so the sample is sent again.
    await expect
      .poll(async () => {
        await history.write([sample]);
        return history.aggregate(lastMinute);
      })
      .toEqual(new Map([['a', 12.5]]));
  });
});

describe('detection of the dialect', () => {
  async function withServer<T>(
    health: [number, string],
    headers: Record<string, string>,
    work: (url: string) => Promise<T>,
  ) {
    const server = createServer((request, response) => {
      if (request.url === '/health') response.writeHead(health[0]).end(health[1]);
      else response.writeHead(204, headers).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }

  it('reports missing settings when the server is 2.x', async () => {
    await withServer([200, '{"version":"v2.7.1"}'], {}, async (url) => {
      const failing = createInfluxHistory({ url: `${url}/?bucket=b`, logger, clock }).probe();

      await expect(failing).rejects.toThrow(OperatorError);
      await expect(failing).rejects.toThrow(/InfluxDB 2 needs org and token/);
    });
  });

  it('queries the version when the server does not report it', async () => {
    await withServer([404, 'no'], {}, async (url) => {
      const failing = createInfluxHistory({ url: `${url}/db`, logger, clock }).probe();

      await expect(failing).rejects.toThrow(/does not report a known InfluxDB version .*set version=1, 2 or 3/);
    });
  });

  it('queries again after an outage of the server', async () => {
    const url = await withServer([404, ''], {}, async (gone) => gone);
    const away = createInfluxHistory({ url: `${url}/db`, logger, clock });

    await expect(away.probe()).rejects.toThrow(/ECONNREFUSED/);
    await expect(away.probe()).rejects.toThrow(HistoryUnavailableError);
  });
});
