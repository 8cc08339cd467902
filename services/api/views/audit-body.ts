import type { AuditView } from '#libs/store';
import { objectLinks } from '../http/request/links.ts';
import { naiveTimestamp, timestampsOf } from '../http/watcher-text/timestamps.ts';
import { goalOf, strategyOf } from './references.ts';
import type { Extent, ViewContext } from './view-context.ts';

/** An audit as the API shows it. Below 1.2, `force` is always false. */
export function auditBody(audit: AuditView, extent: Extent, context: ViewContext): object {
  const { host, minor } = context;
  return {
    uuid: audit.uuid,
    name: audit.name,
    audit_type: audit.auditType,
    state: audit.state,
    ...goalOf(audit, context),
    ...strategyOf(audit, context),
    interval: audit.interval,
    scope: audit.scope,
    auto_trigger: audit.autoTrigger,
    next_run_time: naiveTimestamp(audit.nextRunTime),
    force: minor >= 2 && audit.force,
    ...(extent === 'full' ? fullFields(audit, minor) : {}),
    links: objectLinks(host, 'audits', audit.uuid),
  };
}

function fullFields(audit: AuditView, minor: number): object {
  return {
    parameters: audit.parameters,
    hostname: audit.hostname,
    ...(minor >= 1 ? { start_time: naiveTimestamp(audit.startTime), end_time: naiveTimestamp(audit.endTime) } : {}),
    ...(minor >= 5 ? { status_message: audit.statusMessage } : {}),
    ...timestampsOf(audit),
  };
}
