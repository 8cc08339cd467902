import type { EntityManager } from 'typeorm';
import { moveOf, type ServiceRequestEvent, serviceRequestStateTable } from '#libs/domain';
import type { ServiceRequest } from './types.ts';

/** Columns of a request by the names of the contract. */
export const requestColumns = `id, kind, service_name AS "serviceName", host, instance_id AS "instanceId", state,
  requested_by AS "requestedBy", reason, requested_at AS "requestedAt", deadline_at AS "deadlineAt", ended_at AS "endedAt"`;

/**
 * Ends the requests that match `condition` along `serviceRequestStateTable`. Returns them with their new state. @param
 * reason SQL expression. Default: none. Both texts may use `parameters` from $1 on.
 */
export async function endRequests(
  manager: EntityManager,
  event: ServiceRequestEvent,
  { condition, reason = 'NULL' }: { condition: string; reason?: string },
  parameters: unknown[],
): Promise<ServiceRequest[]> {
  const { from, to } = moveOf(serviceRequestStateTable, event);
  const [rows] = await manager.query<[ServiceRequest[], number]>(
    `UPDATE service_requests SET state = $${parameters.length + 1}, ended_at = now(), reason = ${reason}
     WHERE state = ANY($${parameters.length + 2}::text[]) AND ${condition} RETURNING ${requestColumns}`,
    [...parameters, to, from],
  );
  return rows;
}
