import { NotFoundError } from '#libs/domain';
import type { PropertyDeclaration } from '#libs/dynamic-properties';
import type { Cloud, Migration, MigrationTransfer, Server } from '#libs/openstack';

const text = { type: 'string' };
const textOrNull = { type: ['string', 'null'] };
/** Settings for live values: at most a few seconds old, and served while they are refreshed. */
export const watched = { ttlSeconds: 5, staleWhileRevalidateSeconds: 10, locked: true, timeoutSeconds: 15 };

/** Live properties of servers and volumes. */
export function cloudProperties(cloud: Pick<Cloud, 'compute' | 'volume'>): PropertyDeclaration[] {
  return [serverState(cloud), serverHost(cloud), serverMigration(cloud), volumeMigration(cloud)];
}

function serverState({ compute }: Pick<Cloud, 'compute'>): PropertyDeclaration {
  return {
    ...watched,
    kind: 'server',
    name: 'state',
    description: 'State of the server in Nova now.',
    backend: 'nova',
    schema: {
      type: 'object',
      required: ['name', 'status', 'vm_state', 'task_state', 'power_state', 'host', 'locked'],
      properties: {
        name: text,
        status: text,
        vm_state: text,
        task_state: textOrNull,
        power_state: { type: 'integer' },
        host: textOrNull,
        locked: { type: 'boolean' },
      },
      additionalProperties: false,
    },
    async load(id, signal) {
      const server = await requireServer(compute, id, signal);
      const { name, status, vmState, taskState, powerState, host, locked } = server;
      return { name, status, vm_state: vmState, task_state: taskState, power_state: powerState, host, locked };
    },
  };
}

function serverHost({ compute }: Pick<Cloud, 'compute'>): PropertyDeclaration {
  return {
    ...watched,
    kind: 'server',
    name: 'host',
    description: 'Current host of the server; null while it has none.',
    backend: 'nova',
    schema: textOrNull,
    async load(id, signal) {
      return (await requireServer(compute, id, signal)).host;
    },
  };
}

function serverMigration({ compute }: Pick<Cloud, 'compute'>): PropertyDeclaration {
  return {
    ...watched,
    ttlSeconds: 2,
    kind: 'server',
    name: 'migration',
    description: 'The running live migration of the server and its progress; null when there is none.',
    backend: 'nova',
    schema: {
      type: ['object', 'null'],
      required: ['id', 'status', 'type', 'source_host', 'dest_host', 'created_at', 'updated_at', 'percent', 'transfer'],
      properties: {
        id: { type: 'integer' },
        status: text,
        type: text,
        source_host: textOrNull,
        dest_host: textOrNull,
        created_at: text,
        updated_at: textOrNull,
        percent: { type: ['number', 'null'], minimum: 0, maximum: 100 },
        transfer: {
          type: ['object', 'null'],
          required: ['memory_total_bytes', 'memory_remaining_bytes', 'disk_total_bytes', 'disk_remaining_bytes'],
          additionalProperties: { type: 'number', minimum: 0 },
        },
      },
      additionalProperties: false,
    },
    async load(id, signal) {
      const [running] = await compute.listServerMigrations(id, { signal });
      return running ? migrationBody(running) : null;
    },
  };
}

async function requireServer(compute: Cloud['compute'], id: string, signal: AbortSignal): Promise<Server> {
  const server = await compute.getServer(id, { signal });
  if (!server) throw new NotFoundError('Server', id);
  return server;
}

function migrationBody({ id, status, type, sourceHost, destHost, createdAt, updatedAt, transfer }: Migration) {
  return {
    id,
    status,
    type,
    source_host: sourceHost,
    dest_host: destHost,
    created_at: createdAt,
    updated_at: updatedAt,
    percent: transfer && percentOf(transfer),
    transfer: transfer && {
      memory_total_bytes: transfer.memoryTotalBytes,
      memory_remaining_bytes: transfer.memoryRemainingBytes,
      disk_total_bytes: transfer.diskTotalBytes,
      disk_remaining_bytes: transfer.diskRemainingBytes,
    },
  };
}

/** Percentage of memory and disk that is copied, with one decimal. Null when there is nothing to copy. */
function percentOf(transfer: MigrationTransfer): number | null {
  const total = transfer.memoryTotalBytes + transfer.diskTotalBytes;
  const remaining = transfer.memoryRemainingBytes + transfer.diskRemainingBytes;
  if (total <= 0) return null;
  return Math.round(Math.min(1, Math.max(0, 1 - remaining / total)) * 1000) / 10;
}

function volumeMigration({ volume }: Pick<Cloud, 'volume'>): PropertyDeclaration {
  return {
    ...watched,
    ttlSeconds: 2,
    kind: 'volume',
    name: 'migration',
    description: 'Location and migration status of the volume in Cinder now.',
    backend: 'cinder',
    schema: {
      type: 'object',
      required: ['status', 'migration_status', 'host', 'type'],
      properties: { status: text, migration_status: textOrNull, host: textOrNull, type: textOrNull },
      additionalProperties: false,
    },
    async load(id, signal) {
      const found = await volume.getVolume(id, { signal });
      if (!found) throw new NotFoundError('Volume', id);
      const { status, migrationStatus, host, volumeType } = found;
      return { status, migration_status: migrationStatus, host, type: volumeType };
    },
  };
}
