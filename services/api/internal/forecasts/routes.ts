import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { type ForecastKind, forecastHours, forecastLoads, loadForecast, loadForecastSchemas } from '#libs/messaging';
import { countArgument, nameParameter, queryArguments, textArgument } from '../../collections/query-arguments.ts';
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
};

/** `GET /internal/forecasts/hosts/{hostname}` and `…/instances/{uuid}`: the expected load of the next hours. */
export function registerForecastRoutes(app: FastifyInstance, deps: InternalDeps): void {
  for (const schema of loadForecastSchemas) app.addSchema(schema);
  registerForecast(app, deps, { kind: 'host', param: 'hostname' });
  registerForecast(app, deps, { kind: 'instance', param: 'uuid' });
}

function registerForecast(
  app: FastifyInstance,
  deps: InternalDeps,
  { kind, param }: { kind: ForecastKind; param: string },
): void {
  const schema = describeInternal({
    tag: 'forecasts',
    operationId: `get_forecast_of_${kind}`,
    summary: `Expected load of one ${kind}, hour by hour`,
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
    },
    answer: 'LoadForecast',
    refusals: [404, 500, 503],
  });
  app.get<{ Params: Record<string, string> }>(`/forecasts/${kind}s/:${param}`, { schema }, async (request) => {
    const query = queryArguments(request, ['load', 'hours']);
    const name = textArgument(query, 'load') ?? 'cpu';
    const load = forecastLoads.find((known) => known === name);
    if (!load) throw badRequest(`load: ${name.slice(0, 80)} is none of ${forecastLoads.join(', ')}`);
    const hours = countArgument(query, 'hours', forecastHours.byDefault, forecastHours.most);
    const id = nameParameter(param, request.params[param] ?? '');
    return callEngine(deps, loadForecast, { kind, id, load, hours }, faults);
  });
}
