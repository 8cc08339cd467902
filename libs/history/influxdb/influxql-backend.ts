import { type MetricAggregate, OperatorError } from '#libs/domain';
import { HistoryRefusedError, type SeriesPoint } from '../history-port.ts';
import { needsSamples, ofSamples } from '../of-samples.ts';
import type { HistoryWindow } from '../window.ts';
import { type InfluxRequest, InfluxStatusError } from './http-transport.ts';
import type { InfluxBackend } from './influx-target.ts';
import { aggregateInfluxql, influxqlName, presentInfluxql, samplesInfluxql, seriesInfluxql } from './influxql-text.ts';
import type { MetricLayout } from './metric-layout.ts';

interface InfluxqlSeries {
  tags?: Record<string, string>;
  columns: string[];
  values: (number | string | null)[][];
}

interface InfluxqlResponse {
  error?: string;
  results?: { error?: string; series?: InfluxqlSeries[] }[];
}

/** Lines per write request. The server's own advice is 5,000 to 10,000. */
const linesPerWrite = 10_000;
/** Samples that one response may hold: some 70 MB of JSON, two hours of 16,000 instances at one a minute. */
const samplesAtMost = 2_000_000;

/**
 * InfluxDB 1.x, and 3.x through its compatible endpoints: InfluxQL over `/query`, line protocol over `/write`. 3.x
 * reads questions from the URL and takes one statement at a time.
 */
export function createInfluxqlBackend(options: {
  request: InfluxRequest;
  version: '1' | '3';
  database: string;
  createDatabase: boolean;
}): InfluxBackend {
  const { request, version, database } = options;

  function ask(text: string) {
    const search = { db: database, epoch: 'ms' };
    if (version === '3') return request({ method: 'GET', path: '/query', query: { ...search, q: text } });
    const body = new URLSearchParams({ q: text }).toString();
    const contentType = 'application/x-www-form-urlencoded';
    return request({ method: 'POST', path: '/query', query: search, body, contentType });
  }

  async function query(text: string): Promise<InfluxqlSeries[][]> {
    const answer = await ask(text);
    const parsed = JSON.parse(answer.text) as InfluxqlResponse;
    const fault = parsed.error ?? parsed.results?.find((result) => result.error !== undefined)?.error;
    if (fault !== undefined) throw new InfluxStatusError(statusOfFault(fault), fault);
    return (parsed.results ?? []).map((result) => result.series ?? []);
  }

  /** A server that has lost or never had the database gets it, once per call. */
  async function withDatabase<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!isMissingDatabase(error)) throw error;
      if (!options.createDatabase) {
        const advice = version === '1' ? 'create it or set create=true in VIGIL_INFLUX_URL' : 'create it';
        throw new OperatorError(`InfluxDB has no database ${database}; ${advice}`, { cause: error });
      }
      await query(`CREATE DATABASE ${influxqlName(database)}`);
      return await work();
    }
  }

  async function grouped(layout: MetricLayout, aggregate: MetricAggregate, window: HistoryWindow) {
    const [series = []] = await query(aggregateInfluxql(layout, aggregate, window));
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
  async function fromSamples(layout: MetricLayout, aggregate: MetricAggregate, window: HistoryWindow) {
    const counts = await grouped(layout, 'count', window);
    const samples = [...counts.values()].reduce((sum, count) => sum + count, 0);
    if (samples > samplesAtMost) {
      throw new HistoryRefusedError(
        'influxdb',
        `${aggregate} of ${layout.field} would need ${samples} samples, more than ${samplesAtMost}; a shorter period helps`,
      );
    }
    const values = new Map<string, number>();
    if (samples === 0) return values;
    const [series = []] = await query(samplesInfluxql(layout, window));
    for (const one of series) {
      const resource = one.tags?.[layout.resourceTag] ?? '';
      const value = ofSamples(pointsOf(one), aggregate);
      if (resource !== '' && value !== undefined) values.set(resource, value);
    }
    return values;
  }

  return {
    aggregate: (layout, aggregate, window) =>
      withDatabase(() =>
        needsSamples(aggregate) ? fromSamples(layout, aggregate, window) : grouped(layout, aggregate, window),
      ),
    series: (layout, resource, window, stepSeconds) =>
      withDatabase(async () => {
        const [series = []] = await query(seriesInfluxql(layout, resource, window, stepSeconds));
        return series[0] === undefined ? [] : pointsOf(series[0]);
      }),
    present: (layouts, window) =>
      withDatabase(async () => {
        const names = [...layouts.keys()];
        const texts = [...layouts.values()].map((layout) => presentInfluxql(layout, window));
        const answers = version === '3' ? (await Promise.all(texts.map(query))).flat() : await query(texts.join('; '));
        return names.filter((_, index) => (answers[index] ?? []).length > 0);
      }),
    write: async (lines) => {
      for (let first = 0; first < lines.length; first += linesPerWrite) {
        const body = lines.slice(first, first + linesPerWrite).join('\n');
        const search = { db: database, precision: 'ms' };
        await withDatabase(async () => {
          await request({
            method: 'POST',
            path: '/write',
            query: search,
            body,
            contentType: 'text/plain; charset=utf-8',
          });
        });
      }
    },
    probe: () =>
      withDatabase(async () => {
        // Unlike `SHOW MEASUREMENTS`, this fails when there is no such database.
        await query(`SHOW RETENTION POLICIES ON ${influxqlName(database)}`);
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

/** The status that a fault within a 200 stands for: the server's own troubles do not refuse the question. */
function statusOfFault(fault: string): number {
  if (fault.startsWith('database not found')) return 404;
  return /timeout|engine is closed|shutting down/i.test(fault) ? 503 : 400;
}

function isMissingDatabase(error: unknown): boolean {
  return error instanceof InfluxStatusError && error.status === 404 && error.message.includes('database not found');
}
