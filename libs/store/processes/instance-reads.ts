import type { Session } from '../session/session.ts';
import { instanceColumns, readOwnedWork } from './instance-moves.ts';
import type { ServiceInstance, ServiceRegistry, ServiceStatus, ServiceStatusRow } from './types.ts';

const mostInstances = 1000;

/** Reads instances. Every time is the database's. */
export function createInstanceReads(
  session: Session,
): Pick<ServiceRegistry, 'listInstances' | 'findInstance' | 'expiringInstances' | 'matrix' | 'ownedWork'> {
  return {
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
}

function statusRow({
  registered,
  degraded,
  ...instance
}: ServiceInstance & { registered: boolean; degraded: boolean }): ServiceStatusRow {
  const { serviceName, serviceType, host } = instance;
  return { serviceName, serviceType, host, status: statusOf(registered, instance), registered, degraded, instance };
}

/** Desired and observed state. A process that renews its lease is running, even if it responds to Checks too late. */
function statusOf(registered: boolean, instance: ServiceInstance): ServiceStatus {
  if (registered) return instance.isAlive ? 'Running' : 'Failed';
  return instance.isAlive ? 'StillRunning' : 'NotRunning';
}
