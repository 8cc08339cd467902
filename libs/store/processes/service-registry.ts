import type { EntityManager } from 'typeorm';
import type { JsonObject } from '#libs/domain';
import type { Session } from '../session/session.ts';
import { createGraph, unlinkEdges } from './graph.ts';
import { addEvent, instanceColumns, linkInstance, moveInstance, readOwnedWork } from './instance-moves.ts';
import { createProcessLoops } from './process-loops.ts';
import { requestColumns } from './request-moves.ts';
import { createServiceRequests } from './service-requests.ts';
import type {
  ServiceBeat,
  ServiceEvent,
  ServiceInstance,
  ServiceRegistry,
  ServiceRequest,
  ServiceStatus,
  ServiceStatusRow,
} from './types.ts';

const eventColumns = `id, type, service_type AS "serviceType", service_name AS "serviceName", host,
  instance_id AS "instanceId", doc, at, acknowledged_at AS "acknowledgedAt"`;
const mostInstances = 1000;

/** Instances, events, requests and the graph. Every time is the database's. */
export function createServiceRegistry(session: Session): ServiceRegistry {
  return {
    ...createInstances(session),
    ...createEvents(session),
    ...createServiceRequests(session),
    ...createProcessLoops(session),
    ...createGraph(session),
  };
}

/** The last instance before a new one is added. */
async function findPredecessor(manager: EntityManager, serviceName: string, host: string) {
  const rows = await manager.query<Pick<ServiceInstance, 'configHash' | 'config'>[]>(
    `SELECT config_hash AS "configHash", config FROM service_instances
     WHERE service_name = $1 AND host = $2 ORDER BY started_at DESC LIMIT 1`,
    [serviceName, host],
  );
  return rows[0];
}

/** Keys with another value. A secret that has changed shows in the hash only. */
function changedKeys(before: JsonObject, after: JsonObject): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]))
    .sort();
}

/** Adds the event that says which keys have another value, if any have. */
async function reportConfiguration(
  manager: EntityManager,
  before: Pick<ServiceInstance, 'config' | 'configHash'>,
  row: ServiceInstance,
): Promise<void> {
  if (before.configHash === row.configHash) return;
  const doc = { from: before.configHash, to: row.configHash, changed: changedKeys(before.config, row.config) };
  await addEvent(manager, { ...row, type: 'service.config_changed', doc });
}

function createInstances(session: Session) {
  const instances: Pick<
    ServiceRegistry,
    | 'enlist'
    | 'reconfigure'
    | 'beat'
    | 'transition'
    | 'listInstances'
    | 'findInstance'
    | 'expiringInstances'
    | 'countCheck'
    | 'setAcceptsWork'
    | 'matrix'
    | 'ownedWork'
  > = {
    enlist: (instance) =>
      session.write(async (manager) => {
        const { serviceName, host } = instance;
        const former = await manager.query<{ instanceId: string }[]>(
          `SELECT instance_id AS "instanceId" FROM service_instances
           WHERE service_name = $1 AND host = $2 AND ended_at IS NULL AND instance_id <> $3 FOR UPDATE`,
          [serviceName, host, instance.instanceId],
        );
        for (const { instanceId } of former) {
          await moveInstance(manager, instanceId, 'lose', {
            reason: 'its connection is closed and a successor has started',
          });
        }
        const before = await findPredecessor(manager, serviceName, host);
        const rows = await manager.query<ServiceInstance[]>(
          `INSERT INTO service_instances (instance_id, service_type, service_name, host, pid, version, config,
             config_hash, state, lease_expires_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'STARTING', now() + $9::double precision * interval '1 millisecond')
           ON CONFLICT (instance_id) DO UPDATE SET service_name = excluded.service_name, state = excluded.state,
             lease_expires_at = excluded.lease_expires_at, last_seen_at = now(), ended_at = NULL, end_reason = NULL
           RETURNING ${instanceColumns}`,
          [
            instance.instanceId,
            instance.serviceType,
            serviceName,
            host,
            instance.pid,
            instance.version,
            JSON.stringify(instance.config),
            instance.configHash,
            instance.ttlMs,
          ],
        );
        const row = rows[0] as ServiceInstance;
        await addEvent(manager, { ...row, type: 'service.starting', doc: { pid: row.pid, version: row.version } });
        if (before) await reportConfiguration(manager, before, row);
        await linkInstance(manager, row);
        return row;
      }),

    reconfigure: (instanceId, { config, configHash }) =>
      session.write(async (manager) => {
        const [before] = await manager.query<ServiceInstance[]>(
          `SELECT ${instanceColumns} FROM service_instances WHERE instance_id = $1 AND ended_at IS NULL FOR UPDATE`,
          [instanceId],
        );
        if (!before) return;
        await manager.query(`UPDATE service_instances SET config = $2, config_hash = $3 WHERE instance_id = $1`, [
          instanceId,
          JSON.stringify(config),
          configHash,
        ]);
        const row = { ...before, config, configHash };
        await reportConfiguration(manager, before, row);
        await unlinkEdges(manager, { srcKind: 'ServiceInstance', srcId: instanceId, rel: 'has', dstKind: 'Config' });
        await linkInstance(manager, row);
      }),

    beat: (instanceId, ttlMs) =>
      session.write(async (manager) => {
        const [rows] = await manager.query<[Omit<ServiceBeat, 'request'>[], number]>(
          `UPDATE service_instances SET last_seen_at = now(),
             lease_expires_at = now() + $2::double precision * interval '1 millisecond'
           WHERE instance_id = $1 AND ended_at IS NULL RETURNING state, accepts_work AS "acceptsWork"`,
          [instanceId, ttlMs],
        );
        if (!rows[0]) return null;
        const requests = await manager.query<ServiceRequest[]>(
          `SELECT ${requestColumns} FROM service_requests
           WHERE instance_id = $1 AND state = 'PENDING' AND kind <> 'start' AND deadline_at > now()`,
          [instanceId],
        );
        return { ...rows[0], request: requests[0] ?? null };
      }),

    transition: (instanceId, event, options) =>
      session.write((manager) => moveInstance(manager, instanceId, event, options)),

    listInstances: ({ liveOnly = false } = {}) =>
      session.read((manager) =>
        manager.query<ServiceInstance[]>(
          `SELECT ${instanceColumns} FROM service_instances ${liveOnly ? 'WHERE ended_at IS NULL' : ''}
           ORDER BY started_at DESC, instance_id LIMIT ${mostInstances}`,
        ),
      ),

    findInstance: (instanceId) =>
      session.read(async (manager) => {
        const rows = await manager.query<ServiceInstance[]>(
          `SELECT ${instanceColumns} FROM service_instances WHERE instance_id::text = $1`,
          [instanceId],
        );
        return rows[0] ?? null;
      }),

    expiringInstances: (withinMs) =>
      session.read((manager) =>
        manager.query<ServiceInstance[]>(
          `SELECT ${instanceColumns} FROM service_instances
           WHERE ended_at IS NULL AND lease_expires_at <= now() + $1::double precision * interval '1 millisecond'
           ORDER BY lease_expires_at`,
          [withinMs],
        ),
      ),

    countCheck: (instanceId, answered) =>
      session.write(async (manager) => {
        const [rows] = await manager.query<[{ failedChecks: number }[], number]>(
          `UPDATE service_instances SET failed_checks = CASE WHEN $2::boolean THEN 0 ELSE failed_checks + 1 END
           WHERE instance_id = $1 AND ended_at IS NULL AND (NOT $2::boolean OR failed_checks > 0)
           RETURNING failed_checks AS "failedChecks"`,
          [instanceId, answered],
        );
        return rows[0]?.failedChecks ?? 0;
      }),

    setAcceptsWork: (instanceId, accepts) =>
      session.write(async (manager) => {
        await manager.query(
          'UPDATE service_instances SET accepts_work = $2 WHERE instance_id = $1 AND accepts_work <> $2',
          [instanceId, accepts],
        );
      }),

    matrix: () =>
      session.read(async (manager) => {
        const rows = await manager.query<(ServiceInstance & { registered: boolean; degraded: boolean })[]>(
          `SELECT newest.*, registration.dst_id IS NOT NULL AS registered,
             coalesce(registration.attributes ? 'degraded', false) AS degraded
           FROM (
             SELECT DISTINCT ON (service_name, host) ${instanceColumns} FROM service_instances
             ORDER BY service_name, host, (ended_at IS NULL) DESC, started_at DESC
           ) AS newest
           LEFT JOIN graph_edges AS registration ON registration.src_kind = 'Host' AND registration.src_id = newest.host
             AND registration.rel = 'has' AND registration.dst_id = newest."serviceName" || '@' || newest.host
           WHERE registration.dst_id IS NOT NULL OR newest."lastSeenAt" > now() - interval '1 day'
           ORDER BY newest."serviceName", newest.host`,
        );
        return rows.map(statusRow);
      }),

    ownedWork: (instanceId) => session.read((manager) => readOwnedWork(manager, instanceId)),
  };
  return instances;
}

function statusRow({
  registered,
  degraded,
  ...instance
}: ServiceInstance & { registered: boolean; degraded: boolean }): ServiceStatusRow {
  const { serviceName, serviceType, host } = instance;
  return { serviceName, serviceType, host, status: statusOf(registered, instance), registered, degraded, instance };
}

/** Desired against observed. A process that renews its lease runs, also when it responds to Checks too late. */
function statusOf(registered: boolean, instance: ServiceInstance): ServiceStatus {
  if (registered) return instance.isAlive ? 'Running' : 'Failed';
  return instance.isAlive ? 'StillRunning' : 'NotRunning';
}

function createEvents(session: Session) {
  const events: Pick<ServiceRegistry, 'report' | 'pendingEvents' | 'acknowledge' | 'listEvents' | 'countStarts'> = {
    report: (event) => session.write((manager) => addEvent(manager, event)),

    pendingEvents: (limit) =>
      session.read((manager) =>
        manager.query<ServiceEvent[]>(
          `SELECT ${eventColumns} FROM service_events WHERE acknowledged_at IS NULL ORDER BY id LIMIT $1`,
          [limit],
        ),
      ),

    acknowledge: (eventId) =>
      session.write(async (manager) => {
        await manager.query(
          'UPDATE service_events SET acknowledged_at = now() WHERE id = $1 AND acknowledged_at IS NULL',
          [eventId],
        );
      }),

    listEvents: ({ limit, beforeId, serviceName }) =>
      session.read((manager) =>
        manager.query<ServiceEvent[]>(
          `SELECT ${eventColumns} FROM service_events
           WHERE ($2::bigint IS NULL OR id < $2) AND ($3::text IS NULL OR service_name = $3) ORDER BY id DESC LIMIT $1`,
          [limit, beforeId ?? null, serviceName ?? null],
        ),
      ),

    countStarts: (serviceName, host, seconds) =>
      session.read(async (manager) => {
        const rows = await manager.query<{ count: number }[]>(
          `SELECT count(*)::int AS count FROM service_events WHERE type = 'service.starting' AND NOT doc ? 'returned'
           AND service_name = $1 AND host = $2 AND at > now() - $3::double precision * interval '1 second'`,
          [serviceName, host, seconds],
        );
        return rows[0]?.count ?? 0;
      }),
  };
  return events;
}
