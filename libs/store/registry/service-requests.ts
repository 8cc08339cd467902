import type { ServiceRegistry, ServiceRequest } from '../registry-contract.ts';
import type { Session } from '../session/session.ts';

export const requestColumns = `id, kind, service_name AS "serviceName", host, instance_id AS "instanceId", state,
  requested_by AS "requestedBy", reason, requested_at AS "requestedAt", deadline_at AS "deadlineAt", ended_at AS "endedAt"`;

/** Requests to stop or restart; at most one waits for each service name and host. */
export function createServiceRequests(
  session: Session,
): Pick<ServiceRegistry, 'request' | 'findRequest' | 'endLateRequests'> {
  return {
    request: ({ id, kind, serviceName, host, requestedBy, timeoutMs }) =>
      session.write(async (manager) => {
        await manager.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
          `vigil:service-request:${serviceName}@${host}`,
        ]);
        const waiting = await manager.query<ServiceRequest[]>(
          `SELECT ${requestColumns} FROM service_requests
           WHERE service_name = $1 AND host = $2 AND state = 'PENDING' AND deadline_at > now()`,
          [serviceName, host],
        );
        if (waiting[0]?.kind === kind) return waiting[0];
        await manager.query(
          `UPDATE service_requests SET ended_at = now(),
             state = CASE WHEN deadline_at > now() THEN 'CANCELLED' ELSE 'TIMED_OUT' END,
             reason = CASE WHEN deadline_at > now() THEN $3 END
           WHERE service_name = $1 AND host = $2 AND state = 'PENDING'`,
          [serviceName, host, `a request to ${kind} came after it`],
        );
        const rows = await manager.query<ServiceRequest[]>(
          `INSERT INTO service_requests (id, kind, service_name, host, requested_by, instance_id, deadline_at)
           VALUES ($1, $2, $3, $4, $5,
             (SELECT instance_id FROM service_instances WHERE service_name = $3 AND host = $4 AND ended_at IS NULL),
             now() + $6::double precision * interval '1 millisecond')
           RETURNING ${requestColumns}`,
          [id, kind, serviceName, host, requestedBy, timeoutMs],
        );
        // What people ask for is done in spite of a restart storm, and ends it.
        await manager.query(
          `UPDATE graph_edges SET attributes = attributes - 'degraded'
           WHERE src_kind = 'Host' AND src_id = $2 AND rel = 'has' AND dst_id = $1 || '@' || $2 AND attributes ? 'degraded'`,
          [serviceName, host],
        );
        return rows[0] as ServiceRequest;
      }),

    findRequest: (id) =>
      session.read(async (manager) => {
        const rows = await manager.query<ServiceRequest[]>(
          `SELECT ${requestColumns} FROM service_requests WHERE id = $1`,
          [id],
        );
        return rows[0] ?? null;
      }),

    endLateRequests: () =>
      session.write(async (manager) => {
        const [, count] = await manager.query<[unknown[], number]>(
          `UPDATE service_requests SET state = 'TIMED_OUT', ended_at = now()
           WHERE state = 'PENDING' AND deadline_at <= now()`,
        );
        return count;
      }),
  };
}
