import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { type MetricName, type MetricResourceType, metricCatalogue } from '#libs/domain';
import {
  historySeries,
  historySeriesLimits,
  historySeriesSchemas,
  historySpread,
  historySpreadLimits,
  historySpreadSchemas,
} from '#libs/messaging';
import { nameParameter, type QueryArguments, queryArguments, textArgument } from '../../collections/query-arguments.ts';
import { callEngine, type RefusalFaults, unavailableWithoutEngine } from '../../http/call-engine.ts';
import { ApiFault, badRequest } from '../../http/faults/fault.ts';
import type { InternalDeps } from '../internal-deps.ts';
import { noteLogPosition } from '../note-log-position.ts';
import { describeInternal } from '../openapi/internal-openapi.ts';
import { windowArguments, windowOf } from './window.ts';

const windowNames = ['start', 'end', 'step'];
const seriesDefaults = { points: 240, limits: historySeriesLimits };
const spreadDefaults = { points: 60, limits: historySpreadLimits };

const faults: RefusalFaults = {
  ...unavailableWithoutEngine,
  history_not_available: (message) => new ApiFault(503, `The cluster history is not available: ${message}`),
};

/** Measured values over time, for charts: of one host or instance, and the spread over all hosts. */
export function registerHistoryRoutes(app: FastifyInstance, deps: InternalDeps): void {
  for (const schema of [...historySeriesSchemas, ...historySpreadSchemas]) app.addSchema(schema);
  registerSeries(app, deps, { type: 'compute_node', path: 'hosts', param: 'hostname' });
  registerSeries(app, deps, { type: 'instance', path: 'instances', param: 'uuid' });
  const schema = describeInternal({
    tag: 'history',
    operationId: 'get_history_spread',
    summary: 'Spread of a metric over all hosts, over time',
    query: { metric: metricArgument('host_cpu_usage'), ...windowArguments },
    response: 'HistorySpread',
    refusals: [500, 503],
  });
  app.get('/history/spread', { schema }, async (request, reply) => {
    noteLogPosition(reply, deps);
    const query = queryArguments(request, ['metric', ...windowNames]);
    const metric = checkMetric(textArgument(query, 'metric') ?? 'host_cpu_usage');
    const rpcRequest = { metric, ...windowOf(query, deps.clock.now(), spreadDefaults) };
    return callEngine(deps, historySpread, rpcRequest, faults);
  });
}

function registerSeries(
  app: FastifyInstance,
  deps: InternalDeps,
  { type, path, param }: { type: MetricResourceType; path: string; param: string },
): void {
  const known = metricsOf(type);
  const schema = describeInternal({
    tag: 'history',
    operationId: `get_history_of_${path}`,
    summary: `Measured values of one of the ${path} over time`,
    params: { [param]: type === 'instance' ? 'Uuid of the instance.' : 'Host of the compute service.' },
    query: {
      metrics: Type.Optional(Type.String({ description: `Metrics: ${known.join(', ')}; default: CPU and memory.` })),
      ...windowArguments,
    },
    response: 'HistorySeries',
    refusals: [500, 503],
  });
  app.get<{ Params: Record<string, string> }>(`/history/${path}/:${param}`, { schema }, async (request) => {
    const query = queryArguments(request, ['metrics', ...windowNames]);
    const metrics = requestedMetrics(query, known);
    const resource = nameParameter(param, request.params[param] ?? '');
    const rpcRequest = { resource, metrics, ...windowOf(query, deps.clock.now(), seriesDefaults) };
    return callEngine(deps, historySeries, rpcRequest, faults);
  });
}

function metricsOf(type: MetricResourceType): MetricName[] {
  const names = Object.keys(metricCatalogue) as MetricName[];
  return names.filter((name) => metricCatalogue[name].resourceType === type);
}

function requestedMetrics(query: QueryArguments, known: readonly MetricName[]): MetricName[] {
  const requested = textArgument(query, 'metrics')?.split(',') ?? known.slice(0, 2);
  return requested.map((name) => {
    const metric = known.find((candidate) => candidate === name.trim());
    if (!metric) throw badRequest(`metrics: ${name} is none of ${known.join(', ')}`);
    return metric;
  });
}

function checkMetric(name: string): MetricName {
  if (!Object.hasOwn(metricCatalogue, name)) throw badRequest(`metric: ${name} is unknown`);
  return name as MetricName;
}

function metricArgument(byDefault: MetricName) {
  return Type.Optional(
    Type.Unsafe({ type: 'string', enum: Object.keys(metricCatalogue), default: byDefault, description: 'Metric.' }),
  );
}
