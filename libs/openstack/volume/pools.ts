import type { FieldReader } from '../service/field-reader.ts';
import type { StoragePool } from './types.ts';

/** One pool of `get_pools`. Backends may give `"unknown"` or `"infinite"` as a size; both become null. */
export function parsePool(fields: FieldReader): StoragePool {
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
