import { expect, it } from 'vitest';
import type { HistoryReader } from '#libs/history';
import type { DataSourcePlugin } from '../sources.ts';
import { assessDataSource } from './assess-data-source.ts';

const instance = '11111111-2222-4333-8444-555555555555';

function sourceThat(changes: Partial<HistoryReader> = {}, plugin: object = {}): DataSourcePlugin {
  const reader: HistoryReader = {
    name: 'racks',
    aggregate: async ({ metric }) => new Map([[metric.startsWith('host') ? 'compute-1' : instance, 24]]),
    series: async ({ startMs, endMs }) => [
      { at: startMs, value: 23 },
      { at: endMs, value: 24 },
    ],
    listMetrics: async () => ['host_outlet_temp', 'instance_cpu_usage'],
    probe: async () => {},
    close: async () => {},
    ...changes,
  };
  return {
    kind: 'data_source',
    name: 'racks',
    description: 'Racks',
    open: () => reader,
    ...plugin,
  } as DataSourcePlugin;
}

const trial = { hosts: ['compute-1', 'compute-2'], instances: new Map([[instance, 4]]), limitMs: 2000 };

it('finds no fault in a sound source, and returns its values', async () => {
  const { faults, values } = await assessDataSource(sourceThat(), trial);

  expect(faults).toEqual([]);
  expect([...values]).toEqual([
    ['host_outlet_temp', new Map([['compute-1', 24]])],
    ['instance_cpu_usage', new Map([[instance, 24]])],
  ]);
});

const throws = (message: string) => () => Promise.reject(new Error(message));
const hangs = () => new Promise<never>(() => {});

it.each<[string, Partial<HistoryReader>, object, RegExp]>([
  ['has the name of a built-in one', {}, { name: 'influxdb' }, /^manifest: .*built-in data source/],
  ['returns no reader', {}, { open: () => ({}) }, /^probe: .*is not a function/],
  ['throws while it opens', {}, { open: () => JSON.parse('{') }, /^probe: .*cannot be opened/],
  ['is down', { probe: throws('no route') }, {}, /^probe: .*no route$/],
  ['hangs', { probe: hangs }, {}, /^probe: .*no response within 0\.05 s$/],
  ['has no metric', { listMetrics: async () => [] }, {}, /^listMetrics: the source has no metric$/],
  [
    'names an unknown metric',
    { listMetrics: async () => ['host_outlet_tmp' as never] },
    {},
    /Vigil has no metric host_outlet_tmp; did you mean host_outlet_temp\?$/,
  ],
  ['returns an object', { aggregate: async () => ({ a: 1 }) as never }, {}, /^aggregate of host_outlet_temp: /],
  [
    'names other hosts',
    { aggregate: async () => new Map([['compute1', 1]]) },
    {},
    /^aggregate of host_outlet_temp: has compute1, .*; did you mean compute-1\?$/,
  ],
  ['has no values', { aggregate: async () => new Map() }, {}, /^aggregate of host_outlet_temp: no values$/],
  [
    'returns the newest point first',
    { series: async ({ startMs, endMs }) => [endMs, startMs].map((at) => ({ at, value: 1 })) },
    {},
    /^series of host_outlet_temp: .*the oldest first$/,
  ],
  ['has no series', { series: undefined as never }, {}, /^series of host_outlet_temp: /],
  ['cannot be closed', { close: throws('still busy') }, {}, /^close: still busy$/],
])('reports a source that %s', async (_, changes, plugin, fault) => {
  const limitMs = changes.probe === hangs ? 50 : trial.limitMs;
  const { faults } = await assessDataSource(sourceThat(changes, plugin), { ...trial, limitMs });

  expect(faults[0]).toMatch(fault);
});
