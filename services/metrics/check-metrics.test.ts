import { expect, test } from 'vitest';
import type { HistoryReader } from '#libs/history';
import { checkMetrics } from './check-metrics.ts';
import { metricsReport, resourceReport } from './report.ts';

const cloud = {
  hosts: ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id })),
  instances: [{ id: 'vm', vcpus: 4 }],
};

/** A reader whose source has CPU of two hosts, and of no instance. */
const history = {
  name: 'prometheus',
  async aggregateFrom({ metric, vcpus }: { metric: string; vcpus: Map<string, number> }) {
    expect(vcpus.get('vm')).toBe(4);
    if (metric === 'host_power') throw new Error('it is down');
    const values = new Map(
      metric === 'host_cpu_usage'
        ? [
            ['a', 1],
            ['b', 0],
          ]
        : [],
    );
    return {
      values,
      source: values.size > 0 ? 'prometheus' : null,
      passedOver: values.size > 0 ? [] : ['prometheus: no values'],
    };
  },
  describe: async () => [
    {
      name: 'prometheus',
      available: true,
      reason: null,
      metrics: [{ metric: 'host_cpu_usage', realName: 'node_cpu_seconds_total', available: true }],
    },
  ],
} as unknown as HistoryReader;

test('every metric lists its source, the resources with and without it, and the reasons', async () => {
  const findings = await checkMetrics(history, cloud, 600);
  const report = metricsReport(findings);
  expect(report).toMatch(/^host_cpu_usage +2 of 5 hosts \(prometheus: node_cpu_seconds_total\); missing: c, d, e$/m);
  expect(report).toMatch(/^instance_cpu_usage +none of 1 instances; prometheus: no values$/m);
  expect(report).toMatch(/^host_power +none of 5 hosts; it is down$/m);
  expect(resourceReport(findings, 'a')).toMatch(
    /^host_cpu_usage +prometheus: node_cpu_seconds_total\nhost_ram_usage +missing prometheus: no values$/m,
  );
  expect(resourceReport(findings, 'nobody')).toBe('');
});
