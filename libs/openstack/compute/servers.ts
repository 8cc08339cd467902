import type { CloudCallOptions } from '../call-options.ts';
import type { FieldReader } from '../http/field-reader.ts';
import { readAllPages, readElement } from '../service/paged-list.ts';
import type { ServiceClient } from '../service/service-client.ts';
import { parseEmbeddedFlavor } from './flavors.ts';
import { createPartSharer } from './share-parts.ts';
import type { Server } from './types.ts';

/**
 * 2.47 embeds the flavor, 2.69 lists servers in unreachable cells, 2.96 adds the requested zone, 2.98 image properties,
 * 2.100 the scheduler's hints.
 */
const versions = { min: '2.53', max: '2.100' };

/**
 * All servers of all projects. `serverGroupIds` is empty in this listing, because Nova returns the group only for a
 * single server (2.71 and newer). `listServerGroups` has the members of all groups. Equal parts of servers,
 * such as flavors, are one object, which callers must not change.
 */
export function listServers(
  client: ServiceClient,
  filter: { host?: string },
  options?: CloudCallOptions & { pageSize?: number },
): Promise<Server[]> {
  const query: Record<string, string> = { all_tenants: 'True' };
  if (filter.host !== undefined) query.host = filter.host;
  const call = { path: '/servers/detail', key: 'servers', query, versions, options, pageSize: options?.pageSize };
  const share = createPartSharer();
  return readAllPages(client, call, (fields) => share(parseServer(fields)));
}

/** One server, with `serverGroupIds` if Nova supports 2.71. */
export function getServer(client: ServiceClient, uuid: string, options?: CloudCallOptions): Promise<Server | null> {
  const path = `/servers/${encodeURIComponent(uuid)}`;
  return readElement(client, { path, key: 'server', versions, options }, parseServer);
}

/**
 * The image of a server that was booted from a volume is an empty text. Among the properties, required traits are a
 * list.
 */
function imageOf(fields: FieldReader): Pick<Server, 'bootedFromVolume' | 'imageId' | 'imageProperties'> {
  const image = fields.raw('image') === '' ? null : fields.optionalObject('image');
  const bootedFromVolume = fields.raw('image') === '';
  if (image === null) return { bootedFromVolume };
  const imageId = image.optionalText('id') ?? undefined;
  if (!image.has('properties')) return { bootedFromVolume, imageId };
  const { traits_required: _list, ...imageProperties } = image.textMap('properties');
  const required = image.object('properties').raw('traits_required');
  if (Array.isArray(required)) for (const trait of required) imageProperties[`trait:${String(trait)}`] = 'required';
  return { bootedFromVolume, imageId, imageProperties };
}

/** Null: the server is not pinned to a zone. Absent before 2.96. */
function pinOf(fields: FieldReader): Pick<Server, 'pinnedAvailabilityZone'> {
  const key = 'pinned_availability_zone';
  return fields.raw(key) === undefined ? {} : { pinnedAvailabilityZone: fields.optionalText(key) };
}

/** Absent before 2.100. A hint with one value may be a text. */
function hintsOf(fields: FieldReader): Pick<Server, 'schedulerHints'> {
  const key = 'scheduler_hints';
  if (fields.raw(key) === undefined) return {};
  const hints = Object.entries(fields.raw(key) ?? {}).map(([name, value]: [string, unknown]): [string, string[]] => [
    name,
    Array.isArray(value) ? value.map(String) : [String(value)],
  ]);
  return { schedulerHints: Object.fromEntries(hints) };
}

/** A server of an unreachable cell has only id, project, creation time and the status UNKNOWN. */
function parseServer(fields: FieldReader): Server {
  const status = fields.text('status');
  const flavor = status === 'UNKNOWN' ? fields.optionalObject('flavor') : fields.object('flavor');
  return {
    uuid: fields.text('id'),
    name: fields.textOr('name', ''),
    status,
    vmState: fields.textOr('OS-EXT-STS:vm_state', ''),
    taskState: fields.optionalText('OS-EXT-STS:task_state'),
    powerState: fields.numberOr('OS-EXT-STS:power_state', 0),
    host: fields.optionalText('OS-EXT-SRV-ATTR:host'),
    hypervisorHostname: fields.optionalText('OS-EXT-SRV-ATTR:hypervisor_hostname'),
    availabilityZone: fields.optionalText('OS-EXT-AZ:availability_zone'),
    ...pinOf(fields),
    ...hintsOf(fields),
    projectId: fields.text('tenant_id'),
    locked: fields.booleanOr('locked', false),
    metadata: fields.textMap('metadata'),
    ...imageOf(fields),
    flavor: parseEmbeddedFlavor(flavor),
    attachedVolumeIds: fields.listOr('os-extended-volumes:volumes_attached').map((volume) => volume.text('id')),
    serverGroupIds: fields.texts('server_groups'),
    fault: fields.optionalObject('fault')?.optionalText('message') ?? null,
    created: fields.text('created'),
  };
}
