import type {
  GraphEdge,
  PluginFault,
  RecoveryDecision,
  ServiceEvent,
  ServiceRequest,
  ServiceStatusRow,
} from '#libs/store';

const time = (date: Date | null) => date?.toISOString() ?? null;

/** A service with its newest instance, and all broken plugins that it reported. */
export function serviceBody(row: ServiceStatusRow, faults: readonly PluginFault[]) {
  const { serviceName, serviceType, host, status, registered, degraded, instance } = row;
  const isUp = status === 'Running' || status === 'StillRunning';
  return {
    name: serviceName,
    type: serviceType,
    host,
    status,
    public_status: isUp ? 'ACTIVE' : 'FAILED',
    registered,
    degraded,
    plugin_faults: faults
      .filter((fault) => fault.serviceName === serviceType && fault.host === host)
      .map(({ plugin, reason, at }) => ({ plugin, reason, at: time(at) })),
    instance: {
      instance_id: instance.instanceId,
      pid: instance.pid,
      version: instance.version,
      state: instance.state,
      started_at: time(instance.startedAt),
      last_seen_at: time(instance.lastSeenAt),
      lease_expires_at: time(instance.leaseExpiresAt),
      ended_at: time(instance.endedAt),
      end_reason: instance.endReason,
      failed_checks: instance.failedChecks,
      accepts_work: instance.acceptsWork,
      config_hash: instance.configHash,
      config: instance.config,
    },
  };
}

/** A life-cycle event. */
export function eventBody(event: ServiceEvent) {
  return {
    id: event.id,
    type: event.type,
    service: event.serviceName,
    service_type: event.serviceType,
    host: event.host,
    instance_id: event.instanceId,
    doc: event.doc,
    at: time(event.at),
    acknowledged_at: time(event.acknowledgedAt),
  };
}

/** A decision of the recovery coordinator. */
export function decisionBody(decision: RecoveryDecision) {
  return {
    id: decision.id,
    rule: decision.rule,
    job: decision.jobKey,
    inputs: decision.inputs,
    outcome: decision.outcome,
    detail: decision.detail,
    duration_ms: decision.durationMs,
    fence: decision.fence,
    decided_at: time(decision.decidedAt),
  };
}

/** Edges, and the nodes that they name. */
export function graphBody(edges: readonly GraphEdge[]) {
  const nodes = new Map<string, { key: string; kind: string; id: string }>();
  const keyOf = (kind: string, id: string) => {
    const key = `${kind}:${id}`;
    nodes.set(key, { key, kind, id });
    return key;
  };
  const shown = edges.map((edge) => ({
    source: keyOf(edge.srcKind, edge.srcId),
    relation: edge.rel,
    target: keyOf(edge.dstKind, edge.dstId),
    attributes: withoutSchema(edge.attributes),
    since: time(edge.since),
  }));
  return { nodes: [...nodes.values()], edges: shown };
}

/** The configuration schema of a service type is long and has its own route. */
function withoutSchema({ configuration: _schema, ...rest }: GraphEdge['attributes']) {
  return rest;
}

/** A request to stop or restart. */
export function requestBody(request: ServiceRequest) {
  return {
    id: request.id,
    kind: request.kind,
    service: request.serviceName,
    host: request.host,
    state: request.state,
    reason: request.reason,
    requested_by: request.requestedBy,
    requested_at: time(request.requestedAt),
    deadline_at: time(request.deadlineAt),
    ended_at: time(request.endedAt),
  };
}
