import type { FastifyInstance, FastifyRequest } from 'fastify';
import { resourceClasses } from '../../cloud/allocation-ledger.ts';
import type { SimulatedHost } from '../../cloud/entities.ts';
import type { Simulation } from '../../create-simulation.ts';
import { SimulatedApiError } from '../../errors.ts';
import { respondErrorsLike } from '../error-responses.ts';
import { negotiateMicroversion } from '../microversions.ts';
import { contextOf, isAdmin, originOf, paramsOf, queryOf } from '../request-context.ts';
import { requireToken } from '../request-hooks.ts';

/** Microversions that the simulated Placement serves. */
export const placementVersions = { name: 'placement', major: 1, minMinor: 0, maxMinor: 39 } as const;

/** Placement below `/placement`, for reading. */
export function placementRoutes(simulation: Simulation) {
  const { state, ledger } = simulation;

  function providerOf(request: FastifyRequest): SimulatedHost {
    const uuid = paramsOf(request).provider ?? '';
    const host = state.hostsByUuid.get(uuid);
    if (host === undefined) {
      throw new SimulatedApiError(
        404,
        `No resource provider with uuid ${uuid} found : No resource provider with uuid ${uuid} found `,
      );
    }
    return host;
  }
  function providerView(host: SimulatedHost, minor: number): object {
    const base = `/resource_providers/${host.uuid}`;
    const parts = ['inventories', 'usages'];
    if (minor >= 1) parts.push('aggregates');
    if (minor >= 6) parts.push('traits');
    if (minor >= 11) parts.push('allocations');
    return {
      uuid: host.uuid,
      name: host.name,
      generation: ledger.generation(host),
      links: [{ rel: 'self', href: base }, ...parts.map((rel) => ({ rel, href: `${base}/${rel}` }))],
      ...(minor >= 14 ? { parent_provider_uuid: null, root_provider_uuid: host.uuid } : {}),
    };
  }
  function aggregateUuids(host: SimulatedHost): string[] {
    return [...state.aggregates.values()]
      .filter((aggregate) => aggregate.hosts.has(host.name))
      .map((aggregate) => aggregate.uuid);
  }
  function providers(request: FastifyRequest): SimulatedHost[] {
    const query = queryOf(request);
    const member = query.member_of?.replace(/^in:/, '').split(',');
    return [...state.hosts.values()].filter(
      (host) =>
        (query.name === undefined || host.name === query.name) &&
        (query.uuid === undefined || host.uuid === query.uuid) &&
        (query.required === undefined || query.required.split(',').every((trait) => host.traits.includes(trait))) &&
        (query.in_tree === undefined || host.uuid === query.in_tree) &&
        (member === undefined || aggregateUuids(host).some((uuid) => member.includes(uuid))),
    );
  }
  function inventories(host: SimulatedHost): object {
    return Object.fromEntries(
      classesOf(host).map((name) => {
        const { total, reserved, allocationRatio } = host.inventory[name];
        const row = { total, reserved, min_unit: 1, max_unit: total, step_size: 1, allocation_ratio: allocationRatio };
        return [name, row];
      }),
    );
  }
  function usages(host: SimulatedHost): object {
    return Object.fromEntries(classesOf(host).map((name) => [name, ledger.usage(host)[name]]));
  }
  function consumerAllocations(request: FastifyRequest): object {
    const consumer = paramsOf(request).consumer ?? '';
    const minor = contextOf(request).minor;
    const places = [...ledger.hostsOf(consumer)];
    const allocations = Object.fromEntries(
      places.map(([host, resources]) => [
        host.uuid,
        { generation: ledger.generation(host), resources: nonZero(resources) },
      ]),
    );
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
    scope.get('/resource_providers', async (request) => ({
      resource_providers: providers(request).map((host) => providerView(host, contextOf(request).minor)),
    }));
    scope.get('/resource_providers/:provider', async (request) =>
      providerView(providerOf(request), contextOf(request).minor),
    );
    scope.get('/resource_providers/:provider/inventories', async (request) => {
      const host = providerOf(request);
      return { resource_provider_generation: ledger.generation(host), inventories: inventories(host) };
    });
    scope.get('/resource_providers/:provider/usages', async (request) => {
      const host = providerOf(request);
      return { resource_provider_generation: ledger.generation(host), usages: usages(host) };
    });
    scope.get('/resource_providers/:provider/traits', async (request) => {
      const host = providerOf(request);
      return { resource_provider_generation: ledger.generation(host), traits: host.traits };
    });
    scope.get('/resource_providers/:provider/aggregates', async (request) => {
      const host = providerOf(request);
      const aggregates = aggregateUuids(host);
      if (contextOf(request).minor < 19) return { aggregates };
      return { resource_provider_generation: ledger.generation(host), aggregates };
    });
    scope.get('/resource_providers/:provider/allocations', async (request) => {
      const host = providerOf(request);
      const extra = contextOf(request).minor >= 28 ? { consumer_generation: 1 } : {};
      const rows = [...ledger.consumersOf(host)].map(([consumer, resources]) => [
        consumer,
        { resources: nonZero(resources), ...extra },
      ]);
      return { resource_provider_generation: ledger.generation(host), allocations: Object.fromEntries(rows) };
    });
    scope.get('/allocations/:consumer', async (request) => consumerAllocations(request));
    scope.get('/traits', async () => ({
      traits: [...new Set([...state.hosts.values()].flatMap((host) => host.traits))].sort(),
    }));
    scope.get('/resource_classes', async () => ({
      resource_classes: resourceClasses.map((name) => ({
        name,
        links: [{ rel: 'self', href: `/resource_classes/${name}` }],
      })),
    }));
  };
}

/** A host without dedicated CPUs has no inventory of them. */
function classesOf({ inventory }: SimulatedHost) {
  return resourceClasses.filter((name) => name !== 'PCPU' || inventory.PCPU.total > 0);
}

/** Placement keeps no rows of amount 0. */
function nonZero(resources: object): object {
  return Object.fromEntries(Object.entries(resources).filter(([, amount]) => amount > 0));
}
