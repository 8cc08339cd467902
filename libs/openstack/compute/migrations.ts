import type { CloudCallOptions } from '../call-options.ts';
import type { FieldReader } from '../http/field-reader.ts';
import { readAllPages } from '../service/paged-list.ts';
import type { ServiceClient } from '../service/service-client.ts';
import type { InstanceAction, Migration, MigrationTransfer } from './types.ts';

/** 2.59 adds uuids and paging, 2.80 user and project. */
const historyVersions = { min: '2.59', max: '2.80' };

/** The migrations of a server that Nova has, newest first. */
export async function listMigrations(
  client: ServiceClient,
  serverUuid: string,
  options?: CloudCallOptions,
): Promise<Migration[]> {
  const query = { instance_uuid: serverUuid };
  const call = { path: '/os-migrations', key: 'migrations', query, versions: historyVersions, options };
  const found = await readAllPages(client, call, parseListed);
  return found.sort((a, b) => compareTexts(b.createdAt, a.createdAt) || b.id - a.id);
}

/** The migrations of all servers that were created or changed since `sinceMs` (milliseconds since 1970), unordered. */
export function listMigrationsSince(
  client: ServiceClient,
  sinceMs: number,
  options?: CloudCallOptions,
): Promise<Migration[]> {
  const query = { 'changes-since': new Date(sinceMs).toISOString() };
  // Each cell of Nova counts ids from 1.
  const list = { path: '/os-migrations', key: 'migrations', idKey: 'uuid', query };
  return readAllPages(client, { ...list, versions: historyVersions, options }, parseListed);
}

/** The running live migrations of a server. Empty for an unknown server. */
export async function listServerMigrations(
  client: ServiceClient,
  serverUuid: string,
  options?: CloudCallOptions,
): Promise<Migration[]> {
  const path = `/servers/${encodeURIComponent(serverUuid)}/migrations`;
  const response = await client.find({ method: 'GET', path, versions: historyVersions, options });
  const rows = response?.list('migrations') ?? [];
  return rows.map((fields) => ({
    ...parseMigration(fields, fields.text('server_uuid'), 'live-migration'),
    transfer: parseTransfer(fields),
  }));
}

/** The read fields are the same in all of these versions. */
const actionVersions = { min: '2.1', max: '2.21' };

/** The requested actions on a server, newest first. */
export async function listInstanceActions(
  client: ServiceClient,
  serverUuid: string,
  options?: CloudCallOptions,
): Promise<InstanceAction[]> {
  const path = `/servers/${encodeURIComponent(serverUuid)}/os-instance-actions`;
  const response = await client.find({ method: 'GET', path, versions: actionVersions, options });
  return (response?.list('instanceActions') ?? []).map((fields) => ({
    action: fields.text('action'),
    requestId: fields.textOr('request_id', ''),
    userId: fields.optionalText('user_id'),
    projectId: fields.optionalText('project_id'),
  }));
}

/** 2.84 adds `details` of events: the text of the exception. */
const faultVersions = { min: '2.1', max: '2.84' };

/** Why a request failed, from its last event with an error. Nova hides the fault of a server that is not in ERROR. */
export async function getInstanceActionFault(
  client: ServiceClient,
  serverUuid: string,
  requestId: string,
  options?: CloudCallOptions,
): Promise<string | null> {
  const path = `/servers/${encodeURIComponent(serverUuid)}/os-instance-actions/${encodeURIComponent(requestId)}`;
  const response = await client.find({ method: 'GET', path, versions: faultVersions, options });
  const events = response?.object('instanceAction').list('events') ?? [];
  const failed = events.filter((fields) => fields.optionalText('result') === 'Error');
  failed.sort((a, b) => compareTexts(a.textOr('start_time', ''), b.textOr('start_time', '')));
  return failed.at(-1)?.optionalText('details') ?? null;
}

function parseTransfer(fields: FieldReader): MigrationTransfer | null {
  const memoryTotalBytes = fields.optionalNumber('memory_total_bytes');
  if (memoryTotalBytes === null) return null;
  return {
    memoryTotalBytes,
    memoryRemainingBytes: fields.numberOr('memory_remaining_bytes', 0),
    diskTotalBytes: fields.numberOr('disk_total_bytes', 0),
    diskRemainingBytes: fields.numberOr('disk_remaining_bytes', 0),
  };
}

function parseListed(fields: FieldReader): Migration {
  return parseMigration(fields, fields.text('instance_uuid'), fields.textOr('migration_type', ''));
}

function parseMigration(fields: FieldReader, serverUuid: string, type: string): Migration {
  return {
    id: fields.number('id'),
    uuid: fields.text('uuid'),
    serverUuid,
    status: fields.text('status'),
    type,
    sourceHost: fields.optionalText('source_compute'),
    destHost: fields.optionalText('dest_compute'),
    createdAt: fields.text('created_at'),
    updatedAt: fields.optionalText('updated_at'),
    userId: fields.optionalText('user_id'),
    projectId: fields.optionalText('project_id'),
    transfer: null,
  };
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
