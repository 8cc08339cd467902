import type { RepeatedMoves, SearchStatus } from '#libs/domain';
import type { RpcTopic } from './rpc-topic.ts';

/** `audit.plan`: creates a plan from another point of the curve of the audit's last run, on the newest model. */
export interface AuditPlanRequest {
  audit_uuid: string;
  /** Budget of migrations of the point. */
  budget: number;
}

/** The plan, RECOMMENDED. */
export interface AuditPlanResponse {
  action_plan_uuid: string;
}

/**
 * Refusals: `audit_not_found`, `invalid_input` (no such point), `conflict` (a plan is ongoing, or the audit ran
 * again), `model_not_available`, `strategy_failed` (with the reason, also when its migrations are no longer possible).
 */
export const auditPlan: RpcTopic<AuditPlanRequest, AuditPlanResponse> = {
  topic: 'audit.plan',
  timeoutMs: 330_000,
};

/**
 * Requests the progress of a search, or its end with the best result, from the decision engine that runs the audit.
 */
export interface AuditSearchRequest {
  op: 'status' | 'finish';
  audit_uuid: string;
}

/** `search` is null when the audit does not run in that process. */
export interface AuditSearchResponse {
  search: SearchStatus | null;
}

/** Topic of the engine with this registry id. */
export function auditSearchTopic(instanceId: string): RpcTopic<AuditSearchRequest, AuditSearchResponse> {
  return { topic: `audit.search.${instanceId}`, timeoutMs: 5_000 };
}

/**
 * `plan.gain`: the remaining fraction of a plan's promised gain on the newest model. For a plan without a known gain:
 * whether its moves are still possible.
 */
export interface PlanGainRequest {
  plan_uuid: string;
}

/**
 * `left`: fraction of the gain, from 0. Above 1 when the current gain is larger. Null when unknown: the plan is not
 * evaluated.
 */
export interface PlanGainResponse {
  left: number | null;
  /** Promised and current gain in percentage points. Absent when `left` is null. */
  promised?: number;
  now?: number;
  /** Only for a plan without a known gain. Earlier decision engines omit it. */
  repeated?: RepeatedMoves;
}

/** Refusals: `model_not_available`, `strategy_failed`. */
export const planGain: RpcTopic<PlanGainRequest, PlanGainResponse> = {
  topic: 'plan.gain',
  timeoutMs: 20_000,
};
