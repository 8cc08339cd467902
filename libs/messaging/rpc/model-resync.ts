import type { RpcTopic } from './rpc-topic.ts';

/** Requests one decision engine to drop its models and collect them again. */
export interface ModelResyncRequest {
  schema: 'model.resync/1';
}

/** Result of collecting the models again. */
export interface ModelResyncResponse {
  schema: 'model.resynced/1';
  /** In the order compute, storage, baremetal. */
  models: {
    name: string;
    /** ISO 8601. Null when it could not be collected. */
    taken_at: string | null;
    /** Parts of the cloud that could not be read. */
    gaps: string[];
    /** Why there is none, such as a cloud without that service. */
    error: string | null;
  }[];
}

/** Topic of the engine with this registry id. */
export function modelResyncTopic(instanceId: string): RpcTopic<ModelResyncRequest, ModelResyncResponse> {
  return { topic: `model.resync.${instanceId}`, timeoutMs: 300_000 };
}
