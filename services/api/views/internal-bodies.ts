import type { PlacementRule } from '#libs/domain';
import type { AuditLogEntry, TaskRow } from '#libs/store';
import { timestamp } from '../http/watcher-text/timestamps.ts';

/** An operator's rule as the internal API shows it. */
export function placementRuleBody(rule: PlacementRule): object {
  return {
    uuid: rule.uuid,
    name: rule.name,
    description: rule.description,
    kind: rule.kind,
    instances: rule.instances,
    hosts: rule.hosts,
    strict: rule.isStrict,
    max_per_host: rule.maxPerHost,
    enabled: rule.enabled,
    created_at: timestamp(rule.createdAt),
    updated_at: timestamp(rule.updatedAt),
  };
}

const time = (date: Date | null) => date?.toISOString() ?? null;

/** A task as the internal API and the change stream show it. */
export function taskBody(task: TaskRow) {
  return {
    uuid: task.uuid,
    name: task.name,
    args: task.args,
    queue: task.queue,
    single_flight: task.mode,
    state: task.state,
    priority: task.priority,
    attempts: task.attempts,
    max_attempts: task.maxAttempts,
    timeout_seconds: task.timeoutSeconds,
    progress: task.progress,
    result: task.result,
    error: task.error,
    created_by: task.createdBy,
    request_id: task.requestId,
    schedule: task.scheduleName,
    fire_time: time(task.fireTime),
    host: task.hostname,
    created_at: time(task.createdAt),
    run_after: time(task.runAfter),
    started_at: time(task.startedAt),
    ended_at: time(task.endedAt),
    redriven_by: task.redrivenBy,
    redriven_at: time(task.redrivenAt),
  };
}

/** An entry of the audit log as the internal API and the change stream show it. */
export function auditLogBody(entry: AuditLogEntry) {
  return {
    uuid: entry.uuid,
    at: entry.at,
    request_id: entry.requestId,
    global_request_id: entry.globalRequestId,
    user_id: entry.userId,
    user_name: entry.userName,
    project_id: entry.projectId,
    project_name: entry.projectName,
    roles: entry.roles,
    address: entry.address,
    method: entry.method,
    route: entry.route,
    operation: entry.operation,
    target_kind: entry.targetKind,
    target: entry.target,
    status: entry.status,
    summary: entry.summary,
    changes: entry.changes ?? null,
  };
}
