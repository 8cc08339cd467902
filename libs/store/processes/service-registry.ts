import type { Session } from '../session/session.ts';
import { createEnlistment } from './enlistment.ts';
import { createGraph } from './graph.ts';
import { addEvent, moveInstance } from './instance-moves.ts';
import { createInstanceReads } from './instance-reads.ts';
import { createProcessLoops } from './process-loops.ts';
import { requestColumns } from './request-moves.ts';
import { createServiceRequests } from './service-requests.ts';
import { createSupervision } from './supervision.ts';
import type { ServiceBeat, ServiceEvent, ServiceRegistry, ServiceRequest } from './types.ts';

const eventColumns = `id, type, service_type AS "serviceType", service_name AS "serviceName", host,
  instance_id AS "instanceId", doc, at, acknowledged_at AS "acknowledgedAt"`;

/** Instances, events, requests and the graph. Every time is the database's. */
export function createServiceRegistry(session: Session): ServiceRegistry {
  return {
    ...createEnlistment(session),
    ...createInstances(session),
    ...createInstanceReads(session),
    ...createEvents(session),
    ...createServiceRequests(session),
    ...createSupervision(session),
    ...createProcessLoops(session),
    ...createGraph(session),
  };
}

/** The state of live instances. */
function createInstances(session: Session) {
  const instances: Pick<ServiceRegistry, 'beat' | 'transition' | 'countCheck' | 'setAcceptsWork'> = {
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

    countCheck: (instanceId, hasResponded) =>
      session.write(async (manager) => {
        const [rows] = await manager.query<[{ failedChecks: number }[], number]>(
          `UPDATE service_instances SET failed_checks = CASE WHEN $2::boolean THEN 0 ELSE failed_checks + 1 END
           WHERE instance_id = $1 AND ended_at IS NULL AND (NOT $2::boolean OR failed_checks > 0)
           RETURNING failed_checks AS "failedChecks"`,
          [instanceId, hasResponded],
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
  };
  return instances;
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
