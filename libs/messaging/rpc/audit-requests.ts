import type { RepeatedMoves, SearchStatus } from '#libs/domain';
import type { RpcTopic } from './rpc-topic.ts';

/**
 * `audit.plan`: makes a plan of another point of the curve that the last run of an audit found, on the newest model.
 */
export interface AuditPlanRequest {
  audit_uuid: string;
  /** Of the point: its budget of migrations. */
  budget: number;
}

/** The plan, RECOMMENDED. */
export interface AuditPlanResponse {
  action_plan_uuid: string;
}

/**
 * Refusals: `audit_not_found`, `invalid_input` (no such point), `conflict` (a plan is ongoing, or the audit ran again),
 * `model_not_available`, `strategy_failed` (with the reason, also when its migrations are no longer possible).
 */
export const auditPlan: RpcTopic<AuditPlanRequest, AuditPlanResponse> = {
  topic: 'audit.plan',
  timeoutMs: 330_000,
};

/** Requests the progress of a search, or its end with the best result, from the decision engine that runs the audit. */
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
 * `plan.gain`: the part of a plan's promised gain that remains on the newest model. For a plan without a known gain:
 * whether its moves are still possible.
 */
export interface PlanGainRequest {
  plan_uuid: string;
}

/**
 * `left`: part of the gain, 0 to 1 (more, when it would gain more now). Null where it is unknown: such a plan is not
 * judged.
 */
export interface PlanGainResponse {
  left: number | null;
  /** Percentage points that it promised, and that it would gain now. Absent where `left` is null. */
  promised?: number;
  now?: number;
  /** Only of a plan without a known gain. Decision engines before this release leave it out. */
  repeated?: RepeatedMoves;
}

/** Refusals: `model_not_available`, `strategy_failed`. */
export const planGain: RpcTopic<PlanGainRequest, PlanGainResponse> = {
  topic: 'plan.gain',
  timeoutMs: 20_000,
};
