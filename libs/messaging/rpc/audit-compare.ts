import type { AuditScope, JsonObject } from '#libs/domain';
import type { AuditPreviewAnswer } from './audit-preview.ts';
import type { RpcRefusal, RpcTopic } from './rpc-topic.ts';

/** `audit.compare`: strategies of one goal, or one strategy with several parameters, on the same picture of the cloud. */
export interface AuditCompareQuestion {
  /** Name of the goal. */
  goal: string;
  /** 1 to 10. */
  strategies: { name: string; parameters: JsonObject }[];
  scope: AuditScope;
}

/** One result for each of the asked, in their order; a strategy that fails does not take the others with it. */
export interface AuditCompareAnswer {
  results: (AuditPreviewAnswer | (RpcRefusal & { strategy: string }))[];
}

/** Refusals: `goal_not_found`, `invalid_input`, `model_not_available`. */
export const auditCompare: RpcTopic<AuditCompareQuestion, AuditCompareAnswer> = {
  topic: 'audit.compare',
  timeoutMs: 330_000,
};
