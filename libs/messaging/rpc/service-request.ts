import type { JsonObject } from '#libs/domain';
import type { RpcTopic } from './rpc-topic.ts';

/**
 * A request to one process. `check`: whether it can work. `status`: its full self-report. `request`: handles a request
 * to stop or restart now, without waiting for the next heartbeat. A newer process responds in the schema of the
 * request.
 */
export interface ServiceRequest {
  schema: 'service.question/1';
  op: 'check' | 'status' | 'request';
}

/** Report of a process about itself. */
export interface ServiceResponse {
  schema: 'service.answer/1';
  /** Bodies of `/internal/check` or `/internal/status`. Empty for `request`. */
  result: JsonObject;
}

/** Topic of the process with this registry id. */
export function serviceTopic(instanceId: string): RpcTopic<ServiceRequest, ServiceResponse> {
  return { topic: `service.${instanceId}`, timeoutMs: 2_000 };
}
