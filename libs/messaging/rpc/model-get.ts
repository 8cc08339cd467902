import type { JsonObject, PlanHosts } from '#libs/domain';
import type { RpcTopic } from './rpc-topic.ts';

/** `plan.hosts`: hosts before and after actions that no strategy proposed, such as those of a rollback. */
export interface PlanHostsRequest {
  /** In the order of execution. */
  actions: { action_type: string; input_parameters: JsonObject }[];
}

/** The hosts that the actions affect. Refusals: `model_not_available`. */
export const planHosts: RpcTopic<PlanHostsRequest, PlanHosts> = {
  topic: 'plan.hosts',
  timeoutMs: 10_000,
};

/** `model.get`: the cluster data model as a list. */
export interface ModelGetRequest {
  /** `compute`. */
  data_model_type: string;
  /** Uuid or name of the audit whose scope is applied. Null for the whole cloud. */
  audit: string | null;
}

/**
 * One flat object per instance with its node's fields (`node_…`) and its own (`server_…`), one with node fields only
 * for a node without instances. Nodes by uuid, then instances by uuid. The client omits fields that its API version
 * lacks.
 */
export interface ModelGetResponse {
  context: JsonObject[];
}

/** Refusals: `data_model_not_found`, `audit_not_found`, `model_not_available`, `invalid_input`. */
export const modelGet: RpcTopic<ModelGetRequest, ModelGetResponse> = { topic: 'model.get', timeoutMs: 60_000 };
