import type { CloudCallOptions } from '../call-options.ts';
import type { FieldReader } from '../service/field-reader.ts';
import type { ServiceClient } from '../service/service-client.ts';
import { parseAllocations } from './allocations.ts';
import { parseInventories } from './inventories.ts';
import { parseResourceProvider } from './resource-providers.ts';
import type { PlacementPort } from './types.ts';

/** The answers read here have the same form from 1.14 on, which is the first that tells of parents. */
const versions = { min: '1.0', max: '1.36' };

/** Placement behind the port. A provider may go away between two calls, so `getTraits` of an unknown one is empty. */
export function createPlacementPort(client: ServiceClient): PlacementPort {
  const part = (providerUuid: string, what: string, options?: CloudCallOptions): Promise<FieldReader | null> =>
    client.find({
      method: 'GET',
      path: `/resource_providers/${encodeURIComponent(providerUuid)}/${what}`,
      versions,
      options,
    });

  return {
    async listResourceProviders(options) {
      const answer = await client.read({ method: 'GET', path: '/resource_providers', versions, options });
      return answer.list('resource_providers').map(parseResourceProvider);
    },
    async getInventories(providerUuid, options) {
      const answer = await part(providerUuid, 'inventories', options);
      return answer === null ? null : parseInventories(answer);
    },
    async getAllocations(providerUuid, options) {
      const answer = await part(providerUuid, 'allocations', options);
      return answer === null ? null : parseAllocations(answer);
    },
    async getTraits(providerUuid, options) {
      return (await part(providerUuid, 'traits', options))?.texts('traits') ?? [];
    },
  };
}
