import type { CloudCallOptions } from '../call-options.ts';
import type { FieldReader } from '../http/field-reader.ts';
import { readAllPages, readElement } from '../service/paged-list.ts';
import type { ServiceClient } from '../service/service-client.ts';
import type { Hypervisor } from './types.ts';

/**
 * Up to 2.87, although clients know 2.88. From 2.88 on Nova queries every host for its uptime (one message per host and
 * listing, with a wait for each host that does not respond) and omits the capacities.
 */
const versions = { min: '2.53', max: '2.87' };

const path = '/os-hypervisors/detail';

/** All hypervisors, paged. */
export function listHypervisors(client: ServiceClient, options?: CloudCallOptions): Promise<Hypervisor[]> {
  return readAllPages(client, { path, key: 'hypervisors', versions, options }, parseHypervisor);
}

/**
 * The hypervisor of a nova-compute service. Nova searches by hypervisor name only. If it differs from the service's
 * name, all hypervisors are read.
 */
export async function findHypervisorByServiceHost(
  client: ServiceClient,
  host: string,
  options?: CloudCallOptions,
): Promise<Hypervisor | null> {
  const query = { hypervisor_hostname_pattern: host, with_servers: 'False' };
  const matches = await client.find({ method: 'GET', path, query, versions, options });
  const byPattern = matches?.list('hypervisors').map(parseHypervisor) ?? [];
  const isWanted = (hypervisor: Hypervisor) => hypervisor.serviceHost === host;
  return byPattern.find(isWanted) ?? (await listHypervisors(client, options)).find(isWanted) ?? null;
}

/** One hypervisor by its uuid, or null on Nova's 404. */
export function getHypervisor(
  client: ServiceClient,
  uuid: string,
  options?: CloudCallOptions,
): Promise<Hypervisor | null> {
  const one = { path: `/os-hypervisors/${encodeURIComponent(uuid)}`, key: 'hypervisor', versions, options };
  return readElement(client, one, parseHypervisor);
}

function parseHypervisor(fields: FieldReader): Hypervisor {
  const service = fields.object('service');
  return {
    uuid: fields.text('id'),
    hypervisorHostname: fields.text('hypervisor_hostname'),
    serviceHost: service.text('host'),
    serviceId: service.text('id'),
    status: fields.textOr('status', 'enabled') === 'disabled' ? 'disabled' : 'enabled',
    state: fields.textOr('state', 'down') === 'up' ? 'up' : 'down',
    disabledReason: service.optionalText('disabled_reason'),
    hypervisorType: fields.textOr('hypervisor_type', ''),
    ...versionOf(fields),
    ...cpuOf(fields.raw('cpu_info')),
    ...addressOf(fields),
    vcpus: fields.optionalNumber('vcpus'),
    memoryMb: fields.optionalNumber('memory_mb'),
    localDiskGb: fields.optionalNumber('local_gb'),
  };
}

function versionOf(fields: FieldReader): Pick<Hypervisor, 'hypervisorVersion'> {
  const version = fields.optionalNumber('hypervisor_version');
  return version === null ? {} : { hypervisorVersion: version };
}

function addressOf(fields: FieldReader): Pick<Hypervisor, 'hostIp'> {
  const hostIp = fields.optionalText('host_ip');
  return hostIp === null ? {} : { hostIp };
}

/** Drivers report different fields. Reads only the text fields that libvirt has. */
function cpuOf(info: unknown): Pick<Hypervisor, 'cpu' | 'cpuInfo'> {
  if (typeof info !== 'object' || info === null) return {};
  const cpuInfo = info as Record<string, unknown>;
  const { arch, model } = cpuInfo;
  const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
  const cpu = { ...(isText(arch) ? { architecture: arch } : {}), ...(isText(model) ? { model } : {}) };
  return {
    ...(Object.keys(cpu).length === 0 ? {} : { cpu }),
    ...(Object.keys(cpuInfo).length === 0 ? {} : { cpuInfo }),
  };
}
