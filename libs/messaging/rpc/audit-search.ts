import type { SearchStatus } from '#libs/domain';
import type { RpcTopic } from './rpc-topic.ts';

/** Asks the decision engine that runs an audit how far its search is, or to end it with the best it has. */
export interface AuditSearchQuestion {
  op: 'status' | 'finish';
  audit_uuid: string;
}

/** `search` is null when the audit does not run in that process. */
export interface AuditSearchAnswer {
  search: SearchStatus | null;
}

/** Topic of the engine with this registry id. */
export function auditSearchTopic(instanceId: string): RpcTopic<AuditSearchQuestion, AuditSearchAnswer> {
  return { topic: `audit.search.${instanceId}`, timeoutMs: 5_000 };
}
