import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { MigrationRecord, SimulatedServer } from '../../cloud/entities.ts';
import type { Simulation } from '../../create-simulation.ts';
import { SimulatedApiError } from '../../errors.ts';
import { microTime, objectBody, paramsOf, queryOf } from '../request-context.ts';
import { computeBase, minorOf, nextLink, pageOf, requireAdmin, serverOf } from './compute-scope.ts';
import { links } from './server-view.ts';

const ended = new Set(['completed', 'confirmed', 'reverted', 'error', 'cancelled']);
const mib = 1024 * 1024;

/** os-migrations and servers/{id}/migrations. */
export function migrationRoutes(scope: FastifyInstance, simulation: Simulation): void {
  const { state, live } = simulation;

  scope.get('/os-migrations', async (request) => {
    requireAdmin(request, 'os-migrations:index');
    const query = queryOf(request);
    const minor = minorOf(request);
    const found = state.migrations.filter((record) => matches(record, query));
    if (minor < 59) return { migrations: found.map((record) => historyView(record, minor, computeBase(request))) };
    found.reverse();
    const lost = (marker: string) => `Marker ${marker} could not be found.`;
    const { page, more } = pageOf(found, query, (record) => record.uuid, lost);
    const last = page.at(-1);
    return {
      migrations: page.map((record) => historyView(record, minor, computeBase(request))),
      ...(more && last !== undefined ? { migrations_links: nextLink(request, last.uuid) } : {}),
    };
  });
  scope.get('/servers/:server/migrations', async (request) => {
    if (minorOf(request) < 23) throw new SimulatedApiError(404, 'The resource could not be found.');
    requireAdmin(request, 'servers:migrations:index');
    const server = serverOf(simulation, request);
    const running = state.migrations.filter((record) => record.server === server && isInProgress(record));
    for (const record of running) live.refresh(record);
    return { migrations: running.map((record) => progressView(record, minorOf(request))) };
  });
  scope.get('/servers/:server/migrations/:migration', async (request) => {
    requireAdmin(request, 'servers:migrations:show');
    const record = inProgressOf(request);
    live.refresh(record);
    return { migration: progressView(record, minorOf(request)) };
  });
  scope.delete('/servers/:server/migrations/:migration', async (request, reply) => {
    requireAdmin(request, 'servers:migrations:delete');
    requireMigrating(serverOf(simulation, request), 'abort live migration');
    const record = recordOf(request);
    if (minorOf(request) < 65 && record.status !== 'running') {
      const text = `Migration ${record.id} state of instance ${record.server.uuid} is ${record.status}. Cannot live_migrate_abort while the migration is in this state.`;
      throw new SimulatedApiError(400, text);
    }
    live.abort(record);
    return reply.code(202).send();
  });
  scope.post('/servers/:server/migrations/:migration/action', async (request, reply) => {
    requireAdmin(request, 'servers:migrations:force_complete');
    if (!('force_complete' in objectBody(request))) throw new SimulatedApiError(400, 'There is no such action.');
    requireMigrating(serverOf(simulation, request), 'force_complete');
    live.forceComplete(recordOf(request));
    return reply.code(202).send();
  });

  function recordOf(request: FastifyRequest): MigrationRecord {
    const server = serverOf(simulation, request);
    const id = paramsOf(request).migration;
    const record = state.migrations[Number(id) - 1];
    if (record === undefined || record.server !== server || record.type !== 'live-migration') {
      throw new SimulatedApiError(404, `Migration ${id} not found for instance ${server.uuid}`);
    }
    return record;
  }
  function inProgressOf(request: FastifyRequest): MigrationRecord {
    const server = serverOf(simulation, request);
    const id = paramsOf(request).migration;
    const record = state.migrations[Number(id) - 1];
    if (record?.server === server && isInProgress(record)) return record;
    throw new SimulatedApiError(404, `In-progress live migration ${id} is not found for server ${server.uuid}.`);
  }
}

function requireMigrating(server: SimulatedServer, action: string): void {
  if (server.taskState === 'migrating') return;
  const state = server.taskState;
  if (state === null) {
    throw new SimulatedApiError(409, `Instance ${server.uuid} is in an invalid state for '${action}'`);
  }
  throw new SimulatedApiError(409, `Cannot '${action}' instance ${server.uuid} while it is in task_state ${state}`);
}

function isInProgress(record: MigrationRecord): boolean {
  return record.type === 'live-migration' && !ended.has(record.status);
}

function matches(record: MigrationRecord, query: Record<string, string | undefined>): boolean {
  const { host } = query;
  if (host !== undefined && record.source.name !== host && record.dest?.name !== host) return false;
  const wanted: [string | undefined, string | null][] = [
    [query.instance_uuid, record.server.uuid],
    [query.status, record.status],
    [query.migration_type, record.type],
    [query.source_compute, record.source.name],
    [query.user_id, record.userId],
    [query.project_id, record.projectId],
  ];
  return isWithin(record, query) && wanted.every(([value, actual]) => value === undefined || value === actual);
}

/** Whether the record last changed within the requested time. */
function isWithin({ createdAt, updatedAt }: MigrationRecord, query: Record<string, string | undefined>): boolean {
  const changedAt = updatedAt ?? createdAt;
  const [since, before] = [query['changes-since'], query['changes-before']].map((text) =>
    text === undefined ? null : momentOf(text),
  );
  return changedAt >= (since ?? Number.NEGATIVE_INFINITY) && changedAt <= (before ?? Number.POSITIVE_INFINITY);
}

/** A time of a query, in UTC unless it has an offset. */
function momentOf(text: string): number {
  const hasOffset = /(z|[+-]\d\d:?\d\d)$/i.test(text);
  const moment = Date.parse(hasOffset ? text : `${text}Z`);
  if (!Number.isNaN(moment)) return moment;
  throw new SimulatedApiError(400, `Invalid input for query parameters changes-since. Value: ${text}.`);
}

function commonView(record: MigrationRecord): object {
  return {
    id: record.id,
    status: record.status,
    source_compute: record.source.name,
    // A migration that the scheduler refused has no node.
    source_node: record.dest === null ? null : record.source.name,
    dest_compute: record.dest?.name ?? null,
    dest_node: record.dest?.name ?? null,
    dest_host: null,
    created_at: microTime(record.createdAt),
    updated_at: record.updatedAt === null ? null : microTime(record.updatedAt),
  };
}

/** Nova does not record them for an evacuation. */
function flavorsOf({ type, oldFlavor, newFlavor }: MigrationRecord): object {
  const reportsFlavors = type !== 'evacuation';
  return {
    old_instance_type_id: reportsFlavors ? oldFlavor.number : null,
    new_instance_type_id: reportsFlavors ? newFlavor.number : null,
  };
}

function historyView(record: MigrationRecord, minor: number, base: string): object {
  const linked = minor >= 23 && isInProgress(record);
  return {
    ...commonView(record),
    instance_uuid: record.server.uuid,
    ...flavorsOf(record),
    ...(minor >= 23 ? { migration_type: record.type } : {}),
    ...(linked ? { links: links(base, `servers/${record.server.uuid}/migrations`, String(record.id)) } : {}),
    ...(minor >= 59 ? { uuid: record.uuid } : {}),
    ...(minor >= 80 ? { user_id: record.userId, project_id: record.projectId } : {}),
  };
}

function progressView(record: MigrationRecord, minor: number): object {
  const bytes = (value: number) => Math.round(value * mib);
  const known = record.status === 'running' || record.status === 'post-migrating';
  return {
    ...commonView(record),
    server_uuid: record.server.uuid,
    memory_total_bytes: known ? bytes(record.memory.totalMib) : null,
    memory_processed_bytes: known ? bytes(record.memory.processedMib) : null,
    memory_remaining_bytes: known ? bytes(record.memory.remainingMib) : null,
    disk_total_bytes: known ? bytes(record.disk.totalMib) : null,
    disk_processed_bytes: known ? bytes(record.disk.processedMib) : null,
    disk_remaining_bytes: known ? bytes(record.disk.remainingMib) : null,
    ...(minor >= 59 ? { uuid: record.uuid } : {}),
    ...(minor >= 80 ? { user_id: record.userId, project_id: record.projectId } : {}),
  };
}
