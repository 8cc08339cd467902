import { Point } from '@influxdata/influxdb-client';
import {
  type Clock,
  InvalidInputError,
  type Logger,
  type MetricName,
  metricCatalogue,
  OperatorError,
} from '#libs/domain';
import { retry } from '#libs/service-kit';
import { above, boundAbove, type StoredBound, toCatalogue } from '../catalogue-unit.ts';
import {
  type AggregateQuery,
  type HistoryReader,
  HistoryRefusedError,
  HistoryUnavailableError,
  type HistoryWriter,
  type Sample,
} from '../history-port.ts';
import { isRefusal } from '../http/json-http.ts';
import { namedResources } from '../named-resources.ts';
import { type HistoryMetrics, observedCall } from '../observed-call.ts';
import { sourceLimitMs } from '../source-limit.ts';
import { validateSamples } from '../validate-samples.ts';
import { seriesWindowOf, windowOf } from '../window.ts';
import { chooseBackend } from './choose-backend.ts';
import { transportReason } from './http-transport.ts';
import { type InfluxBackend, parseInfluxTarget } from './influx-target.ts';
import { isMapped, layoutOf, type MetricLayout, type MetricMapping, storedAggregate } from './metric-layout.ts';

/** Retries after the first try. */
const retries = 2;
const pauses = { firstMs: 200, longestMs: 400 };

/** Location of the InfluxDB and the layout of its data. */
export interface InfluxHistoryOptions {
  /** `VIGIL_INFLUX_URL`. See `parseInfluxTarget` for its forms. */
  url: string;
  /** Separate token. Overrides the one in the URL. */
  token?: string;
  logger: Logger;
  clock: Clock;
  metrics?: HistoryMetrics;
  /** Layout of data from other collectors. Default: the layout of Vigil. */
  mapping?: MetricMapping;
  /** Time limit of one request in milliseconds. Default 10000. Failed requests are tried twice more. */
  timeoutMs?: number;
}

const dayMs = 86_400_000;

/**
 * History in InfluxDB 1.x, 2.x or 3.x. The version of the server is detected at the first read or write, and again
 * after a failure. @throws OperatorError immediately when the URL is invalid
 */
export function createInfluxHistory(options: InfluxHistoryOptions): HistoryReader & HistoryWriter {
  const { clock, logger, mapping } = options;
  const target = parseInfluxTarget(options.url, { token: options.token });
  const timeoutMs = options.timeoutMs ?? sourceLimitMs;
  let backend: Promise<InfluxBackend> | undefined;

  async function openBackend(): Promise<InfluxBackend> {
    backend ??= chooseBackend(target, timeoutMs, logger);
    try {
      return await backend;
    } catch (error) {
      backend = undefined;
      throw error;
    }
  }

  function call<T>(operation: string, work: (open: InfluxBackend) => Promise<T>): Promise<T> {
    return observedCall(options.metrics, 'influxdb', operation, async () => {
      try {
        return await withRetries(async () => work(await openBackend()));
      } catch (error) {
        if (error instanceof OperatorError || error instanceof HistoryRefusedError) throw error;
        const Fault = isRefusal(statusOf(error) ?? 0) ? HistoryRefusedError : HistoryUnavailableError;
        throw new Fault(`influxdb ${target.label}`, transportReason(error), { cause: error });
      }
    });
  }

  function mappedLayout(metric: MetricName): MetricLayout {
    if (isMapped(metric, mapping)) return layoutOf(metric, mapping);
    throw new HistoryRefusedError(`influxdb ${target.label}`, `${metric} is removed from the mapping`);
  }

  /** Values in the unit of the catalogue, of resources with a stored value beyond the bound (default: all). */
  async function valuesOf(operation: string, query: AggregateQuery, bound?: StoredBound) {
    const window = windowOf(query, clock);
    const layout = mappedLayout(query.metric);
    const aggregate = storedAggregate(layout, query.aggregate);
    const resources = namedResources(query);
    const stored = await call(operation, (open) => open.aggregate(layout, aggregate, window, resources, bound));
    const values = new Map<string, number>();
    for (const [resource, number] of stored) {
      const value = toCatalogue(layout, aggregate, number, query.vcpus?.get(resource));
      if (value !== undefined) values.set(resource, value);
    }
    return values;
  }

  return {
    name: 'influxdb',
    aggregate: (query) => valuesOf('aggregate', query),
    async maximaAbove(query, limit) {
      const bound = boundAbove(mappedLayout(query.metric), limit);
      if (bound === null) return new Map();
      return above(await valuesOf('maximaAbove', { ...query, aggregate: 'max' }, bound), limit);
    },
    async series(query) {
      const window = seriesWindowOf(query);
      const layout = mappedLayout(query.metric);
      const points = await call('series', (open) => open.series(layout, query.resource, window, query.stepSeconds));
      return points.flatMap((point) => {
        const value = toCatalogue(layout, 'mean', point.value, query.vcpus);
        return value === undefined ? [] : [{ at: point.at, value }];
      });
    },
    async listMetrics() {
      const endMs = clock.now();
      const names = (Object.keys(metricCatalogue) as MetricName[]).filter((metric) => isMapped(metric, mapping));
      const layouts = new Map(names.map((name) => [name as string, layoutOf(name, mapping)]));
      const present = await call('listMetrics', (open) => open.present(layouts, { startMs: endMs - dayMs, endMs }));
      return names.filter((name) => present.includes(name));
    },
    async write(samples) {
      validateSamples(samples);
      if (samples.length === 0) return;
      const lines = toLines(samples, mapping);
      await call('write', (open) => open.write(lines));
    },
    realNames: () => {
      const names = (Object.keys(metricCatalogue) as MetricName[]).filter((metric) => isMapped(metric, mapping));
      return new Map(
        names.map((name) => {
          const { measurement, field } = layoutOf(name, mapping);
          return [name, `${measurement}/${field}`];
        }),
      );
    },
    probe: () => call('probe', (open) => open.probe(clock.now())),
    async close() {
      backend = undefined;
    },
  };
}

/** Lines of the line protocol, one per sample, with times in milliseconds. Independent of the version. */
function toLines(samples: readonly Sample[], mapping: MetricMapping | undefined): string[] {
  return samples.map((sample) => {
    const layout = layoutOf(sample.metric, mapping);
    if (layout.kind === 'counter' || !isMapped(sample.metric, mapping)) {
      throw new InvalidInputError('metric', `${sample.metric} cannot be written in this layout`);
    }
    const point = new Point(layout.measurement).tag(layout.resourceTag, sample.resource);
    for (const [tag, value] of Object.entries(layout.tags)) point.tag(tag, value);
    point.floatField(layout.field, (sample.value - layout.offset) / layout.scale);
    const line = point.timestamp(Math.floor(sample.at)).toLineProtocol();
    if (line === undefined) throw new Error(`sample of ${sample.metric} has no fields`);
    return line;
  });
}

/** Retries after 200 and 400 ms when the server was unreachable, too slow, or returned 429 or 5xx. */
function withRetries<T>(work: () => Promise<T>): Promise<T> {
  return retry(work, { tries: retries + 1, pauses, isPassing: isWorthAnotherTry });
}

function isWorthAnotherTry(error: unknown): boolean {
  if (error instanceof OperatorError) return false;
  const status = statusOf(error);
  return status === undefined ? isTransportFailure(error) : status >= 500 || status === 429;
}

/** HTTP status of an error of either transport. Undefined without a response. */
function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('statusCode' in error && typeof error.statusCode === 'number') return error.statusCode;
  return 'status' in error && typeof error.status === 'number' ? error.status : undefined;
}

/** Connection refused or reset, unknown name, time limit: `code` of the system or of undici. */
function isTransportFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (['TimeoutError', 'RequestTimedOutError'].includes(error.name)) return true;
  return 'code' in error && /^(E[A-Z]+|UND_ERR_[A-Z_]+)$/.test(String(error.code));
}
