import type { EntityManager } from 'typeorm';
import {
  moveOf,
  NotFoundError,
  type ServiceInstanceEvent,
  StateConflictError,
  serviceInstanceStateTable,
} from '#libs/domain';
import { linkEdge, unlinkEdges } from './graph.ts';
import { endRequests } from './request-moves.ts';
import type { NewServiceEvent, OwnedWork, ServiceEventType, ServiceInstance, ServiceRegistry } from './types.ts';

/** Columns of an instance by the names of the contract. */
export const instanceColumns = `instance_id AS "instanceId", service_type AS "serviceType", service_name AS "serviceName",
  host, pid, version, state, config_hash AS "configHash", config, fence, started_at AS "startedAt",
  last_seen_at AS "lastSeenAt", lease_expires_at AS "leaseExpiresAt", ended_at AS "endedAt", end_reason AS "endReason",
  failed_checks AS "failedChecks", accepts_work AS "acceptsWork",
  (ended_at IS NULL AND lease_expires_at > now()) AS "isAlive"`;

/** The event of each state change. */
const eventOf: Record<ServiceInstanceEvent, ServiceEventType> = {
  started: 'service.started',
  refuse: 'service.could_not_start',
  stop: 'service.stopping',
  stopped: 'service.stopped',
  fail: 'service.failed',
  crash: 'service.uncaught_exception',
  lose: 'service.lost',
  return: 'service.started',
  rejoin: 'service.starting',
};

/** Whether a process that was declared lost has returned. */
function hasReturned(event: ServiceInstanceEvent): boolean {
  return event === 'return' || event === 'rejoin';
}

type MoveOptions = NonNullable<Parameters<ServiceRegistry['transition']>[2]>;

/** Moves an instance, adds the event with its work, ends requests, and updates the graph. */
export async function moveInstance(
  manager: EntityManager,
  instanceId: string,
  event: ServiceInstanceEvent,
  options: MoveOptions = {},
): Promise<ServiceInstance> {
  const { from, to } = moveOf(serviceInstanceStateTable, event);
  const hasEnded = to === 'STOPPED' || to === 'FAILED' || to === 'LOST';
  const [rows] = await manager.query<[ServiceInstance[], number]>(
    `UPDATE service_instances SET state = $2, end_reason = $4,
       failed_checks = CASE WHEN $2 = 'STARTED' THEN 0 ELSE failed_checks END,
       ended_at = CASE WHEN $5::boolean THEN now() END,
       lease_expires_at = CASE WHEN $6::double precision IS NULL THEN lease_expires_at
         ELSE now() + $6::double precision * interval '1 millisecond' END
     WHERE instance_id = $1 AND state = ANY($3::text[]) AND (NOT $7::boolean OR lease_expires_at <= now()) RETURNING ${instanceColumns}`,
    [instanceId, to, from, options.reason ?? null, hasEnded, options.ttlMs ?? null, options.onlyExpired ?? false],
  );
  const instance = rows[0];
  if (!instance) return refuse(manager, instanceId, event);
  const work = await readOwnedWork(manager, instanceId);
  await addEvent(manager, {
    type: eventOf[event],
    serviceType: instance.serviceType,
    serviceName: instance.serviceName,
    host: instance.host,
    instanceId,
    doc: {
      ...(options.reason === undefined ? {} : { reason: options.reason }),
      ...(hasReturned(event) ? { returned: true } : {}),
      work: work.map(({ kind, uuid, state }) => ({ kind, uuid, state })),
      ...options.doc,
    },
    dedupeKey: options.dedupeKey,
  });
  await followInGraph(manager, instance, event, hasEnded);
  if (event === 'stopped') await forgetHeartbeats(manager, instance);
  await fulfilRequests(manager, instance, hasEnded);
  return instance;
}

async function refuse(manager: EntityManager, instanceId: string, event: string): Promise<never> {
  const rows = await manager.query<{ state: string }[]>('SELECT state FROM service_instances WHERE instance_id = $1', [
    instanceId,
  ]);
  if (!rows[0]) throw new NotFoundError('ServiceInstance', instanceId);
  throw new StateConflictError('ServiceInstance', instanceId, rows[0].state, event);
}

/** Adds an event. False when its key already exists. */
export async function addEvent(manager: EntityManager, event: NewServiceEvent): Promise<boolean> {
  const rows = await manager.query<unknown[]>(
    `INSERT INTO service_events (dedupe_key, type, service_type, service_name, host, instance_id, doc)
     VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (dedupe_key) DO NOTHING RETURNING id`,
    [
      event.dedupeKey ?? null,
      event.type,
      event.serviceType,
      event.serviceName,
      event.host,
      event.instanceId,
      JSON.stringify(event.doc),
    ],
  );
  return rows.length > 0;
}

/** Plans and audits that an instance holds, oldest first. */
export function readOwnedWork(manager: EntityManager, instanceId: string): Promise<OwnedWork[]> {
  const part = (kind: string, table: string, launchSeq: string) => `
    SELECT '${kind}' AS kind, uuid, state, ${launchSeq} AS "launchSeq", fence, id,
      coalesce(lease_expires_at <= now(), true) AS "leaseExpired"
    FROM ${table} WHERE deleted = 0 AND state IN ('PENDING', 'ONGOING', 'CANCELLING') AND run_instance = $1`;
  return manager.query<OwnedWork[]>(
    `SELECT kind, uuid, state, "launchSeq", fence, "leaseExpired" FROM (
       ${part('plan', 'action_plans', 'launch_seq')} UNION ALL ${part('audit', 'audits', 'NULL::integer')}
     ) AS work ORDER BY kind, id`,
    [instanceId],
  );
}

/** Id of a service name in the graph. */
export function nameNode({ serviceName, host }: Pick<ServiceInstance, 'serviceName' | 'host'>): string {
  return `${serviceName}@${host}`;
}

/** Edges of a live process, from the cluster to its configuration. */
export async function linkInstance(manager: EntityManager, instance: ServiceInstance): Promise<void> {
  const { serviceType, host, instanceId, configHash } = instance;
  const name = nameNode(instance);
  await linkEdge(manager, 'Cluster', 'vigil', 'supports', 'ServiceType', serviceType);
  await linkEdge(manager, 'Cluster', 'vigil', 'has', 'Host', host);
  await linkEdge(manager, 'Host', host, 'has', 'ServiceName', name);
  await linkEdge(manager, 'ServiceType', serviceType, 'supports', 'ServiceName', name);
  await linkEdge(manager, 'ServiceType', 'recovery-coordinator', 'supervises', 'ServiceName', name);
  await linkEdge(manager, 'ServiceName', name, 'runs', 'ServiceInstance', instanceId);
  if (configHash) await linkEdge(manager, 'ServiceInstance', instanceId, 'has', 'Config', configHash);
  await unlinkEdges(manager, { srcKind: 'Host', srcId: host, rel: 'stopping', dstId: name });
}

async function followInGraph(
  manager: EntityManager,
  instance: ServiceInstance,
  event: ServiceInstanceEvent,
  hasEnded: boolean,
): Promise<void> {
  const { host, instanceId } = instance;
  const name = nameNode(instance);
  if (hasReturned(event)) await linkInstance(manager, instance);
  if (event === 'stop') {
    const isRestart = await hasPendingRestart(manager, instance);
    if (!isRestart) await unlinkEdges(manager, { srcKind: 'Host', srcId: host, rel: 'has', dstId: name });
    await linkEdge(manager, 'Host', host, 'stopping', 'ServiceName', name);
  }
  if (!hasEnded) return;
  await unlinkEdges(manager, { srcKind: 'Host', srcId: host, rel: 'stopping', dstId: name });
  await unlinkEdges(manager, { rel: 'runs', dstKind: 'ServiceInstance', dstId: instanceId });
  await unlinkEdges(manager, { srcKind: 'ServiceInstance', srcId: instanceId, rel: 'has' });
  await unlinkEdges(manager, { srcKind: 'ServiceInstance', srcId: instanceId, rel: 'runs' });
  await releaseCollectors(manager, instance);
}

/**
 * A service of Watcher's list that stopped normally is deleted instead of FAILED, unless processes of the kind should
 * still run on the host (others, a crashed one, or this one after a restart). It gets its row again when it returns.
 */
async function forgetHeartbeats(manager: EntityManager, { serviceType, host }: ServiceInstance): Promise<void> {
  await manager.query(
    `UPDATE services SET deleted = id, deleted_at = now()
     WHERE deleted = 0 AND name = $1 AND host = $2 AND NOT EXISTS (
       SELECT 1 FROM graph_edges AS registered
       JOIN graph_edges AS kind ON kind.src_kind = 'ServiceType' AND kind.src_id = $1 AND kind.rel = 'supports'
         AND kind.dst_kind = registered.dst_kind AND kind.dst_id = registered.dst_id
       WHERE registered.src_kind = 'Host' AND registered.src_id = $2 AND registered.rel = 'has')`,
    [serviceType, host],
  );
}

/** Collectors end with their process. Work has leases and is reassigned. */
async function releaseCollectors(manager: EntityManager, instance: ServiceInstance): Promise<void> {
  const { serviceType, serviceName, host, instanceId } = instance;
  const [released] = await manager.query<[{ id: string }[], number]>(
    `DELETE FROM graph_edges WHERE src_kind = 'ServiceInstance' AND src_id = $1 AND rel = 'owns' AND dst_kind = 'Collector'
     RETURNING dst_id AS id`,
    [instanceId],
  );
  for (const { id } of released) {
    const doc = { kind: 'Collector', id };
    const event = { type: 'service.resource_released', serviceType, serviceName, host, instanceId, doc } as const;
    await addEvent(manager, event);
  }
}

async function hasPendingRestart(manager: EntityManager, { serviceName, host }: ServiceInstance): Promise<boolean> {
  const rows = await manager.query<unknown[]>(
    `SELECT 1 FROM service_requests WHERE service_name = $1 AND host = $2 AND state = 'PENDING' AND kind = 'restart'`,
    [serviceName, host],
  );
  return rows.length > 0;
}

/** A stop is complete when the process has ended, a start or restart when another instance runs. */
async function fulfilRequests(manager: EntityManager, instance: ServiceInstance, hasEnded: boolean): Promise<void> {
  if (!hasEnded && instance.state !== 'STARTED') return;
  const done = hasEnded
    ? `kind = 'stop' AND instance_id = $3`
    : `kind IN ('start', 'restart') AND instance_id IS DISTINCT FROM $3`;
  await endRequests(manager, 'fulfil', { condition: `service_name = $1 AND host = $2 AND ${done}` }, [
    instance.serviceName,
    instance.host,
    instance.instanceId,
  ]);
}
