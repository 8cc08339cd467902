import type { FastifyInstance, FastifyRequest } from 'fastify';
import { resourceClasses } from '../../cloud/allocation-ledger.ts';
import type { Simulation } from '../../create-simulation.ts';
import { SimulatedApiError } from '../../errors.ts';
import { respondErrorsLike } from '../error-responses.ts';
import { negotiateMicroversion } from '../microversions.ts';
import { contextOf, isAdmin, originOf, paramsOf, queryOf } from '../request-context.ts';
import { requireToken } from '../request-hooks.ts';
import { allocationCandidates, uuidForm } from './allocation-candidates.ts';
import { createProviderViews, unknownProvider } from './provider-views.ts';
import { heldOf, type Provider, partOf } from './providers.ts';

/** Microversions that the simulated Placement serves. */
export const placementVersions = { name: 'placement', major: 1, minMinor: 0, maxMinor: 39 } as const;

const providerParameters = ['name', 'uuid', 'member_of', 'resources', 'in_tree', 'required'];

function refuseUnknownParameters(request: FastifyRequest): void {
  const query = queryOf(request);
  const unknown = Object.keys(query).find((name) => !providerParameters.includes(name));
  const reason = (text: string) => new SimulatedApiError(400, `Invalid query string parameters: ${text}`);
  if (unknown !== undefined) throw reason(`Additional properties are not allowed ('${unknown}' was unexpected)`);
  if (query.uuid !== undefined && !uuidForm.test(query.uuid)) throw reason(`'${query.uuid}' is not a 'uuid'`);
}

/** The read part of Placement below `/placement`. */
export function placementRoutes(simulation: Simulation) {
  const { state, ledger } = simulation;
  const views = createProviderViews(simulation);

  return async (scope: FastifyInstance): Promise<void> => {
    respondErrorsLike(scope, 'placement');
    requireToken(scope, simulation, (path) => /^\/placement\/?$/.test(path));
    negotiateMicroversion(scope, placementVersions);
    scope.addHook('preHandler', async (request) => {
      if (/^\/placement\/?(\?|$)/.test(request.url) || isAdmin(request)) return;
      throw new SimulatedApiError(403, 'admin required');
    });
    scope.get('/', async (request) => ({
      versions: [
        {
          id: 'v1.0',
          max_version: `1.${placementVersions.maxMinor}`,
          min_version: '1.0',
          status: 'CURRENT',
          links: [{ rel: 'self', href: `${originOf(request)}/placement` }],
        },
      ],
    }));
    scope.get('/resource_providers', async (request) => {
      refuseUnknownParameters(request);
      return {
        resource_providers: views
          .providers(request)
          .map((provider) => views.providerView(provider, contextOf(request).minor)),
      };
    });
    scope.get('/resource_providers/:provider', async (request) =>
      views.providerView(views.providerOf(request, unknownProvider.once), contextOf(request).minor),
    );
    const generationOf = ({ host }: Provider) => ({ resource_provider_generation: ledger.generation(host) });
    scope.get('/resource_providers/:provider/inventories', async (request) => {
      const provider = views.providerOf(request);
      return { ...generationOf(provider), inventories: views.inventories(provider) };
    });
    scope.get('/resource_providers/:provider/inventories/:class', async (request) => {
      const provider = views.providerOf(request);
      const name = paramsOf(request).class ?? '';
      const found = (views.inventories(provider) as Record<string, object | undefined>)[name];
      if (found === undefined) {
        throw new SimulatedApiError(404, `No inventory of class ${name} for ${provider.uuid}`);
      }
      return { ...found, ...generationOf(provider) };
    });
    scope.get('/resource_providers/:provider/usages', async (request) => {
      const provider = views.providerOf(request, unknownProvider.twiceClose);
      return { ...generationOf(provider), usages: Object.fromEntries(partOf(provider, ledger.usage(provider.host))) };
    });
    scope.get('/resource_providers/:provider/traits', async (request) => {
      if (contextOf(request).minor < 6) throw new SimulatedApiError(404, 'The resource could not be found.');
      const provider = views.providerOf(request, unknownProvider.twiceClose);
      return { ...generationOf(provider), traits: provider.traits };
    });
    scope.get('/resource_providers/:provider/aggregates', async (request) => {
      const provider = views.providerOf(request, unknownProvider.once);
      const aggregates = views.aggregateUuids(provider);
      return contextOf(request).minor < 19 ? { aggregates } : { ...generationOf(provider), aggregates };
    });
    scope.get('/resource_providers/:provider/allocations', async (request) => {
      const provider = views.providerOf(
        request,
        (uuid) => `Resource provider '${uuid}' not found: ${unknownProvider.once(uuid)}`,
      );
      const extra = contextOf(request).minor >= 28 ? { consumer_generation: 1 } : {};
      const rows = [...ledger.consumersOf(provider.host)].flatMap(([consumer, held]) => {
        const resources = heldOf(provider, held);
        return Object.keys(resources).length === 0 ? [] : [[consumer, { resources, ...extra }]];
      });
      return { ...generationOf(provider), allocations: Object.fromEntries(rows) };
    });
    scope.get('/allocation_candidates', async (request) => {
      if (contextOf(request).minor < 10) throw new SimulatedApiError(404, 'The resource could not be found.');
      const { searchParams } = new URL(request.url, 'http://simulator');
      return allocationCandidates(state, ledger, { query: searchParams, minor: contextOf(request).minor });
    });
    scope.get('/allocations/:consumer', async (request) => views.consumerAllocations(request));
    scope.get('/traits', async () => ({
      traits: [...new Set(views.all().flatMap(({ traits }) => traits))].sort(),
    }));
    scope.get('/resource_classes', async () => ({
      resource_classes: resourceClasses.map((name) => ({
        name,
        links: [{ rel: 'self', href: `/resource_classes/${name}` }],
      })),
    }));
  };
}
