import { InfluxDB } from '@influxdata/influxdb-client';
import type { TlsFiles } from '#libs/service-kit/env';
import { aggregateFlux, presentFlux, probeFlux, seriesFlux, trendSums } from './flux-text.ts';
import type { InfluxBackend } from './influx-target.ts';

type Row = Record<string, string | number | null>;

/** Lines per write request. */
const linesPerWrite = 10_000;

/** InfluxDB 2.x through the official client: Flux over `/api/v2/query`, its write API over `/api/v2/write`. */
export function createFluxBackend(options: {
  origin: string;
  org: string;
  bucket: string;
  token: string;
  timeoutMs: number;
  tls: TlsFiles;
}): InfluxBackend {
  const { org, bucket } = options;
  const client = new InfluxDB({
    url: options.origin,
    token: options.token,
    timeout: options.timeoutMs,
    transportOptions: { ...options.tls },
  });
  const queryApi = client.getQueryApi({ org, gzip: true });

  return {
    async aggregate(layout, aggregate, window, resources, bound) {
      const text = aggregateFlux(bucket, layout, aggregate, window, resources, bound);
      const rows = await queryApi.collectRows<Row>(text);
      const values = new Map<string, number>();
      for (const row of rows) {
        const resource = row[layout.resourceTag];
        const value = aggregate === 'trend' ? slopeOf(row) : row._value;
        if (typeof resource === 'string' && resource !== '' && typeof value === 'number') values.set(resource, value);
      }
      return values;
    },
    async series(layout, resource, window, stepSeconds) {
      const rows = await queryApi.collectRows<Row>(seriesFlux(bucket, layout, resource, window, stepSeconds));
      const points = rows.flatMap((row) =>
        typeof row._value === 'number' ? [{ at: Date.parse(String(row._time)), value: row._value }] : [],
      );
      return points.sort((a, b) => a.at - b.at);
    },
    async present(layouts, window) {
      const rows = await queryApi.collectRows<Row>(presentFlux(bucket, layouts, window));
      const found = new Set(rows.map((row) => row.result));
      return [...layouts.keys()].filter((name) => found.has(name));
    },
    async write(lines) {
      let failure: Error | undefined;
      const writeApi = client.getWriteApi(org, bucket, 'ms', {
        batchSize: linesPerWrite,
        maxBatchBytes: 8_000_000,
        flushInterval: 0,
        maxRetries: 0,
        maxBufferLines: 0,
        gzipThreshold: 1000,
        // Returning a promise marks the error as handled. Otherwise the client prints it.
        writeFailed: async (error) => {
          failure ??= error;
        },
      });
      writeApi.writeRecords(lines);
      await writeApi.close().catch((error: unknown) => {
        failure ??= error instanceof Error ? error : new Error(String(error));
      });
      if (failure !== undefined) throw failure;
    },
    async probe(nowMs) {
      await queryApi.collectRows(probeFlux(bucket, nowMs));
    },
  };
}

/** Least squares from sums. Undefined when all samples have the same time. */
function slopeOf(row: Row): number | undefined {
  const [n, x, y, xx, xy] = trendSums.map((name) => Number(row[name])) as [number, number, number, number, number];
  const spread = n * xx - x * x;
  return spread > 1e-12 * n * xx ? (n * xy - x * y) / spread : undefined;
}
