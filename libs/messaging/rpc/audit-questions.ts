import type { SearchStatus } from '#libs/domain';
import type { RpcTopic } from './rpc-topic.ts';

/**
 * `audit.plan`: makes a plan of another point of the curve that the last run of an audit found, on the newest model.
 */
export interface AuditPlanQuestion {
  audit_uuid: string;
  /** Of the point: its budget of migrations. */
  budget: number;
}

/** The plan, RECOMMENDED. */
export interface AuditPlanAnswer {
  action_plan_uuid: string;
}

/**
 * Refusals: `audit_not_found`, `invalid_input` (no such point), `conflict` (a plan is ongoing, or the audit was run
 * again meanwhile), `model_not_available`, `strategy_failed` (with the reason, also when none of its migrations is
 * possible any more).
 */
export const auditPlan: RpcTopic<AuditPlanQuestion, AuditPlanAnswer> = {
  topic: 'audit.plan',
  timeoutMs: 330_000,
};

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

/** `plan.gain`: what is left, on the newest model, of what a plan was to gain when it was made. */
export interface PlanGainQuestion {
  plan_uuid: string;
}

/**
 * `left`: part of the gain, 0 to 1 (more, when it would gain more now). Null where it cannot be told: such a plan is
 * judged by nobody.
 */
export interface PlanGainAnswer {
  left: number | null;
}

/** Refusals: `model_not_available`, `strategy_failed`. */
export const planGain: RpcTopic<PlanGainQuestion, PlanGainAnswer> = {
  topic: 'plan.gain',
  timeoutMs: 20_000,
};
