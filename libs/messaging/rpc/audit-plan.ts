import type { RpcTopic } from './rpc-topic.ts';

/** `audit.plan`: makes a plan of another point of the curve that the last run of an audit found, on the newest model. */
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
 * Refusals: `audit_not_found`, `invalid_input` (no such point), `conflict` (a plan is ongoing, or the audit was run again meanwhile),
 * `model_not_available`, `strategy_failed` (with the reason, also when none of its migrations is possible any more).
 */
export const auditPlan: RpcTopic<AuditPlanQuestion, AuditPlanAnswer> = {
  topic: 'audit.plan',
  timeoutMs: 330_000,
};
