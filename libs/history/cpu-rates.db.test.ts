// @needs influxdb, prometheus, gnocchi
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Clock, silentLogger as logger, type MetricAggregate } from '#libs/domain';
import { createTestDatabase, testServerUrl } from '#tests';
import { createGnocchiHistory } from './gnocchi/index.ts';
import type { HistoryReader, Sample } from './history-port.ts';
import { createInfluxHistory, influxMapping } from './influxdb/index.ts';
import { createPostgresHistory } from './postgres/index.ts';
import { createPrometheusHistory } from './prometheus/index.ts';
import { createGnocchiFeed, writeToPrometheus } from './testing/index.ts';
import { startInflux2Emulator } from './testing/influx2-emulator/index.ts';

const nowMs = Date.UTC(2026, 8, 3, 12, 0, 0);
const clock: Clock = { now: () => nowMs };
const stepMs = 15_000;
const steps = 60;
const suite = `${process.pid}-${process.hrtime.bigint()}`;

/** Instances with a steady load, in percent of their virtual CPUs. */
const instances = [
  { name: `idle-${suite}`, vcpus: 1, percent: 0 },
  { name: `half-${suite}`, vcpus: 4, percent: 50 },
  { name: `busy-${suite}`, vcpus: 16, percent: 99 },
];
const vcpus = new Map(instances.map((one) => [one.name, one.vcpus]));

function sampled(make: (one: (typeof instances)[number], step: number) => number): Sample[] {
  return instances.flatMap((one) =>
    Array.from({ length: steps }, (_, step): Sample => {
      const at = nowMs - (steps - 1 - step) * stepMs;
      return { metric: 'instance_cpu_usage', resource: one.name, value: make(one, step), at };
    }),
  );
}

/** Nanoseconds of CPU time since the instance was started. */
const cpuTimes = sampled(({ vcpus: cpus, percent }, step) => 1e12 + step * stepMs * 1e6 * cpus * (percent / 100));
const percents = sampled(({ percent }) => percent);

const readers = new Map<string, HistoryReader>();
const cleanUps: (() => Promise<unknown>)[] = [];

async function openPostgres(): Promise<HistoryReader> {
  const database = await createTestDatabase();
  const history = createPostgresHistory({ url: database.url, logger, clock });
  cleanUps.push(database.drop, history.close);
  await history.write(percents);
  return history;
}

/** Telegraf's libvirt plugin: the writer stores plain values in the field that the reader takes for a counter. */
async function openInflux(url: string): Promise<HistoryReader> {
  const raw = { measurement: 'libvirt_cpu', field: 'cpu_time', resourceTag: 'domain_name' };
  const writer = createInfluxHistory({ url, mapping: { instance_cpu_usage: raw }, logger, clock });
  await writer.write(cpuTimes);
  return createInfluxHistory({ url, mapping: influxMapping('telegraf'), logger, clock });
}

async function openPrometheus(): Promise<HistoryReader> {
  const url = testServerUrl('prometheus');
  const instanceLabel = `resource_${suite.replace('-', '_')}`;
  await writeToPrometheus(
    url,
    instances.map(({ name }) => ({
      name: 'ceilometer_cpu',
      labels: { [instanceLabel]: name },
      samples: cpuTimes.filter(({ resource }) => resource === name),
    })),
  );
  return createPrometheusHistory({ url, instanceLabel, logger, clock });
}

async function openGnocchi(): Promise<HistoryReader> {
  const url = testServerUrl('gnocchi');
  const feed = await createGnocchiFeed(url);
  for (const { name } of instances) await feed.addResource('instance', name, ['cpu']);
  await feed.write(cpuTimes.map((sample) => ({ ...sample, metric: 'cpu' })));
  return createGnocchiHistory({ url, logger, clock });
}

beforeAll(async () => {
  const emulator = await startInflux2Emulator({ org: 'vigil', bucket: 'telegraf', token: 'secret' });
  cleanUps.push(emulator.close);
  readers.set('postgres', await openPostgres());
  readers.set('influxdb 1', await openInflux(`${testServerUrl('influxdb')}/rates_${suite}`));
  readers.set('influxdb 2', await openInflux(`${emulator.url}/?org=vigil&bucket=telegraf&token=secret`));
  readers.set('prometheus', await openPrometheus());
  readers.set('gnocchi', await openGnocchi());
});
afterAll(async () => {
  for (const reader of readers.values()) await reader.close();
  for (const cleanUp of cleanUps) await cleanUp();
});

it.each(['mean', 'min', 'max', 'p5', 'p95', 'trend'] as MetricAggregate[])(
  'every data source gives the same %s of CPU usage',
  async (aggregate) => {
    for (const [name, reader] of readers) {
      const query = { metric: 'instance_cpu_usage', aggregate, periodSeconds: 300, vcpus } as const;
      const values = await reader.aggregate(query);
      for (const { name: instance, percent } of instances) {
        const expected = aggregate === 'trend' ? 0 : percent;
        expect(values.get(instance), `${aggregate} of ${instance} in ${name}`).toBeCloseTo(expected, 5);
      }
    }
  },
);

it('every data source gives the same maxima of CPU usage above a limit, for any number of virtual CPUs', async () => {
  const query = { metric: 'instance_cpu_usage', aggregate: 'mean', periodSeconds: 300, vcpus } as const;
  for (const [name, reader] of readers) {
    const above = async (limit: number) =>
      [...((await reader.maximaAbove?.(query, limit)) ?? [])].filter(([resource]) => vcpus.has(resource));
    const [half, busy] = [instances[1]!.name, instances[2]!.name];

    expect((await above(40)).map(([resource]) => resource).sort(), name).toEqual([half, busy].sort());
    expect(await above(98.5), name).toEqual([[busy, expect.closeTo(99, 5)]]);
    expect(await above(99.5), name).toEqual([]);
    expect(await above(110), name).toEqual([]);
  }
});

it('every data source gives the same series of CPU usage', async () => {
  const range = { startMs: nowMs - 600_000, endMs: nowMs, stepSeconds: 60 };
  for (const [name, reader] of readers) {
    const resource = instances[1]?.name ?? '';
    const points = await reader.series({ metric: 'instance_cpu_usage', resource, vcpus: 4, ...range });
    expect(points.length, name).toBe(10);
    for (const { value } of points) expect(value, name).toBeCloseTo(50, 6);
  }
});

it('data sources of CPU time omit instances whose number of virtual CPUs is not given', async () => {
  for (const [name, reader] of readers) {
    const query = { metric: 'instance_cpu_usage', aggregate: 'mean', periodSeconds: 300 } as const;
    const values = await reader.aggregate(query);
    expect(values.has(instances[0]?.name ?? ''), name).toBe(name === 'postgres');
  }
});
