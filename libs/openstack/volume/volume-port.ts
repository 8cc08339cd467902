import type { FieldReader } from '../http/field-reader.ts';
import type { ServiceClient } from '../service/service-client.ts';
import { listSnapshots } from './snapshots.ts';
import { listStorageServices } from './storage-services.ts';
import type { StoragePool, VolumePort } from './types.ts';
import { migrateVolume, retypeVolume } from './volume-actions.ts';
import { getVolume, getVolumeByName, listVolumes } from './volumes.ts';

const versions = { min: '3.0', max: '3.71' };

/** Cinder behind the port. */
export function createVolumePort(client: ServiceClient): VolumePort {
  return {
    listVolumes: (options) => listVolumes(client, options),
    getVolume: (uuid, options) => getVolume(client, uuid, options),
    getVolumeByName: (name, options) => getVolumeByName(client, name, options),
    listSnapshots: (options) => listSnapshots(client, options),
    async listPools(options) {
      const query = { detail: 'True' };
      const answer = await client.read({ method: 'GET', path: '/scheduler-stats/get_pools', query, versions, options });
      return answer.list('pools').map(parsePool);
    },
    async listTypes(options) {
      const query = { is_public: 'None' };
      const answer = await client.read({ method: 'GET', path: '/types', query, versions, options });
      return answer.list('volume_types').map((fields) => ({
        id: fields.text('id'),
        name: fields.text('name'),
        extraSpecs: fields.textMap('extra_specs'),
      }));
    },
    listServices: (options) => listStorageServices(client, options),
    migrateVolume: (uuid, pool, options) => migrateVolume(client, uuid, pool, options),
    retypeVolume: (uuid, typeName, options) => retypeVolume(client, uuid, typeName, options),
  };
}

/** One pool of `get_pools`. Backends may give `"unknown"` or `"infinite"` as a size; both become null. */
function parsePool(fields: FieldReader): StoragePool {
  const capabilities = fields.object('capabilities');
  return {
    name: fields.text('name'),
    totalCapacityGb: size(capabilities, 'total_capacity_gb'),
    freeCapacityGb: size(capabilities, 'free_capacity_gb'),
    provisionedCapacityGb: size(capabilities, 'provisioned_capacity_gb'),
    allocatedCapacityGb: size(capabilities, 'allocated_capacity_gb'),
    volumeBackendName: capabilities.optionalText('volume_backend_name'),
    capabilities: fields.textMap('capabilities'),
  };
}

function size(capabilities: FieldReader, key: string): number | null {
  const value = capabilities.raw(key);
  return value === 'unknown' || value === 'infinite' ? null : capabilities.optionalNumber(key);
}
