import type { JsonObject } from '#libs/domain';
import type { RpcTopic } from './rpc-topic.ts';

/**
 * A question to one process. `check`: can it work? `status`: everything that it says of itself. `request`: search for a
 * request to stop or restart now, without waiting for the next heartbeat. The newer of two versions answers in the
 * schema that it was asked in.
 */
export interface ServiceQuestion {
  schema: 'service.question/1';
  op: 'check' | 'status' | 'request';
}

/** Answer of a process about itself. */
export interface ServiceAnswer {
  schema: 'service.answer/1';
  /** As `/internal/check` or `/internal/status` answer. Empty for `request`. */
  result: JsonObject;
}

/** Topic of the process with this registry id. */
export function serviceTopic(instanceId: string): RpcTopic<ServiceQuestion, ServiceAnswer> {
  return { topic: `service.${instanceId}`, timeoutMs: 2_000 };
}
