import type {
  ActionReason,
  AuditReport,
  AuditScope,
  AuditType,
  GlobalEfficacy,
  HostBeforeAfter,
  JsonObject,
  PlanHosts,
} from '#libs/domain';
import type { RpcRefusal, RpcTopic } from './rpc-topic.ts';

/**
 * `audit.compare`: strategies of one goal, or one strategy with several parameters, on the same model of the cloud.
 */
export interface AuditCompareRequest {
  /** Name of the goal. */
  goal: string;
  /** 1 to 10. */
  strategies: { name: string; parameters: JsonObject }[];
  scope: AuditScope;
}

/** One result for each requested strategy, in their order. A strategy that fails does not affect the others. */
export interface AuditCompareResponse {
  results: (AuditPreviewResponse | (RpcRefusal & { strategy: string }))[];
}

/** Refusals: `goal_not_found`, `invalid_input`, `model_not_available`. */
export const auditCompare: RpcTopic<AuditCompareRequest, AuditCompareResponse> = {
  topic: 'audit.compare',
  timeoutMs: 330_000,
};

/** `audit.preview`: the proposals of an audit, computed now. Nothing is stored. */
export interface AuditPreviewRequest {
  /** Name of the goal. */
  goal: string;
  /** Name of the strategy. Null or absent for the goal's first one. */
  strategy?: string | null;
  parameters: JsonObject;
  scope: AuditScope;
  /** Type of the previewed audit. Repeating audits do not move recently moved instances. Default ONESHOT. */
  audit_type?: AuditType;
}

/** A planned action. Uuids are created for the preview and are invalid outside it. */
export interface PreviewAction {
  uuid: string;
  action_type: string;
  input_parameters: JsonObject;
  parents: string[];
  reason: ActionReason;
}

/** Proposal of an audit that would run now. */
export interface AuditPreviewResponse {
  strategy: string;
  /** With all defaults filled in. */
  parameters: JsonObject;
  /** Time of the model of the cloud, ISO 8601. */
  model_taken_at: string;
  actions: PreviewAction[];
  indicators: { name: string; description: string; unit: string | null; value: number }[];
  global_efficacy: GlobalEfficacy[];
  report: AuditReport;
  /** Every host in the scope, by host name. */
  hosts: HostBeforeAfter[];
  /** Instances whose destination Nova chooses: after the plan they are counted on no host. */
  unplaced: PlanHosts['unplaced'];
  /** Absent in responses of earlier releases. */
  reserve?: PlanHosts['reserve'];
}

/** Refusals: `goal_not_found`, `strategy_not_found`, `invalid_input`, `model_not_available`, `strategy_failed`. */
export const auditPreview: RpcTopic<AuditPreviewRequest, AuditPreviewResponse> = {
  topic: 'audit.preview',
  timeoutMs: 330_000,
};
