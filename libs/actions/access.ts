import { type AccessRule, literalSegment } from '#libs/openstack';

const reading =
  (service: string) =>
  (path: string): AccessRule => ({ service, method: 'GET', path });

/** Reads of the applier for any action of a plan: placement rules, restoring of services, checks of a move. */
export const computeReads: readonly AccessRule[] = [
  '/servers/detail',
  '/servers/*',
  '/servers/*/migrations',
  '/servers/*/os-instance-actions',
  '/servers/*/os-instance-actions/*',
  '/servers/*/shares',
  '/os-migrations',
  '/os-services',
  '/os-hypervisors/detail',
  '/os-hypervisors/*',
  '/os-aggregates',
  '/os-server-groups',
  '/flavors/detail',
  '/flavors/*',
].map(reading('compute'));

/** Reads of the room on a host. */
export const placementReads: readonly AccessRule[] = [
  '/resource_providers',
  '/resource_providers/*/inventories',
  '/resource_providers/*/allocations',
].map(reading('placement'));

/** Reads of volumes, their types, and the pools. */
export const volumeReads: readonly AccessRule[] = [
  '/volumes/detail',
  '/volumes/*',
  '/types',
  '/os-services',
  '/scheduler-stats/get_pools',
].map(reading('block-storage'));

/** Server actions of Nova on one instance. A rule of Keystone allows all server actions or none. */
export function actOnServer(uuid: string): AccessRule {
  return { service: 'compute', method: 'POST', path: `/servers/${literalSegment(uuid)}/action` };
}

/** Aborts of running live migrations of one instance. */
export function abortMigrationsOf(uuid: string): AccessRule {
  return { service: 'compute', method: 'DELETE', path: `/servers/${literalSegment(uuid)}/migrations/*` };
}

/** Deletion of one instance. */
export function deleteServer(uuid: string): AccessRule {
  return { service: 'compute', method: 'DELETE', path: `/servers/${literalSegment(uuid)}` };
}

/** Changes of one compute service. */
export function changeService(id: string): AccessRule {
  return { service: 'compute', method: 'PUT', path: `/os-services/${literalSegment(id)}` };
}

/** Volume actions of Cinder on one volume. */
export function actOnVolume(uuid: string): AccessRule {
  return { service: 'block-storage', method: 'POST', path: `/volumes/${literalSegment(uuid)}/action` };
}

/** Reads of one bare metal node, and changes of its power. */
export function powerNode(id: string): AccessRule[] {
  const path = `/nodes/${literalSegment(id)}`;
  return [
    { service: 'baremetal', method: 'GET', path },
    { service: 'baremetal', method: 'PUT', path: `${path}/states/power` },
  ];
}
