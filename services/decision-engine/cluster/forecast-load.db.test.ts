// @needs influxdb
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentLogger } from '#libs/domain';
import { type HistoryReader, HistoryUnavailableError, type Sample } from '#libs/history';
import { createInfluxHistory } from '#libs/history/influxdb';
import { isRefusal, type LoadForecastRequest } from '#libs/messaging';
import { createTestWorld, testUuid } from '#libs/plugin-kit/testing';
import { createMetrics } from '#libs/service-kit';
import { testServerUrl } from '#tests';
import { createModelKeeper } from '../model/model-keeper.ts';
import { createLoadForecaster } from './forecast-load.ts';

/** 10:30 on a Wednesday. */
const nowMs = Date.UTC(2026, 8, 2, 10, 30);
const clock = { now: () => nowMs };
const hourMs = 3_600_000;
const days = 15;

const url = new URL(testServerUrl('influxdb'));
url.pathname = `/forecast_${process.pid}_${process.hrtime.bigint()}`;
const stored = createInfluxHistory({ url: url.href, logger: silentLogger, clock });

const ofDay = (hour: number) => 40 + 30 * Math.sin((hour / 24) * 2 * Math.PI);

/** Two weeks of half hours with a season, within 1 % of their mean. */
function samples(): Sample[] {
  return Array.from({ length: days * 48 }, (_, half): Sample[] => {
    const at = nowMs - half * (hourMs / 2);
    const load = ofDay(new Date(at).getUTCHours()) + (half % 2 === 0 ? 1 : -1);
    return [
      { metric: 'host_cpu_usage', resource: 'compute-1', value: load, at },
      { metric: 'host_ram_usage', resource: 'compute-1', value: 32 * 1024 * 1024, at },
      { metric: 'instance_cpu_usage', resource: testUuid('web'), value: load / 2, at },
    ];
  }).flat();
}

beforeAll(() => stored.write(samples()));
afterAll(() => stored.close());

function forecaster(history: Pick<HistoryReader, 'series'> = stored) {
  let queries = 0;
  const counted: HistoryReader = {
    ...stored,
    series(query) {
      queries += 1;
      return history.series(query);
    },
  };
  const hosts = ['compute-1', 'compute-2'].map((hostname) => ({ hostname, vcpus: 16, memory: 65_536 }));
  const instances = [{ name: 'web', host: 'compute-1', vcpus: 4, memory: 4096 }];
  const model = createModelKeeper({
    collect: async () => createTestWorld({ hosts, instances, takenAtMs: nowMs }),
    ...{ clock, logger: silentLogger, metrics: createMetrics('test') },
  });
  const forecast = createLoadForecaster({ history: counted, model, clock, logger: silentLogger });
  return {
    queries: () => queries,
    refusal: (request: Partial<LoadForecastRequest>) => forecast({ ...usual, ...request }),
    async of(request: Partial<LoadForecastRequest> = {}) {
      const response = await forecast({ ...usual, ...request });
      if (isRefusal(response)) throw new Error(response.error.message);
      return response;
    },
  };
}

const usual: LoadForecastRequest = { kind: 'host', id: 'compute-1', load: 'cpu', hours: 24, full_at: 80 };

describe('load.forecast', () => {
  it('is made from the full hours of the data source, which are read once an hour', async () => {
    const { of, queries } = forecaster();
    const response = await of();
    expect(response).toMatchObject({ season: 'day', backtest: { verdict: 'won' }, trend: { verdict: 'short' } });
    expect(response.hours).toHaveLength(24);
    expect(response.hours[0]).toMatchObject({ from: '2026-09-02T10:00:00.000Z', samples: 14 });
    for (const { from, expected, low, high } of response.hours) {
      expect(Math.abs(expected - ofDay(new Date(from).getUTCHours())), from).toBeLessThan(1);
      expect(low).toBeLessThanOrEqual(expected);
      expect(high).toBeGreaterThanOrEqual(expected);
    }
    expect(response.hours[0]?.text).toBe('expected 55 % at 10:00 UTC, from 14 mornings');
    expect((await of({ hours: 1 })).hours).toHaveLength(1);
    expect(queries()).toBe(1);
  });

  it('is in percent of the host or the instance', async () => {
    const { of } = forecaster();
    expect(await of({ load: 'memory' })).toMatchObject({ last_value: 50, season: null, load: 'memory' });
    const web = await of({ kind: 'instance', id: testUuid('web') });
    expect(web).toMatchObject({ name: 'web', season: 'day' });
    expect(Math.abs((web.hours[0]?.expected ?? 0) - ofDay(10) / 2)).toBeLessThan(1);
  });

  it('of a host without samples is empty, with the reason', async () => {
    const response = await forecaster().of({ id: 'compute-2' });
    expect(response).toMatchObject({ hours: [], last_value: null, history_hours: 0, backtest: { verdict: 'short' } });
    expect(response.verdict).toContain('too little history');
  });

  it.each([
    [{ id: 'compute-3' }, 'host_not_found', 'did you mean compute-'],
    [{ kind: 'instance' as const, id: 'nothing' }, 'instance_not_found', 'nothing'],
    [{ hours: 0 }, 'invalid_input', 'hours'],
    [{ hours: 1e9 }, 'invalid_input', 'hours'],
    [{ load: 'disk' as never }, 'invalid_input', 'load'],
    [{ kind: 'zone' as never }, 'invalid_input', 'kind'],
    [{ id: 'x'.repeat(256) }, 'invalid_input', 'id'],
  ])('refuses %j as %s', async (request, code, text) => {
    expect(await forecaster().refusal(request)).toMatchObject({
      error: { code, message: expect.stringContaining(text) },
    });
  });

  it('reads again after a failure of the data source', async () => {
    let failures = 1;
    const { of, refusal } = forecaster({
      async series(query) {
        failures -= 1;
        if (failures === 0) throw new HistoryUnavailableError('influxdb', 'timeout');
        return stored.series(query);
      },
    });
    expect(await refusal({})).toMatchObject({ error: { code: 'history_not_available' } });
    expect((await of()).season).toBe('day');
  });
});
