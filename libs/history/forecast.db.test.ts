// @needs influxdb, prometheus, gnocchi
import { afterAll, expect, it } from 'vitest';
import { type Clock, silentLogger as logger } from '#libs/domain';
import { forecastSeries, hourlySeries, hourMs } from '#libs/forecast';
import { createTestDatabase, testServerUrl } from '#tests';
import type { HistoryReader, HistoryWriter, Sample } from './history-port.ts';
import { createInfluxHistory } from './influxdb/index.ts';
import { createPostgresHistory } from './postgres/index.ts';
import { openGnocchiStore } from './testing/gnocchi-store.ts';
import { openPrometheusStore } from './testing/prometheus-store.ts';

/** The last full hour. */
const nowMs = Math.floor(Date.now() / hourMs) * hourMs;
const clock: Clock = { now: () => nowMs };
const historyHours = 56 * 24;
/** The archive policy of the tests stores seconds for 55 hours and five minutes for a week. */
const measuredHours = 6 * 24;

const ofDay = (at: number) => 40 + 30 * Math.sin((at / (24 * hourMs)) * 2 * Math.PI);

/** Six days with a season, in half hours. */
const samples = Array.from({ length: 2 * measuredHours }, (_, half): Sample => {
  const at = nowMs - (half + 1) * (hourMs / 2);
  return { metric: 'instance_cpu_usage', resource: 'web', value: ofDay(at) + Math.sin(half * 7.3), at };
});

const cleanUps: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const cleanUp of cleanUps) await cleanUp();
});

type Store = HistoryReader & HistoryWriter;

const stores: Record<string, () => Promise<Store>> = {
  async postgres() {
    const database = await createTestDatabase();
    const history = createPostgresHistory({ url: database.url, logger, clock });
    cleanUps.push(history.close, database.drop);
    return history;
  },
  async influxdb() {
    const url = `${testServerUrl('influxdb')}/forecast_${process.pid}_${process.hrtime.bigint()}`;
    const history = createInfluxHistory({ url, logger, clock });
    cleanUps.push(() => history.close());
    return history;
  },
  async prometheus() {
    const { history, close } = await openPrometheusStore(clock);
    cleanUps.push(close);
    return history;
  },
  async gnocchi() {
    const { history, close } = await openGnocchiStore(clock);
    cleanUps.push(close);
    return history;
  },
};

it.each(Object.keys(stores))('%s gives the hours of eight weeks in one query, and the same forecast', async (name) => {
  const history = await (stores[name] as () => Promise<Store>)();
  await history.write(samples);
  const window = { startMs: nowMs - historyHours * hourMs, endMs: nowMs, stepSeconds: 3600 };
  const points = await history.series({ metric: 'instance_cpu_usage', resource: 'web', ...window });
  const {
    season,
    hours,
    measuredHours: found,
  } = forecastSeries(hourlySeries(points, nowMs, historyHours), {
    hours: 24,
    most: 100,
  });
  expect({ season, found }).toEqual({ season: 'day', found: measuredHours });
  for (const { fromMs, middle } of hours) expect(Math.abs(middle - ofDay(fromMs + hourMs / 4)), name).toBeLessThan(2);
});
