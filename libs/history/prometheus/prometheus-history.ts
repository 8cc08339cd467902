import { type Clock, type Logger, type MetricName, metricCatalogue } from '#libs/domain';
import type { TlsFiles } from '#libs/service-kit/env';
import { above, boundAbove, type StoredBound, toCatalogue } from '../catalogue-unit.ts';
import {
  type AggregateQuery,
  type HistoryReader,
  HistoryRefusedError,
  type MetricResponse,
  type SeriesPoint,
} from '../history-port.ts';
import { parseHttpTarget } from '../http/http-target.ts';
import { createJsonHttp, type JsonHttp } from '../http/json-http.ts';
import { namedResources } from '../named-resources.ts';
import { type HistoryMetrics, observedCall } from '../observed-call.ts';
import { sourceLimitMs } from '../source-limit.ts';
import { type HistoryWindow, seriesWindowOf, windowOf } from '../window.ts';
import { hostAliases, labelOfHost, labelsOfHostPattern } from './host-names.ts';
import { mergePresets, type PrometheusPreset, usualPresets } from './presets.ts';
import { createPrometheusApi, type PrometheusPlace, prometheusFault } from './prometheus-api.ts';
import {
  measuredAggregate,
  type PrometheusLabels,
  type PrometheusMapping,
  type PrometheusMetric,
  prometheusMetrics,
} from './prometheus-metric.ts';
import { aggregatePromql, type ResourceChoice, selector } from './promql.ts';

/** Options shared by direct access to Prometheus and access through Aetos. */
export interface PrometheusOptions extends Partial<PrometheusLabels> {
  tls?: TlsFiles;
  logger: Logger;
  clock: Clock;
  metrics?: HistoryMetrics;
  /** Exporters of the series. Default: node exporter and Ceilometer, as in Watcher. */
  presets?: readonly PrometheusPreset[];
  /** Changes to the presets. */
  mapping?: PrometheusMapping;
  /** Time limit of one request in milliseconds. Default 10000. */
  timeoutMs?: number;
}

/** Location of a Prometheus. */
export interface PrometheusHistoryOptions extends PrometheusOptions {
  /** `VIGIL_PROMETHEUS_URL`: `http(s)://[user:password@]host[:port][/prefix]`. */
  url: string;
  /** Separate bearer token. */
  token?: string;
}

/** Location of an Aetos: a Prometheus behind Keystone. */
export interface AetosHistoryOptions extends PrometheusOptions {
  /** A valid Keystone token. Requested before each call. */
  token(): Promise<string>;
  /** Base URL of the service `metric-storage`. Null when the service catalogue lacks it. */
  endpoint(): Promise<string | null>;
}

const dayMs = 86_400_000;
/** Maximum number of points per series that Prometheus returns. */
const pointsPerQuery = 10_000;

/**
 * History in a Prometheus, or a server with its query API (Thanos, Mimir, VictoriaMetrics). @throws OperatorError when
 * the URL is invalid
 */
export function createPrometheusHistory(options: PrometheusHistoryOptions): HistoryReader {
  const target = parseHttpTarget(options.url, 'VIGIL_PROMETHEUS_URL', { token: options.token });
  const headers: Record<string, string> = {};
  if (target.authorization !== undefined) headers.authorization = target.authorization;
  return createReader('prometheus', `prometheus ${target.label}`, options, async () => ({
    base: target.base,
    headers,
  }));
}

/**
 * History in Aetos, the Prometheus of an OpenStack cloud. It is found in the service catalogue, and needs a token of
 * Keystone.
 */
export function createAetosHistory(options: AetosHistoryOptions): HistoryReader {
  return createReader('aetos', 'aetos', options, async () => {
    const base = await options.endpoint();
    if (base === null)
      throw new HistoryRefusedError('aetos', 'the service catalogue has no service of type metric-storage');
    return { base: base.replace(/\/+$/, ''), headers: { 'x-auth-token': await options.token() } };
  });
}

function createReader(
  name: string,
  label: string,
  options: PrometheusOptions,
  place: () => Promise<PrometheusPlace>,
): HistoryReader {
  const { clock, logger } = options;
  const labels = { fqdnLabel: options.fqdnLabel ?? 'fqdn', instanceLabel: options.instanceLabel ?? 'resource' };
  const mapped = prometheusMetrics(labels, mergePresets(options.presets ?? usualPresets), options.mapping);
  const http: JsonHttp = createJsonHttp({
    source: label,
    timeoutMs: options.timeoutMs ?? sourceLimitMs,
    tls: options.tls,
    describeFault: prometheusFault,
  });
  const api = createPrometheusApi(http, label, place);

  function call<T>(operation: string, work: () => Promise<T>): Promise<T> {
    return observedCall(options.metrics, name, operation, work);
  }

  function definitionOf(metric: MetricName): PrometheusMetric {
    const found = mapped.get(metric);
    if (found !== undefined) return found;
    throw new HistoryRefusedError(label, `${metric} is not mapped to a series of ${name}`);
  }

  /** Points by label, of all labels that may be those of the resource. */
  async function steps(metric: PrometheusMetric, resource: ResourceChoice, window: HistoryWindow, stepMs: number) {
    const whole = Math.floor((window.endMs - window.startMs) / stepMs);
    const { resourceLabel } = metric;
    const found = new Map<string, SeriesPoint[]>();
    const add = (label: string, points: SeriesPoint[]) => found.set(label, [...(found.get(label) ?? []), ...points]);
    const promql = aggregatePromql(metric, 'mean', stepMs, { resource });
    for (let first = 0; first < whole; first += pointsPerQuery) {
      const count = Math.min(pointsPerQuery, whole - first);
      const startMs = window.startMs + (first + 1) * stepMs - 1;
      const range = { startMs, endMs: startMs + (count - 1) * stepMs, stepMs };
      for (const [label, points] of await api.range(promql, range, resourceLabel)) add(label, points);
    }
    const rest = window.endMs - (window.startMs + whole * stepMs);
    if (rest > 0) {
      const ending = aggregatePromql(metric, 'mean', rest, { resource });
      const values = await api.instant(ending, window.endMs - 1, resourceLabel);
      const at = window.startMs + (whole + 1) * stepMs - 1;
      for (const [label, value] of values) add(label, [{ at, value }]);
    }
    return found;
  }

  /** Values in the unit of the catalogue, of resources with a measured value beyond the bound (default: all). */
  async function valuesOf(operation: string, query: AggregateQuery, bound?: StoredBound) {
    const window = windowOf(query, clock);
    const metric = definitionOf(query.metric);
    const aggregate = measuredAggregate(metric, query.aggregate);
    // Labels of hosts may have another form than the names in Nova.
    const resource = isOfHosts(query) ? undefined : namedResources(query);
    const { granularitySeconds } = query;
    const promql = aggregatePromql(metric, aggregate, window.endMs - window.startMs, {
      granularitySeconds,
      resource,
      bound,
    });
    const measured = await call(operation, () => api.instant(promql, window.endMs, metric.resourceLabel));
    const values = new Map<string, number>();
    for (const [resource, number] of measured) {
      const value = toCatalogue(metric, aggregate, number, query.vcpus?.get(resource));
      if (value !== undefined) values.set(resource, value);
    }
    return values;
  }

  async function aggregateFrom(query: AggregateQuery): Promise<MetricResponse> {
    const response = { values: await valuesOf('aggregate', query), source: name, passedOver: [] };
    if (!isOfHosts(query)) return response;
    const aliases = hostAliases(response.values.keys(), logger);
    const values = new Map(response.values);
    for (const [alias, label] of aliases) values.set(alias, response.values.get(label) ?? Number.NaN);
    return { ...response, values, aliases };
  }

  return {
    name,
    aggregateFrom,
    aggregate: async (query) => (await aggregateFrom(query)).values,
    async maximaAbove(query, limit) {
      const bound = boundAbove(definitionOf(query.metric), limit);
      if (bound === null) return new Map();
      return above(await valuesOf('maximaAbove', { ...query, aggregate: 'max' }, bound), limit);
    },
    async series(query) {
      const window = seriesWindowOf(query);
      const metric = definitionOf(query.metric);
      const stepMs = query.stepSeconds * 1000;
      const { resource } = query;
      const choice = isOfHosts(query) ? { pattern: labelsOfHostPattern(resource) } : resource;
      const found = await call('series', () => steps(metric, choice, window, stepMs));
      const label = isOfHosts(query) ? labelOfHost(resource, [...found.keys()], logger) : resource;
      return (found.get(label ?? '') ?? []).flatMap((point) => {
        const value = toCatalogue(metric, 'mean', point.value, query.vcpus);
        return value === undefined ? [] : [{ at: point.at - stepMs + 1, value }];
      });
    },
    async listMetrics() {
      const endMs = clock.now();
      const selectors = [...mapped.values()].map((metric) => selector(metric, metric.metric));
      const found = new Set(await call('listMetrics', () => api.names(selectors, { startMs: endMs - dayMs, endMs })));
      return [...mapped].filter(([, metric]) => found.has(metric.metric)).map(([metric]) => metric);
    },
    realNames: () => new Map([...mapped].map(([metric, definition]) => [metric, definition.metric])),
    probe: () =>
      call('probe', async () => {
        await api.instant('count(up)', clock.now(), 'none');
      }),
    async close() {
      await http.close();
    },
  };
}

const isOfHosts = ({ metric }: Pick<AggregateQuery, 'metric'>) =>
  metricCatalogue[metric].resourceType === 'compute_node';
