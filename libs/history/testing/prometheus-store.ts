import { type Clock, silentLogger as logger, type MetricName, metricCatalogue } from '#libs/domain';
import { testServerUrl } from '#tests';
import type { HistoryReader, HistoryWriter, Sample } from '../history-port.ts';
import { createPrometheusHistory, type PrometheusMapping } from '../prometheus/index.ts';
import { validateSamples } from '../validate-samples.ts';
import { writeToPrometheus } from './index.ts';

/** A reader of the test Prometheus that reads only the samples of its writer: one gauge per metric. */
export async function openPrometheusStore(
  clock: Clock,
): Promise<{ history: HistoryReader & HistoryWriter; close(): Promise<void> }> {
  const suite = `${process.pid}-${process.hrtime.bigint()}`;
  const names = Object.keys(metricCatalogue) as MetricName[];
  const mapping: PrometheusMapping = Object.fromEntries(
    names.map((name) => [name, { metric: `vigil_test_${name}`, labels: { suite }, resourceLabel: 'resource' }]),
  );
  const url = testServerUrl('prometheus');
  const reader = createPrometheusHistory({ url, mapping, logger, clock });
  const written = new Set<string>();

  async function write(samples: Sample[]): Promise<void> {
    validateSamples(samples);
    const series = new Map<string, Parameters<typeof writeToPrometheus>[1][number]>();
    for (const { metric, resource, at, value } of samples) {
      // Prometheus refuses a sample that it already has.
      const key = JSON.stringify([metric, resource, at]);
      if (written.has(key)) continue;
      written.add(key);
      const name = `vigil_test_${metric}`;
      const one = series.get(`${name} ${resource}`) ?? { name, labels: { suite, resource }, samples: [] };
      one.samples.push({ at, value });
      series.set(`${name} ${resource}`, one);
    }
    if (series.size > 0) await writeToPrometheus(url, [...series.values()]);
  }
  return { history: { ...reader, write }, close: () => reader.close() };
}
