import type { FastifyInstance, FastifyRequest } from 'fastify';
import { resourceClasses } from '../../cloud/allocation-ledger.ts';
import type { Simulation } from '../../create-simulation.ts';
import { SimulatedApiError } from '../../errors.ts';
import { respondErrorsLike } from '../error-responses.ts';
import { negotiateMicroversion } from '../microversions.ts';
import { contextOf, isAdmin, originOf, paramsOf, queryOf } from '../request-context.ts';
import { requireToken } from '../request-hooks.ts';
import { allocationCandidates, uuidForm } from './allocation-candidates.ts';
import { heldOf, type Provider, partOf, providersOf } from './providers.ts';

/** Microversions that the simulated Placement serves. */
export const placementVersions = { name: 'placement', major: 1, minMinor: 0, maxMinor: 39 } as const;

const once = (uuid: string) => `No resource provider with uuid ${uuid} found`;
const twice = (uuid: string) => `${once(uuid)} : ${once(uuid)}`;
const twiceClose = (uuid: string) => `${once(uuid)}: ${once(uuid)}`;

const providerParameters = ['name', 'uuid', 'member_of', 'resources', 'in_tree', 'required'];

function refuseUnknownParameters(request: FastifyRequest): void {
  const query = queryOf(request);
  const unknown = Object.keys(query).find((name) => !providerParameters.includes(name));
  const reason = (text: string) => new SimulatedApiError(400, `Invalid query string parameters: ${text}`);
  if (unknown !== undefined) throw reason(`Additional properties are not allowed ('${unknown}' was unexpected)`);
  if (query.uuid !== undefined && !uuidForm.test(query.uuid)) throw reason(`'${query.uuid}' is not a 'uuid'`);
}

/** Placement below `/placement`, for reading. */
export function placementRoutes(simulation: Simulation) {
  const { state, ledger } = simulation;

  const all = () => [...state.hosts.values()].flatMap(providersOf);

  /** `lost` is the message for an unknown provider, which differs by route. */
  function providerOf(request: FastifyRequest, lost = twice): Provider {
    const uuid = paramsOf(request).provider ?? '';
    const provider = all().find((candidate) => candidate.uuid === uuid);
    if (provider === undefined) {
      throw new SimulatedApiError(404, lost(uuid));
    }
    return provider;
  }
  function providerView({ uuid, name, host, parent }: Provider, minor: number): object {
    const base = `/resource_providers/${uuid}`;
    const parts = ['inventories', 'usages'];
    if (minor >= 1) parts.push('aggregates');
    if (minor >= 6) parts.push('traits');
    if (minor >= 11) parts.push('allocations');
    return {
      uuid,
      name,
      generation: ledger.generation(host),
      links: [{ rel: 'self', href: base }, ...parts.map((rel) => ({ rel, href: `${base}/${rel}` }))],
      ...(minor >= 14 ? { parent_provider_uuid: parent, root_provider_uuid: host.uuid } : {}),
    };
  }
  function aggregateUuids({ host, parent }: Provider): string[] {
    if (parent !== null) return [];
    return [...state.aggregates.values()]
      .filter((aggregate) => aggregate.hosts.has(host.name))
      .map((aggregate) => aggregate.uuid);
  }
  function providers(request: FastifyRequest): Provider[] {
    const query = queryOf(request);
    const member = query.member_of?.replace(/^in:/, '').split(',');
    return all().filter(
      (provider) =>
        (query.name === undefined || provider.name === query.name) &&
        (query.uuid === undefined || provider.uuid === query.uuid) &&
        (query.required === undefined || query.required.split(',').every((trait) => provider.traits.includes(trait))) &&
        (query.in_tree === undefined || [provider.uuid, provider.host.uuid].includes(query.in_tree)) &&
        (member === undefined || aggregateUuids(provider).some((uuid) => member.includes(uuid))),
    );
  }
  function inventories(provider: Provider): object {
    const rows = partOf(provider, provider.host.inventory).map(([name, inventory]) => {
      const { total, reserved, allocationRatio, minUnit, maxUnit, stepSize } = inventory;
      const units = { min_unit: minUnit, max_unit: maxUnit, step_size: stepSize };
      return [name, { total, reserved, ...units, allocation_ratio: allocationRatio }];
    });
    return Object.fromEntries(rows);
  }
  function consumerAllocations(request: FastifyRequest): object {
    const consumer = paramsOf(request).consumer ?? '';
    const minor = contextOf(request).minor;
    const places = [...ledger.hostsOf(consumer)];
    const rows = places.flatMap(([host, resources]) =>
      providersOf(host).map((provider): [string, { generation: number; resources: Record<string, number> }] => [
        provider.uuid,
        { generation: ledger.generation(host), resources: heldOf(provider, resources) },
      ]),
    );
    const allocations = Object.fromEntries(rows.filter(([, { resources }]) => Object.keys(resources).length > 0));
    const owner = state.servers.get(consumer) ?? state.migrations.find((record) => record.uuid === consumer)?.server;
    if (places.length === 0 || owner === undefined) return { allocations };
    return {
      allocations,
      ...(minor >= 12 ? { project_id: owner.projectId, user_id: owner.userId } : {}),
      ...(minor >= 28 ? { consumer_generation: 1 } : {}),
      ...(minor >= 38 ? { consumer_type: state.servers.has(consumer) ? 'INSTANCE' : 'MIGRATION' } : {}),
    };
  }

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
        resource_providers: providers(request).map((provider) => providerView(provider, contextOf(request).minor)),
      };
    });
    scope.get('/resource_providers/:provider', async (request) =>
      providerView(providerOf(request, once), contextOf(request).minor),
    );
    const generationOf = ({ host }: Provider) => ({ resource_provider_generation: ledger.generation(host) });
    scope.get('/resource_providers/:provider/inventories', async (request) => {
      const provider = providerOf(request);
      return { ...generationOf(provider), inventories: inventories(provider) };
    });
    scope.get('/resource_providers/:provider/inventories/:class', async (request) => {
      const provider = providerOf(request);
      const name = paramsOf(request).class ?? '';
      const found = (inventories(provider) as Record<string, object | undefined>)[name];
      if (found === undefined) {
        throw new SimulatedApiError(404, `No inventory of class ${name} for ${provider.uuid}`);
      }
      return { ...found, ...generationOf(provider) };
    });
    scope.get('/resource_providers/:provider/usages', async (request) => {
      const provider = providerOf(request, twiceClose);
      return { ...generationOf(provider), usages: Object.fromEntries(partOf(provider, ledger.usage(provider.host))) };
    });
    scope.get('/resource_providers/:provider/traits', async (request) => {
      if (contextOf(request).minor < 6) throw new SimulatedApiError(404, 'The resource could not be found.');
      const provider = providerOf(request, twiceClose);
      return { ...generationOf(provider), traits: provider.traits };
    });
    scope.get('/resource_providers/:provider/aggregates', async (request) => {
      const provider = providerOf(request, once);
      const aggregates = aggregateUuids(provider);
      return contextOf(request).minor < 19 ? { aggregates } : { ...generationOf(provider), aggregates };
    });
    scope.get('/resource_providers/:provider/allocations', async (request) => {
      const provider = providerOf(request, (uuid) => `Resource provider '${uuid}' not found: ${once(uuid)}`);
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
    scope.get('/allocations/:consumer', async (request) => consumerAllocations(request));
    scope.get('/traits', async () => ({
      traits: [...new Set(all().flatMap(({ traits }) => traits))].sort(),
    }));
    scope.get('/resource_classes', async () => ({
      resource_classes: resourceClasses.map((name) => ({
        name,
        links: [{ rel: 'self', href: `/resource_classes/${name}` }],
      })),
    }));
  };
}
