import type { FastifyInstance } from 'fastify';
import { SimulatedApiError } from '../../errors.ts';
import { minorOf } from './compute-scope.ts';

/** First microversion in which Nova refuses unknown parameters of every query. */
const strictFrom = 103;
/** Earlier microversions, by path of the route. */
const strictEarlier: Record<string, number> = {
  '/servers': 75,
  '/servers/detail': 75,
  '/os-hypervisors': 53,
  '/os-hypervisors/detail': 53,
  '/os-hypervisors/:hypervisor': 53,
  '/os-services': 75,
  '/os-server-groups': 75,
  '/flavors': 75,
  '/flavors/detail': 75,
  '/os-migrations': 59,
};

const paging = ['limit', 'marker'];
const servers = [
  ...paging,
  ...['sort_key', 'sort_dir', 'all_tenants', 'all_projects', 'project_id', 'tenant_id', 'user_id', 'name', 'status'],
  ...['uuid', 'flavor', 'image', 'host', 'node', 'hostname', 'ip', 'ip6', 'availability_zone', 'locked', 'deleted'],
  ...['changes-since', 'changes-before', 'created_at', 'launched_at', 'vm_state', 'task_state', 'power_state'],
  ...['tags', 'tags-any', 'not-tags', 'not-tags-any', 'description', 'reservation_id', 'key_name', 'config_drive'],
  ...['access_ip_v4', 'access_ip_v6', 'auto_disk_config', 'disk_config', 'kernel_id', 'ramdisk_id', 'launch_index'],
  ...['root_device_name', 'progress', 'terminated_at', 'soft_deleted', 'locked_by', 'block_device_mapping'],
];

/** Parameters by path of the route. Other routes have none. */
const known: Record<string, readonly string[]> = {
  '/servers': servers,
  '/servers/detail': servers,
  '/os-hypervisors': [...paging, 'hypervisor_hostname_pattern', 'with_servers'],
  '/os-hypervisors/detail': [...paging, 'hypervisor_hostname_pattern', 'with_servers'],
  '/os-hypervisors/:hypervisor': ['with_servers'],
  '/os-services': ['binary', 'host'],
  '/os-server-groups': ['all_projects', 'limit', 'offset'],
  '/flavors': [...paging, 'is_public', 'minRam', 'minDisk', 'sort_key', 'sort_dir'],
  '/flavors/detail': [...paging, 'is_public', 'minRam', 'minDisk', 'sort_key', 'sort_dir'],
  '/os-migrations': [
    ...paging,
    ...['host', 'source_compute', 'status', 'migration_type', 'instance_uuid', 'hidden', 'user_id', 'project_id'],
    ...['changes-since', 'changes-before'],
  ],
  '/servers/:server/os-instance-actions': [...paging, 'changes-since', 'changes-before'],
};

/** Refuses unknown query parameters with 400, from the microversion of the route on. */
export function refuseUnknownParameters(scope: FastifyInstance, prefix: string): void {
  scope.addHook('preHandler', async (request) => {
    const path = (request.routeOptions.url ?? '').replace(prefix, '');
    if (request.method !== 'GET' || minorOf(request) < (strictEarlier[path] ?? strictFrom)) return;
    const unknown = Object.keys(request.query as object).find((name) => !(known[path] ?? []).includes(name));
    if (unknown === undefined) return;
    // The schema of servers has patterns of names.
    const reason = path.startsWith('/servers')
      ? `'${unknown}' does not match any of the regexes: '^_'`
      : `Additional properties are not allowed ('${unknown}' was unexpected)`;
    throw new SimulatedApiError(400, reason);
  });
}
