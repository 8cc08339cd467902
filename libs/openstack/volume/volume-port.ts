import type { CloudCallOptions } from '../call-options.ts';
import type { FieldReader } from '../http/field-reader.ts';
import { readAllPages } from '../service/paged-list.ts';
import type { ServiceClient } from '../service/service-client.ts';
import type { Snapshot, StoragePool, StorageService, VolumePort } from './types.ts';
import { migrateVolume, retypeVolume } from './volume-actions.ts';
import { getVolume, getVolumeByName, listVolumes } from './volumes.ts';

const snapshotVersions = { min: '3.0', max: '3.65' };

/** All snapshots of all projects, paged. */
function listSnapshots(client: ServiceClient, options?: CloudCallOptions): Promise<Snapshot[]> {
  const query = { all_tenants: 'True' };
  const question = { path: '/snapshots/detail', key: 'snapshots', query, versions: snapshotVersions, options };
  return readAllPages(client, question, (fields) => ({
    uuid: fields.text('id'),
    name: fields.textOr('name', ''),
    volumeId: fields.text('volume_id'),
    status: fields.textOr('status', ''),
    sizeGb: fields.numberOr('size', 0),
  }));
}

const serviceVersions = { min: '3.0', max: '3.32' };

/** The cinder-volume services. */
async function listStorageServices(client: ServiceClient, options?: CloudCallOptions): Promise<StorageService[]> {
  const query = { binary: 'cinder-volume' };
  const response = await client.read({
    method: 'GET',
    path: '/os-services',
    query,
    versions: serviceVersions,
    options,
  });
  return response.list('services').map((fields) => ({
    host: fields.text('host'),
    zone: fields.textOr('zone', ''),
    status: fields.text('status') === 'disabled' ? 'disabled' : 'enabled',
    state: fields.textOr('state', 'down') === 'up' ? 'up' : 'down',
  }));
}

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
      const response = await client.read({
        method: 'GET',
        path: '/scheduler-stats/get_pools',
        query,
        versions,
        options,
      });
      return response.list('pools').map(parsePool);
    },
    async listTypes(options) {
      const query = { is_public: 'None' };
      const response = await client.read({ method: 'GET', path: '/types', query, versions, options });
      return response.list('volume_types').map((fields) => ({
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

/** One pool of `get_pools`. Backends may give `"unknown"` or `"infinite"` as a size. Both become null. */
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
