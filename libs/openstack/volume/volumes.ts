import type { CloudCallOptions } from '../call-options.ts';
import type { FieldReader } from '../http/field-reader.ts';
import { readAllPages, readElement } from '../service/paged-list.ts';
import type { ServiceClient } from '../service/service-client.ts';
import type { Volume } from './types.ts';

/** Replication statuses of a volume without replicas. */
const unreplicated = new Set([null, '', 'disabled', 'not-capable']);

const versions = { min: '3.0', max: '3.71' };

/** All volumes of all projects, paged. */
export function listVolumes(client: ServiceClient, options?: CloudCallOptions): Promise<Volume[]> {
  const query = { all_tenants: 'True' };
  return readAllPages(client, { path: '/volumes/detail', key: 'volumes', query, versions, options }, parseVolume);
}

/** One volume, or null on Cinder's 404. */
export function getVolume(client: ServiceClient, uuid: string, options?: CloudCallOptions): Promise<Volume | null> {
  const path = `/volumes/${encodeURIComponent(uuid)}`;
  return readElement(client, { path, key: 'volume', versions, options }, parseVolume);
}

/** The first volume with exactly that name, or null. */
export async function getVolumeByName(
  client: ServiceClient,
  name: string,
  options?: CloudCallOptions,
): Promise<Volume | null> {
  const query = { all_tenants: 'True', name };
  const call = { path: '/volumes/detail', key: 'volumes', query, versions, options };
  const found = await readAllPages(client, call, parseVolume);
  return found.find((volume) => volume.name === name && !isTemporary(volume)) ?? null;
}

/**
 * Whether the volume receives the data of a migrating volume. Until it replaces that volume, both have the same name.
 */
function isTemporary({ migrationStatus, status }: Volume): boolean {
  return status === 'deleting' || (migrationStatus ?? '').startsWith('target:');
}

function parseVolume(fields: FieldReader): Volume {
  return {
    uuid: fields.text('id'),
    name: fields.textOr('name', ''),
    sizeGb: fields.number('size'),
    status: fields.text('status'),
    volumeType: fields.optionalText('volume_type'),
    host: fields.optionalText('os-vol-host-attr:host'),
    attachments: fields.listOr('attachments').map((attachment) => ({
      serverId: attachment.textOr('server_id', ''),
      attachmentId: attachment.textOr('attachment_id', ''),
    })),
    multiattach: fields.booleanOr('multiattach', false),
    bootable: fields.booleanOr('bootable', false),
    migrationStatus: fields.optionalText('os-vol-mig-status-attr:migstat') ?? fields.optionalText('migration_status'),
    nameId: fields.optionalText('os-vol-mig-status-attr:name_id'),
    groupId: (fields.optionalText('group_id') ?? fields.optionalText('consistencygroup_id')) || undefined,
    replicated: !unreplicated.has(fields.optionalText('replication_status')) || undefined,
    encrypted: fields.booleanOr('encrypted', false) || undefined,
    projectId: fields.optionalText('os-vol-tenant-attr:tenant_id') ?? undefined,
    createdAt: fields.optionalText('created_at') ?? undefined,
    updatedAt: fields.optionalText('updated_at') ?? undefined,
  };
}
