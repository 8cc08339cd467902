import { HistoryRefusedError, type SeriesPoint } from '../history-port.ts';
import { needsSamples, ofSamples } from '../of-samples.ts';
import type { InfluxBackend } from './influx-target.ts';
import { createInfluxqlDatabase, type InfluxqlOptions, type InfluxqlSeries } from './influxql-database.ts';
import { aggregateInfluxql, influxqlName, presentInfluxql, samplesInfluxql, seriesInfluxql } from './influxql-text.ts';

/** Maximum number of samples in one response: about 70 MB of JSON, two hours of 16,000 instances at one a minute. */
const samplesAtMost = 2_000_000;

/**
 * InfluxDB 1.x, and 3.x through its compatible endpoints: InfluxQL over `/query`, line protocol over `/write`. 3.x
 * needs the query in the URL, one statement at a time.
 */
export function createInfluxqlBackend(options: InfluxqlOptions): InfluxBackend {
  const { query, withDatabase, write } = createInfluxqlDatabase(options);

  async function grouped(...question: Parameters<InfluxBackend['aggregate']>) {
    const [layout] = question;
    const [series = []] = await query(aggregateInfluxql(...question));
    const values = new Map<string, number>();
    for (const one of series) {
      const resource = one.tags?.[layout.resourceTag] ?? '';
      const [point] = pointsOf(one);
      if (resource !== '' && point !== undefined) values.set(resource, point.value);
    }
    return values;
  }

  /**
   * InfluxQL has neither slopes nor percentiles between two samples, so the samples are fetched: no more than can be
   * held.
   */
  async function fromSamples(...[layout, aggregate, window, resources]: Parameters<InfluxBackend['aggregate']>) {
    const counts = await grouped(layout, 'count', window, resources);
    const samples = [...counts.values()].reduce((sum, count) => sum + count, 0);
    if (samples > samplesAtMost) {
      throw new HistoryRefusedError(
        'influxdb',
        `${aggregate} of ${layout.field} would need ${samples} samples, more than ${samplesAtMost}; use a shorter period`,
      );
    }
    const values = new Map<string, number>();
    if (samples === 0) return values;
    const [series = []] = await query(samplesInfluxql(layout, window, resources));
    for (const one of series) {
      const resource = one.tags?.[layout.resourceTag] ?? '';
      const value = ofSamples(pointsOf(one), aggregate);
      if (resource !== '' && value !== undefined) values.set(resource, value);
    }
    return values;
  }

  return {
    aggregate: (...question) =>
      withDatabase(() => (needsSamples(question[1]) ? fromSamples(...question) : grouped(...question))),
    series: (layout, resource, window, stepSeconds) =>
      withDatabase(async () => {
        const [series = []] = await query(seriesInfluxql(layout, resource, window, stepSeconds));
        return series[0] === undefined ? [] : pointsOf(series[0]);
      }),
    present: (layouts, window) =>
      withDatabase(async () => {
        const names = [...layouts.keys()];
        const texts = [...layouts.values()].map((layout) => presentInfluxql(layout, window));
        const results =
          options.version === '3' ? (await Promise.all(texts.map(query))).flat() : await query(texts.join('; '));
        return names.filter((_, index) => (results[index] ?? []).length > 0);
      }),
    write,
    probe: () =>
      withDatabase(async () => {
        // Unlike `SHOW MEASUREMENTS`, this fails when the database does not exist.
        await query(`SHOW RETENTION POLICIES ON ${influxqlName(options.database)}`);
      }),
  };
}

function pointsOf({ columns, values }: InfluxqlSeries): SeriesPoint[] {
  const [timeColumn, valueColumn] = [columns.indexOf('time'), columns.indexOf('value')];
  return values.flatMap((row) => {
    const [at, value] = [row[timeColumn], row[valueColumn]];
    return typeof at === 'number' && typeof value === 'number' ? [{ at, value }] : [];
  });
}
