import type { AuditLogEntry } from '#libs/store';

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
  };
}
