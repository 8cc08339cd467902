import type { ActionReason, AuditReport, AuditScope, GlobalEfficacy, JsonObject } from '#libs/domain';
import type { RpcTopic } from './rpc-topic.ts';

/** `audit.preview`: what an audit would propose now. Nothing is stored. */
export interface AuditPreviewQuestion {
  /** Name of the goal. */
  goal: string;
  /** Name of the strategy; null or absent for the goal's first one. */
  strategy?: string | null;
  parameters: JsonObject;
  scope: AuditScope;
}

/** An action as it would be planned. Uuids are made for the preview and mean nothing outside it. */
export interface PreviewAction {
  uuid: string;
  action_type: string;
  input_parameters: JsonObject;
  parents: string[];
  reason: ActionReason;
}

/** What is allocated on a host. */
export interface HostUse {
  vcpus: number;
  /** MiB. */
  memory: number;
  /** GiB. */
  disk: number;
  instances: number;
  /** Whether the host accepts instances. */
  enabled: boolean;
}

/** A host before and after the plan. */
export interface HostBeforeAfter {
  hostname: string;
  capacity: { vcpus: number; memory: number; disk: number };
  before: HostUse;
  /** Instances whose destination is left to Nova have left this host and are on none. */
  after: HostUse;
}

/** What an audit would propose now. */
export interface AuditPreviewAnswer {
  strategy: string;
  /** With all defaults filled in. */
  parameters: JsonObject;
  /** Time of the picture of the cloud, ISO 8601. */
  model_taken_at: string;
  actions: PreviewAction[];
  indicators: { name: string; description: string; unit: string | null; value: number }[];
  global_efficacy: GlobalEfficacy[];
  report: AuditReport;
  /** Every host in the scope, by host name. */
  hosts: HostBeforeAfter[];
}

/** Refusals: `goal_not_found`, `strategy_not_found`, `invalid_input`, `model_not_available`, `strategy_failed`. */
export const auditPreview: RpcTopic<AuditPreviewQuestion, AuditPreviewAnswer> = {
  topic: 'audit.preview',
  timeoutMs: 330_000,
};
