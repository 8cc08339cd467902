import { expect, test } from 'vitest';
import { chartsOf } from './charts-of.ts';

test('a chart for each unit, memory in GiB, gaps where a line has no value, and none without samples', () => {
  const charts = chartsOf([
    { metric: 'host_cpu_usage', unit: '%', at: [10, 20], values: [5, 6] },
    { metric: 'host_ram_usage', unit: 'KiB', at: [10], values: [3 * 1024 ** 2] },
    { metric: 'instance_ram_usage', unit: 'MB', at: [20], values: [512] },
    { metric: 'host_power', unit: 'W', at: [], values: [] },
  ]);
  expect(charts.map(({ unit, lines }) => [unit, lines.map(({ label, values }) => [label, values])])).toEqual([
    ['%', [['Host CPU usage', [5, 6]]]],
    [
      'GiB',
      [
        ['Host RAM usage', [3]],
        ['Instance RAM usage', [null]],
      ],
    ],
  ]);
});
