import { type Clock, type Logger, type MetricName, metricCatalogue } from '#libs/domain';
import type { TlsFiles } from '#libs/service-kit/env';
import { above } from '../catalogue-unit.ts';
import {
  type AggregateQuery,
  type HistoryReader,
  HistoryRefusedError,
  type MetricResponse,
  type SeriesPoint,
} from '../history-port.ts';
import { parseHttpTarget } from '../http/http-target.ts';
import { createJsonHttp } from '../http/json-http.ts';
import { namedResources } from '../named-resources.ts';
import { type HistoryMetrics, observedCall } from '../observed-call.ts';
import { sourceLimitMs } from '../source-limit.ts';
import { seriesWindowOf, windowOf } from '../window.ts';
import { createGnocchiApi, type GnocchiPlace, gnocchiFault } from './gnocchi-api.ts';
import { type GnocchiMapping, type GnocchiMetric, gnocchiMetrics, storedAggregation } from './gnocchi-metric.ts';
import { combine, type Measure, mostCpuPercent, ofOneGranularity, resourceValue, toCpuPercent } from './measures.ts';

/** Location of a Gnocchi: a URL with basic authentication, or the service catalogue of Keystone. */
export interface GnocchiHistoryOptions {
  /** `VIGIL_GNOCCHI_URL`: `http(s)://[user[:password]@]host[:port][/prefix]`. Wins over `keystone`. */
  url?: string;
  keystone?: {
    /** A valid token. Requested before each call. */
    token(): Promise<string>;
    /** Base URL of the service `metric`. Null when the service catalogue lacks it. */
    endpoint(): Promise<string | null>;
  };
  tls?: TlsFiles;
  logger: Logger;
  clock: Clock;
  metrics?: HistoryMetrics;
  /** Changes to the mapping of Watcher. */
  mapping?: GnocchiMapping;
  /** Time limit of one request in milliseconds. Default 60000, because one request reads all resources. */
  timeoutMs?: number;
}

const uuidPattern = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * History in Gnocchi. A value covers all granules that start in the window. It uses the requested granularity if the
 * archive policy has it, otherwise the finest. @throws OperatorError when the URL is invalid
 */
export function createGnocchiHistory(options: GnocchiHistoryOptions): HistoryReader {
  const { clock } = options;
  const { label, place } = placeOf(options);
  const mapped = gnocchiMetrics(options.mapping);
  const timeoutMs = options.timeoutMs ?? 2 * sourceLimitMs;
  const http = createJsonHttp({ source: label, timeoutMs, tls: options.tls, describeFault: gnocchiFault });
  const api = createGnocchiApi(http, label, place, clock);

  function call<T>(operation: string, work: () => Promise<T>): Promise<T> {
    return observedCall(options.metrics, 'gnocchi', operation, work);
  }

  function definitionOf(metric: MetricName): GnocchiMetric {
    const found = mapped.get(metric);
    if (found !== undefined) return found;
    throw new HistoryRefusedError(label, `${metric} is not mapped to a metric of Gnocchi`);
  }

  async function aggregateFrom(query: AggregateQuery): Promise<MetricResponse> {
    const window = windowOf(query, clock);
    const metric = definitionOf(query.metric);
    const aggregation = storedAggregation(metric, query.aggregate);
    const ids = instanceIds(query);
    const stored = await call(
      'aggregate',
      async () =>
        (ids && (await api.ofSome(ids, metric, aggregation, window))) ?? api.ofAll(metric, aggregation, window),
    );
    const values = new Map<string, number>();
    const late = { resources: 0, ageSeconds: 0 };
    for (const [id, measures] of stored) {
      const resource = resourceName(id, query.metric);
      const found = resourceValue(metric, measures, { ...query, vcpus: query.vcpus?.get(resource), window });
      if (found === undefined) continue;
      values.set(resource, found.value);
      if (found.lateSeconds > 0) late.resources += 1;
      late.ageSeconds = Math.max(late.ageSeconds, found.lateSeconds);
    }
    return { values, source: 'gnocchi', passedOver: [], ...(late.resources > 0 ? { late } : {}) };
  }

  /** Most windows have no value above the limit. One series, the maximum of all resources, shows that. */
  async function maximaAbove(query: AggregateQuery, limit: number): Promise<Map<string, number>> {
    const metric = definitionOf(query.metric);
    const ofMaxima = { ...query, aggregate: 'max' } as const;
    if (metric.kind === 'cpu_time') {
      if (limit >= mostCpuPercent) return new Map();
    } else if (metric.scale > 0) {
      const aggregation = storedAggregation(metric, ofMaxima.aggregate);
      const window = windowOf(query, clock);
      const greatest = await call('maximaAbove', () => api.greatest(metric, aggregation, window, instanceIds(query)));
      if (greatest * metric.scale <= limit) return new Map();
    }
    return above((await aggregateFrom(ofMaxima)).values, limit);
  }

  return {
    name: 'gnocchi',
    aggregateFrom,
    aggregate: async (query) => (await aggregateFrom(query)).values,
    maximaAbove,
    async series(query) {
      const window = seriesWindowOf(query);
      const metric = definitionOf(query.metric);
      const aggregation = storedAggregation(metric, 'mean');
      const stored = await call('series', async () => {
        for (const id of resourceIds(query.resource, query.metric)) {
          const found = await api.ofOne(id, metric, aggregation, window);
          if (found.length > 0) return found;
        }
        return [];
      });
      const { vcpus, stepSeconds } = query;
      if (metric.kind !== 'gauge' && vcpus === undefined) return [];
      const granularities = granularitiesWithin(stored, stepSeconds).map((granularity) => {
        const chosen = ofOneGranularity(stored, granularity);
        return metric.kind === 'gauge'
          ? chosen.map((measure) => ({ ...measure, value: measure.value * metric.scale }))
          : toCpuPercent(chosen, vcpus ?? 1);
      });
      return inSteps(granularities, window.startMs, window.endMs, stepSeconds * 1000);
    },
    async listMetrics() {
      const present = await call('listMetrics', () =>
        Promise.all([...mapped].map(async ([name, { metric }]) => ((await api.exists(metric)) ? [name] : []))),
      );
      return present.flat();
    },
    realNames: () => new Map([...mapped].map(([name, { metric }]) => [name, metric])),
    probe: () => call('probe', () => api.probe()),
    async close() {
      await http.close();
    },
  };
}

function placeOf(options: GnocchiHistoryOptions): { label: string; place: () => Promise<GnocchiPlace> } {
  const { keystone } = options;
  if (options.url !== undefined || keystone === undefined) {
    const target = parseHttpTarget(options.url ?? '', 'VIGIL_GNOCCHI_URL');
    const headers: Record<string, string> = {};
    if (target.authorization !== undefined) headers.authorization = target.authorization;
    return { label: `gnocchi ${target.label}`, place: async () => ({ base: target.base, headers }) };
  }
  return {
    label: 'gnocchi',
    async place() {
      const endpoint = await keystone.endpoint();
      if (endpoint === null)
        throw new HistoryRefusedError('gnocchi', 'the service catalogue has no service of type metric');
      const base = endpoint.replace(/\/+$/, '').replace(/\/v1$/, '');
      return { base, headers: { 'x-auth-token': await keystone.token() } };
    },
  };
}

/** Ceilometer names the resource of a host `<host>_<host>`. Instances have their uuid. */
function resourceName(id: string, metric: MetricName): string {
  if (metricCatalogue[metric].resourceType === 'instance' || id.length % 2 === 0) return id;
  const half = (id.length - 1) / 2;
  return id[half] === '_' && id.slice(0, half) === id.slice(half + 1) ? id.slice(0, half) : id;
}

/** Instances of a query by their uuids, which Gnocchi keeps. Undefined: the query reads all resources. */
function instanceIds(query: AggregateQuery): readonly string[] | undefined {
  if (metricCatalogue[query.metric].resourceType !== 'instance') return undefined;
  const ids = namedResources(query)?.filter((name) => uuidPattern.test(name));
  return ids?.length === 0 ? undefined : ids;
}

function resourceIds(resource: string, metric: MetricName): string[] {
  return metricCatalogue[metric].resourceType === 'instance' ? [resource] : [`${resource}_${resource}`, resource];
}

/** Granularities up to the length of a step, the finest first. Without any, only the finest of all. Seconds. */
function granularitiesWithin(measures: readonly Measure[], stepSeconds: number): number[] {
  const all = [...new Set(measures.map(({ granularity }) => granularity))].sort((a, b) => a - b);
  const within = all.filter((granularity) => granularity <= stepSeconds);
  return within.length > 0 ? within : all.slice(0, 1);
}

/**
 * Each step uses the finest granules that are stored for its time, because archive policies keep coarse granules
 * longer.
 */
function inSteps(granularities: Measure[][], startMs: number, endMs: number, stepMs: number): SeriesPoint[] {
  const steps = new Map<number, Measure[]>();
  for (const measures of granularities) {
    const own = new Map<number, Measure[]>();
    for (const measure of measures) {
      const step = Math.floor(measure.at / stepMs) * stepMs;
      if (measure.at < startMs || measure.at >= endMs || steps.has(step)) continue;
      const inside = own.get(step);
      if (inside === undefined) own.set(step, [measure]);
      else inside.push(measure);
    }
    for (const [step, inside] of own) steps.set(step, inside);
  }
  return [...steps]
    .sort(([one], [other]) => one - other)
    .map(([at, inside]) => ({ at, value: combine(inside, 'mean') ?? 0 }));
}
