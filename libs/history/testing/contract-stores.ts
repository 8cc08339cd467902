import { expect } from 'vitest';
import { type Clock, silentLogger as logger } from '#libs/domain';
import { createTestDatabase } from '#tests';
import type { HistoryReader, HistoryWriter, Sample } from '../history-port.ts';
import { createInfluxHistory } from '../influxdb/index.ts';
import { createPostgresHistory } from '../postgres/index.ts';
import { openGnocchiStore } from './gnocchi-store.ts';
import { startInflux2Emulator } from './influx2-emulator/index.ts';
import { startInflux3Proxy } from './influx3-proxy.ts';
import { openPrometheusStore } from './prometheus-store.ts';

/** A history that the contract reads and writes. */
export type History = HistoryReader & HistoryWriter;
/** An opened store. */
export type Opened = { history: History; close(): Promise<void> };
/**
 * A data source with a server. `listsByHour`: the list may contain names of old samples, because Prometheus does not
 * check its newest block.
 */
export type Store = { store: string; open(): Promise<Opened>; listsByHour?: boolean };

/** The last full hour. Prometheus delays the listing of samples that are much older than its newest. */
export const nowMs = Math.floor(Date.now() / 3_600_000) * 3_600_000;
/** Stands still at `nowMs`. */
export const clock: Clock = { now: () => nowMs };

async function openPostgres(): Promise<Opened> {
  const database = await createTestDatabase();
  const history = createPostgresHistory({ url: database.url, logger, clock });
  return {
    history,
    async close() {
      await history.close();
      await database.drop();
    },
  };
}

async function openInflux1(): Promise<Opened> {
  const url = new URL(process.env.VIGIL_TEST_INFLUX_URL ?? '');
  url.pathname = `/contract_${process.pid}_${process.hrtime.bigint()}`;
  const history = createInfluxHistory({ url: url.href, logger, clock });
  return { history, close: () => history.close() };
}

async function openInflux2(): Promise<Opened> {
  const emulator = await startInflux2Emulator({ org: 'vigil', bucket: 'history "quoted"', token: 'secret' });
  const query = new URLSearchParams({ org: 'vigil', bucket: 'history "quoted"', token: 'secret' });
  const history = createInfluxHistory({ url: `${emulator.url}/?${query}`, logger, clock });
  return {
    history,
    async close() {
      await history.close();
      await emulator.close();
    },
  };
}

async function openInflux3(): Promise<Opened> {
  const backing = process.env.VIGIL_TEST_INFLUX_URL ?? '';
  const server = await startInflux3Proxy({ backing, token: 'apiv3_secret', database: 'history' });
  const history = createInfluxHistory({ url: `${server.url}/history?token=apiv3_secret`, logger, clock });
  return {
    history,
    async close() {
      await history.close();
      await server.close();
      expect(server.refusals).toEqual([]);
    },
  };
}

/** URL of a real InfluxDB 2 with org, bucket and token. The bucket must be empty. */
async function openLiveInflux2(): Promise<Opened> {
  const history = createInfluxHistory({ url: process.env.VIGIL_TEST_INFLUX2_URL ?? '', logger, clock });
  return { history, close: () => history.close() };
}

/** All stores with exact times. */
export const stores: Store[] = [
  { store: 'postgres', open: openPostgres },
  { store: 'InfluxDB 1.6.7', open: openInflux1 },
  { store: 'InfluxDB 2 emulator', open: openInflux2 },
  { store: 'protocol of InfluxDB 3', open: openInflux3 },
  { store: 'Prometheus 2.42', open: () => openPrometheusStore(clock), listsByHour: true },
  ...(process.env.VIGIL_TEST_INFLUX2_URL ? [{ store: 'live InfluxDB 2', open: openLiveInflux2 }] : []),
];

/** Gnocchi rounds times to its granules, so it cannot pass tests of sub-second boundaries. */
export const roundingStores: Store[] = [{ store: 'Gnocchi 4.4', open: () => openGnocchiStore(clock) }];

/** Ten minutes of CPU usage every 5 s, different for each instance and never a round number. */
export function cpuSamples(instances: number): Sample[] {
  return Array.from({ length: instances * 120 }, (_, index): Sample => {
    const instance = index % instances;
    const step = Math.floor(index / instances);
    const value = 50 + 40 * Math.sin(instance * 7 + step / 11);
    return { metric: 'instance_cpu_usage', resource: `vm-${instance}`, value, at: nowMs - step * 5000 };
  });
}
