import { hostOf, isUp, type SimulatedServer } from '../../cloud/entities.ts';
import { serverStatus } from '../../compute/server-status.ts';
import { hostIdOf } from '../../identifiers.ts';
import { imageId } from '../image/image-routes.ts';
import { microTime, secondTime } from '../request-context.ts';

/** Representation of servers for one caller. */
export interface ServerViewOptions {
  minor: number;
  admin: boolean;
  /** Origin and path of the service, such as `http://127.0.0.1:9390/compute`. */
  base: string;
  /** Whether it is the response of `GET /servers/{id}`, which has more fields than the list. */
  single: boolean;
}

/** `{id, name, links}` of the list without details. */
export function serverSummary(server: SimulatedServer, base: string): object {
  return { id: server.uuid, name: server.name, links: links(base, 'servers', server.uuid) };
}

/** Self and bookmark link of an item. */
export function links(base: string, collection: string, id: string): object[] {
  return [
    { rel: 'self', href: `${base}/v2.1/${collection}/${id}` },
    { rel: 'bookmark', href: `${base}/${collection}/${id}` },
  ];
}

function flavorView(server: SimulatedServer, options: ServerViewOptions): object {
  const { flavor } = server;
  if (options.minor < 47) {
    return { id: flavor.id, links: [{ rel: 'bookmark', href: `${options.base}/flavors/${flavor.id}` }] };
  }
  return {
    vcpus: flavor.vcpus,
    ram: flavor.ramMb,
    disk: flavor.diskGb,
    ephemeral: flavor.ephemeralGb,
    swap: flavor.swapMb,
    original_name: flavor.name,
    extra_specs: flavor.extraSpecs,
  };
}

function imageView(server: SimulatedServer, options: ServerViewOptions): unknown {
  if (server.bootFromVolume) return '';
  return {
    id: imageId,
    links: [{ rel: 'bookmark', href: `${options.base}/images/${imageId}` }],
    ...(options.minor >= 98 ? { properties: server.imageProperties } : {}),
  };
}

function adminFields(server: SimulatedServer, minor: number): object {
  const number = server.number.toString(16).padStart(8, '0');
  const fields: Record<string, unknown> = {
    'OS-EXT-SRV-ATTR:host': hostOf(server)?.name ?? null,
    'OS-EXT-SRV-ATTR:hypervisor_hostname': hostOf(server)?.name ?? null,
    'OS-EXT-SRV-ATTR:instance_name': `instance-${number}`,
  };
  if (minor >= 3) {
    fields['OS-EXT-SRV-ATTR:hostname'] = server.name.toLowerCase();
    fields['OS-EXT-SRV-ATTR:kernel_id'] = '';
    fields['OS-EXT-SRV-ATTR:launch_index'] = 0;
    fields['OS-EXT-SRV-ATTR:ramdisk_id'] = '';
    fields['OS-EXT-SRV-ATTR:reservation_id'] = `r-${number}`;
    fields['OS-EXT-SRV-ATTR:root_device_name'] = '/dev/vda';
    fields['OS-EXT-SRV-ATTR:user_data'] = null;
  }
  if (minor >= 16) fields.host_status = hostStatus(server);
  return fields;
}

function hostStatus(server: SimulatedServer): string {
  if (hostOf(server) === null) return '';
  if (server.host.status === 'disabled') return 'MAINTENANCE';
  return isUp(server.host) ? 'UP' : 'DOWN';
}

function versionedFields(server: SimulatedServer, options: ServerViewOptions): object {
  const { minor } = options;
  const fields: Record<string, unknown> = {};
  if (minor >= 9) fields.locked = server.locked;
  if (minor >= 19) fields.description = null;
  if (minor >= 26) fields.tags = [];
  if (minor >= 63) fields.trusted_image_certificates = null;
  if (minor >= 71 && options.single) fields.server_groups = server.group === null ? [] : [server.group.uuid];
  if (minor >= 73) fields.locked_reason = server.lockedReason;
  if (minor >= 90) fields['OS-EXT-SRV-ATTR:hostname'] = server.name.toLowerCase();
  if (minor >= 96) fields.pinned_availability_zone = server.pinnedZone;
  if (minor >= 100) fields.scheduler_hints = server.schedulerHints;
  return fields;
}

function faultView(server: SimulatedServer): object {
  if (server.vmState !== 'error') return {};
  const message = 'The instance is in error.';
  return { fault: { code: 500, created: secondTime(server.updatedAt), message } };
}

/** The known fields of a server in an unavailable cell. */
export function hiddenServer(server: SimulatedServer, base: string): object {
  return {
    id: server.uuid,
    status: 'UNKNOWN',
    tenant_id: server.projectId,
    created: secondTime(server.createdAt),
    links: links(base, 'servers', server.uuid),
  };
}

/** A server with its details, in the form of the microversion. */
export function serverView(server: SimulatedServer, options: ServerViewOptions): object {
  const status = serverStatus(server);
  const host = hostOf(server);
  return {
    id: server.uuid,
    name: server.name,
    status,
    tenant_id: server.projectId,
    user_id: server.userId,
    metadata: server.metadata,
    hostId: host === null ? '' : hostIdOf(server.projectId, host.name),
    image: imageView(server, options),
    flavor: flavorView(server, options),
    created: secondTime(server.createdAt),
    updated: secondTime(server.updatedAt),
    addresses: {},
    accessIPv4: '',
    accessIPv6: '',
    links: links(options.base, 'servers', server.uuid),
    'OS-DCF:diskConfig': 'MANUAL',
    ...(status === 'ACTIVE' || status === 'RESIZE' || status === 'VERIFY_RESIZE' || status === 'MIGRATING'
      ? { progress: 0 }
      : {}),
    'OS-EXT-AZ:availability_zone': host?.zone ?? '',
    config_drive: '',
    key_name: null,
    'OS-SRV-USG:launched_at': microTime(server.launchedAt),
    'OS-SRV-USG:terminated_at': null,
    'OS-EXT-STS:task_state': server.taskState,
    'OS-EXT-STS:vm_state': server.vmState,
    'OS-EXT-STS:power_state': server.powerState,
    'os-extended-volumes:volumes_attached': server.volumeUuids.map((id) =>
      options.minor >= 3 ? { id, delete_on_termination: false } : { id },
    ),
    ...(options.admin ? adminFields(server, options.minor) : {}),
    ...versionedFields(server, options),
    ...faultView(server),
  };
}
