import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  type CapacityKind,
  capacityForecast,
  capacityForecastSchemas,
  type ForecastKind,
  forecastHours,
  forecastLoads,
  loadForecast,
  loadForecastSchemas,
  usualFullAt,
} from '#libs/messaging';
import {
  countArgument,
  nameParameter,
  type QueryArguments,
  queryArguments,
  textArgument,
} from '../../collections/query-arguments.ts';
import { callEngine, type RefusalFaults, unavailableWithoutEngine } from '../../http/call-engine.ts';
import { ApiFault, badRequest } from '../../http/faults/fault.ts';
import type { InternalDeps } from '../internal-deps.ts';
import { describeInternal } from '../openapi/internal-openapi.ts';

const unavailable = (text: string) => (message: string) => new ApiFault(503, `${text}: ${message}`);
const notFound = (message: string) => new ApiFault(404, message);

const faults: RefusalFaults = {
  ...unavailableWithoutEngine,
  model_not_available: unavailable('The cluster data model is not available'),
  history_not_available: unavailable('The cluster history is not available'),
  host_not_found: notFound,
  instance_not_found: notFound,
  aggregate_not_found: notFound,
  flavor_not_found: notFound,
};

const fullAtArgument = {
  full_at: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, description: `Percent at which it is full; default ${usualFullAt}.` }),
  ),
};

/**
 * `GET /internal/forecasts/hosts/{hostname}` and `…/instances/{uuid}`: the expected load of the next hours.
 * `…/aggregates/{aggregate}` and `…/flavors/{flavor}`: the days until they are full.
 */
export function registerForecastRoutes(app: FastifyInstance, deps: InternalDeps): void {
  for (const schema of [...loadForecastSchemas, ...capacityForecastSchemas]) app.addSchema(schema);
  registerLoad(app, deps, { kind: 'host', param: 'hostname' });
  registerLoad(app, deps, { kind: 'instance', param: 'uuid' });
  registerCapacity(app, deps, 'aggregate', { aggregate: 'Name or id of the aggregate.' });
  registerCapacity(app, deps, 'flavor', { flavor: 'Name of a flavor that an instance has.' });
}

function registerLoad(
  app: FastifyInstance,
  deps: InternalDeps,
  { kind, param }: { kind: ForecastKind; param: string },
): void {
  const schema = describeInternal({
    tag: 'forecasts',
    operationId: `get_forecast_of_${kind}`,
    summary: `Expected load of one ${kind}, hour by hour, and days until it is full`,
    params: { [param]: kind === 'host' ? 'Host of the compute service.' : 'Uuid of the instance.' },
    query: {
      load: Type.Optional(
        Type.Unsafe({ type: 'string', enum: forecastLoads, description: `Percent of the ${kind}; default cpu.` }),
      ),
      hours: Type.Optional(
        Type.Integer({
          minimum: forecastHours.least,
          maximum: forecastHours.most,
          description: `Hours from the one that is running now; default ${forecastHours.byDefault}.`,
        }),
      ),
      ...fullAtArgument,
    },
    response: 'LoadForecast',
    refusals: [404, 500, 503],
  });
  app.get<{ Params: Record<string, string> }>(`/forecasts/${kind}s/:${param}`, { schema }, async (request) => {
    const query = queryArguments(request, ['load', 'hours', 'full_at']);
    const name = textArgument(query, 'load') ?? 'cpu';
    const load = forecastLoads.find((known) => known === name);
    if (!load) throw badRequest(`load: ${name.slice(0, 80)} is none of ${forecastLoads.join(', ')}`);
    const hours = countArgument(query, 'hours', forecastHours.byDefault, forecastHours.most);
    const id = nameParameter(param, request.params[param] ?? '');
    return callEngine(deps, loadForecast, { kind, id, load, hours, full_at: fullAtOf(query) }, faults);
  });
}

function registerCapacity(
  app: FastifyInstance,
  deps: InternalDeps,
  kind: CapacityKind,
  params: Record<string, string>,
): void {
  const isAggregate = kind === 'aggregate';
  const schema = describeInternal({
    tag: 'forecasts',
    operationId: `get_forecast_of_${kind}`,
    summary: isAggregate
      ? 'Days until an aggregate is full'
      : 'Remaining capacity for a flavor, and days until it is exhausted',
    params,
    query: isAggregate ? fullAtArgument : {},
    response: 'CapacityForecast',
    refusals: [404, 500, 503],
  });
  app.get<{ Params: Record<string, string> }>(`/forecasts/${kind}s/:${kind}`, { schema }, async (request) => {
    const query = queryArguments(request, isAggregate ? ['full_at'] : []);
    const id = nameParameter(kind, request.params[kind] ?? '');
    return callEngine(deps, capacityForecast, { kind, id, full_at: fullAtOf(query) }, faults);
  });
}

function fullAtOf(query: QueryArguments): number {
  return countArgument(query, 'full_at', usualFullAt, 100);
}
