import { InvalidInputError, messageOf } from '#libs/domain';

/**
 * A request from one process to another over the bus. `Request` and `Response` are plain JSON. They are named here so
 * that the compiler checks both sides.
 */
export interface RpcTopic<Request extends object, Response extends object> {
  /** Topic on the bus, such as `model.get`. */
  readonly topic: string;
  /** Default time limit of the caller, in milliseconds. */
  readonly timeoutMs: number;
  /** Version of the request that responders of this build support. Default 1. Sent as `schema`. */
  readonly version?: number;
  /** Carries the types only. Never set. */
  readonly types?: { request: Request; response: Response };
}

/** Why a valid request has no response. */
export type RpcErrorCode =
  /** The audit does not exist or is deleted. */
  | 'audit_not_found'
  /** No goal, or no strategy, of that name is loaded in the decision engine. */
  | 'goal_not_found'
  | 'strategy_not_found'
  /** The decision engine has no such model, or not in this form. */
  | 'data_model_not_found'
  /** The cloud could not be read. */
  | 'model_not_available'
  /** The model has no such host. */
  | 'host_not_found'
  /** The model has no such instance. */
  | 'instance_not_found'
  /** The model has no such aggregate, or no instance of such a flavor. */
  | 'aggregate_not_found'
  | 'flavor_not_found'
  /** No data source was available. */
  | 'history_not_available'
  /** Parameters or scope are not acceptable. The message names the field. */
  | 'invalid_input'
  /** The object of the request has changed, or an ongoing operation conflicts with it. */
  | 'conflict'
  /** A computation exceeded its time limit. */
  | 'time_limit'
  /** The strategy ran without a result. The message has the reason. */
  | 'strategy_failed';

/** Refusal by a responder, in place of a response. */
export interface RpcRefusal {
  error: { code: RpcErrorCode; message: string };
}

/** Whether a response is a refusal. */
export function isRefusal(response: object): response is RpcRefusal {
  return 'error' in response;
}

/** A refusal in the form that the caller maps. */
export function refuse(code: RpcErrorCode, reason: unknown): RpcRefusal {
  return { error: { code, message: messageOf(reason) } };
}

/** Refusal for a failure during a request. Distinguishes invalid input from other failures. */
export function refuseBecause(error: unknown, otherwise: RpcErrorCode): RpcRefusal {
  return refuse(error instanceof InvalidInputError ? 'invalid_input' : otherwise, error);
}
