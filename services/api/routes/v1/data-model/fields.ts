/** Fields of a node that the API shows. Other fields from the engine are left out. */
export const nodeFields = [
  'node_uuid',
  'node_hostname',
  'node_status',
  'node_disabled_reason',
  'node_state',
  'node_memory',
  'node_memory_mb_reserved',
  'node_disk',
  'node_disk_gb_reserved',
  'node_vcpus',
  'node_vcpu_reserved',
  'node_memory_ratio',
  'node_vcpu_ratio',
  'node_disk_ratio',
] as const;

/** Fields of a server that the API shows. */
export const serverFields = [
  'server_uuid',
  'server_watcher_exclude',
  'server_name',
  'server_state',
  'server_memory',
  'server_disk',
  'server_vcpus',
  'server_metadata',
  'server_project_id',
  'server_locked',
] as const;

/** Further fields of a server, from 1.6 on. */
export const laterServerFields = ['server_pinned_az', 'server_flavor_extra_specs'] as const;

/** Names of the fields that a request at this minor version gets. */
export function shownFields(minor: number): readonly string[] {
  return [...nodeFields, ...serverFields, ...(minor >= 6 ? laterServerFields : [])];
}
