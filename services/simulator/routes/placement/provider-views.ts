import type { FastifyRequest } from 'fastify';
import type { Simulation } from '../../create-simulation.ts';
import { SimulatedApiError } from '../../errors.ts';
import { contextOf, paramsOf, queryOf } from '../request-context.ts';
import { heldOf, type Provider, partOf, providersOf } from './providers.ts';

const once = (uuid: string) => `No resource provider with uuid ${uuid} found`;

/** Placement's texts for an unknown provider, which differ by route. */
export const unknownProvider = {
  once,
  twice: (uuid: string) => `${once(uuid)} : ${once(uuid)}`,
  twiceClose: (uuid: string) => `${once(uuid)}: ${once(uuid)}`,
};

/** Bodies of Placement about the providers of a simulated cloud. */
export interface ProviderViews {
  all(): Provider[];
  /** The provider in the path. `lost`: text for an unknown one. @throws SimulatedApiError 404 */
  providerOf(request: FastifyRequest, lost?: (uuid: string) => string): Provider;
  /** The providers that the query selects. */
  providers(request: FastifyRequest): Provider[];
  providerView(provider: Provider, minor: number): object;
  aggregateUuids(provider: Provider): string[];
  inventories(provider: Provider): object;
  /** The allocations of the consumer in the path. */
  consumerAllocations(request: FastifyRequest): object;
}

/** Reads the state of the simulation at each call. */
export function createProviderViews({ state, ledger }: Simulation): ProviderViews {
  const all = () => [...state.hosts.values()].flatMap(providersOf);

  function providerOf(request: FastifyRequest, lost = unknownProvider.twice): Provider {
    const uuid = paramsOf(request).provider ?? '';
    const provider = nodeOf(uuid) ?? all().find((candidate) => candidate.uuid === uuid);
    if (provider === undefined) {
      throw new SimulatedApiError(404, lost(uuid));
    }
    return provider;
  }
  /** A compute node, found without creating the providers of other hosts. */
  function nodeOf(uuid: string): Provider | undefined {
    for (const host of state.hosts.values()) if (host.uuid === uuid) return providersOf(host)[0];
    return undefined;
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

  return { all, providerOf, providers, providerView, aggregateUuids, inventories, consumerAllocations };
}
