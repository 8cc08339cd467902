/**
 * Options of every call. They are its last parameter, and none before it is optional, so that who wraps a port can
 * append them.
 */
export interface CloudCallOptions {
  signal?: AbortSignal;
  /** Sent as `X-OpenStack-Request-ID`, so that Nova's logs can be joined with ours. Form `req-<uuid>`. */
  requestId?: string;
}

/** A service's answer to an accepted change. */
export interface TakenRequest {
  /** The service's own id of the request. Null when it returns none. */
  requestId: string | null;
}
