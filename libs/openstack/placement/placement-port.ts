import type { CloudCallOptions } from '../call-options.ts';
import type { FieldReader } from '../http/field-reader.ts';
import type { ServiceClient } from '../service/service-client.ts';
import type { Inventory, PlacementPort, ResourceProvider } from './types.ts';

/** From 1.14 on, the first version with parents, these responses have the same form. */
const versions = { min: '1.0', max: '1.36' };
/** The first version that lists providers by their traits. */
const filters = { min: '1.18', max: '1.36' };

/** The first version whose groups may have any name. */
const candidates = { min: '1.33', max: '1.36' };

/** Placement behind the port. A provider may disappear between two calls, so `getTraits` of an unknown one is empty. */
export function createPlacementPort(client: ServiceClient): PlacementPort {
  const part = (providerUuid: string, what: string, options?: CloudCallOptions): Promise<FieldReader | null> =>
    client.find({
      method: 'GET',
      path: `/resource_providers/${encodeURIComponent(providerUuid)}/${what}`,
      versions,
      options,
    });

  async function list(query: Record<string, string>, options?: CloudCallOptions): Promise<ResourceProvider[]> {
    const response = await client.read({
      method: 'GET',
      path: '/resource_providers',
      query,
      versions: filters,
      options,
    });
    return response.list('resource_providers').map(parseResourceProvider);
  }

  return {
    async listSharingProviders(options) {
      const sharing = await list({ required: 'MISC_SHARES_VIA_AGGREGATE' }, options);
      return await Promise.all(
        sharing.map(async ({ uuid }) => {
          const aggregates = (await part(uuid, 'aggregates', options))?.texts('aggregates') ?? [];
          const members = aggregates.length === 0 ? [] : await list({ member_of: `in:${aggregates.join()}` }, options);
          return { uuid, members: members.map((member) => member.uuid) };
        }),
      );
    },
    async listResourceProviders(options) {
      const response = await client.read({ method: 'GET', path: '/resource_providers', versions, options });
      return response.list('resource_providers').map(parseResourceProvider);
    },
    async getInventories(providerUuid, options) {
      const response = await part(providerUuid, 'inventories', options);
      return response === null ? null : parseInventories(response);
    },
    async getAllocations(providerUuid, options) {
      const response = await part(providerUuid, 'allocations', options);
      return response === null ? null : parseAllocations(response);
    },
    async hasCandidates(query, options) {
      const path = '/allocation_candidates';
      const response = await client.read({
        method: 'GET',
        path,
        query: { ...query, limit: '1' },
        versions: candidates,
        options,
      });
      return response.list('allocation_requests').length > 0;
    },
    async getTraits(providerUuid, options) {
      return (await part(providerUuid, 'traits', options))?.texts('traits') ?? [];
    },
  };
}

/** Resources by consumer, as `GET /resource_providers/{uuid}/allocations` gives them. */
function parseAllocations(response: FieldReader): Map<string, Record<string, number>> {
  return new Map(
    response.entries('allocations').map(([consumer, allocation]) => [consumer, allocation.numberMap('resources')]),
  );
}

/** One row of `GET /resource_providers`. */
function parseResourceProvider(fields: FieldReader): ResourceProvider {
  return {
    uuid: fields.text('uuid'),
    name: fields.textOr('name', ''),
    generation: fields.number('generation'),
    parentUuid: fields.optionalText('parent_provider_uuid'),
  };
}

/** Inventories by resource class, as `GET /resource_providers/{uuid}/inventories` gives them. */
function parseInventories(response: FieldReader): Record<string, Inventory> {
  return Object.fromEntries(response.entries('inventories').map(([name, fields]) => [name, parseInventory(fields)]));
}

function parseInventory(fields: FieldReader): Inventory {
  const total = fields.number('total');
  return {
    total,
    reserved: fields.numberOr('reserved', 0),
    allocationRatio: fields.numberOr('allocation_ratio', 1),
    minUnit: fields.numberOr('min_unit', 1),
    maxUnit: fields.numberOr('max_unit', total),
    stepSize: fields.numberOr('step_size', 1),
  };
}
