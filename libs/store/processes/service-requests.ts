import type { EntityManager } from 'typeorm';
import type { Session } from '../session/session.ts';
import { unlinkEdges } from './graph.ts';
import { endRequests, requestColumns } from './request-moves.ts';
import type { ServiceRegistry, ServiceRequest } from './types.ts';

/** Reason of a request that exceeded its time limit. */
const lateReason = `CASE WHEN EXISTS (SELECT 1 FROM service_instances AS live
    WHERE live.service_name = service_requests.service_name AND live.host = service_requests.host AND live.ended_at IS NULL)
  THEN 'unchanged: nothing was done within the time limit'
  ELSE 'it has ended, and nothing has started it again within the time limit' END`;

type Target = Pick<ServiceRequest, 'kind' | 'serviceName' | 'host'>;

/** Why the request is fulfilled immediately. Null when an action is needed. */
async function alreadySo(manager: EntityManager, { kind, serviceName, host }: Target): Promise<string | null> {
  const [live] = await manager.query<{ state: string; usable: boolean }[]>(
    `SELECT state, lease_expires_at > now() AND NOT EXISTS (SELECT 1 FROM graph_edges WHERE src_kind = 'Host' AND src_id = $2
       AND rel = 'has' AND dst_id = $1 || '@' || $2 AND attributes ? 'degraded') AS usable
     FROM service_instances WHERE service_name = $1 AND host = $2 AND ended_at IS NULL`,
    [serviceName, host],
  );
  // A process that is starting may have ended without a report.
  if (kind === 'start') return live?.state === 'STARTED' && live.usable ? 'it runs already' : null;
  return kind === 'stop' && !live ? 'it does not run' : null;
}

/** Requests to start, stop or restart. At most one waits for each service name and host. */
export function createServiceRequests(
  session: Session,
): Pick<ServiceRegistry, 'request' | 'findRequest' | 'newestRequest' | 'endLateRequests'> {
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
        const sameTarget = 'service_name = $1 AND host = $2';
        const late = { condition: `${sameTarget} AND deadline_at <= now()`, reason: lateReason };
        await endRequests(manager, 'expire', late, [serviceName, host]);
        await endRequests(manager, 'cancel', { condition: sameTarget, reason: '$3' }, [
          serviceName,
          host,
          `a later request to ${kind} replaced it`,
        ]);
        const rows = await manager.query<ServiceRequest[]>(
          `INSERT INTO service_requests (id, kind, service_name, host, requested_by, instance_id, deadline_at)
           VALUES ($1, $2, $3, $4, $5,
             (SELECT instance_id FROM service_instances WHERE service_name = $3 AND host = $4 AND ended_at IS NULL),
             now() + $6::double precision * interval '1 millisecond')
           RETURNING ${requestColumns}`,
          [id, kind, serviceName, host, requestedBy, timeoutMs],
        );
        const reason = await alreadySo(manager, { kind, serviceName, host });
        const done =
          reason === null
            ? []
            : await endRequests(manager, 'fulfil', { condition: 'id = $1', reason: '$2' }, [id, reason]);
        if (kind === 'stop' && reason !== null) {
          await unlinkEdges(manager, { srcKind: 'Host', srcId: host, rel: 'has', dstId: `${serviceName}@${host}` });
        }
        // A request of a user is executed despite a restart storm, and ends it.
        await manager.query(
          `UPDATE graph_edges SET attributes = attributes - 'degraded'
           WHERE src_kind = 'Host' AND src_id = $2 AND rel = 'has' AND dst_id = $1 || '@' || $2 AND attributes ? 'degraded'`,
          [serviceName, host],
        );
        return (done[0] ?? rows[0]) as ServiceRequest;
      }),

    findRequest: (id) =>
      session.read(async (manager) => {
        const rows = await manager.query<ServiceRequest[]>(
          `SELECT ${requestColumns} FROM service_requests WHERE id = $1`,
          [id],
        );
        return rows[0] ?? null;
      }),

    newestRequest: (serviceName, host) =>
      session.read(async (manager) => {
        const rows = await manager.query<ServiceRequest[]>(
          `SELECT ${requestColumns} FROM service_requests
           WHERE service_name = $1 AND host = $2 AND requested_at > coalesce((SELECT max(started_at)
             FROM service_instances WHERE service_name = $1 AND host = $2), '-infinity')
           ORDER BY requested_at DESC LIMIT 1`,
          [serviceName, host],
        );
        return rows[0] ?? null;
      }),

    endLateRequests: () =>
      session.write(async (manager) => {
        const late = { condition: 'deadline_at <= now()', reason: lateReason };
        return (await endRequests(manager, 'expire', late, [])).length;
      }),
  };
}
